// fettle record, as a person uses it: worked once with a model, checked, shown, and played without one.
import { existsSync, readFileSync, statSync } from "node:fs";
import { expect, test } from "vitest";
import { byResults, makeScene, resultText, shell, stopOf, write } from "../../scenarios/scene.ts";

const secret = ["AKIA", "Q7ZK2MD4PLX6RV3T"].join("");
const password = ["hunter", "-Zq81", "-xP4w"].join("");

const steps = byResults(
  { say: "I look first.", calls: [shell("cat notes.txt; date; pwd", "c1")] },
  write("out.txt", "done\n", "c2"),
  `Done. The key is ${secret}, and password=${password}`,
);
const files = { "notes.txt": `key ${secret}\n2 failing\n` };

test("a run is recorded without its secrets, checked, shown, and plays in another folder; a real difference is named", async () => {
  await using scene = await makeScene(steps, { files });
  const run = await scene.run(["record", "../bug.jsonl", "-p", "--autonomy", "5", "mend", "it"]);
  expect({ code: run.code, stderr: run.stderr }).toEqual({
    ...{ code: 0, stderr: expect.stringContaining("../bug.jsonl: 3 answers, no secrets, plays") },
  });
  const file = `${scene.home.folder}/bug.jsonl`;
  const text = readFileSync(file, "utf8");
  for (const hidden of [secret, password, scene.home.folder, "not-a-real-key"]) expect(text).not.toContain(hidden);
  expect(statSync(file).mode & 0o777).toBe(0o600);

  const check = await scene.run(["record", "check", file, "--json"]);
  expect(check.code).toBe(0);
  expect(JSON.parse(check.stdout)).toMatchObject({ problems: [], rounds: [{}, {}, { calls: [] }] });
  const show = await scene.run(["record", "show", file]);
  expect(show.stdout).toMatch(
    /Round 1 \(line 2\)\n {2}asked \(user\) mend it\n {2}said I look first\.\n {2}called shell/,
  );

  const asked = scene.server.requests.length;
  await using other = await makeScene(steps, { files });
  const played = await other.tell(["--autonomy", "5", "-m", `recorded/${file}`, "mend it"]);
  expect({ code: played.code, kind: stopOf(played.events)?.kind, text: stopOf(played.events)?.text }).toMatchObject({
    ...{ code: 0, kind: "done" },
  });
  expect(resultText(played.events, "c1")).toContain("2 failing");
  expect(other.text("out.txt")).toBe("done\n");
  expect([scene.server.requests.length, other.server.requests.length]).toEqual([asked, 0]);

  await using changed = await makeScene(steps, { files: { "notes.txt": `key ${secret}\n0 failing\n` } });
  const misfit = await changed.tell(["--autonomy", "5", "-m", `recorded/${file}`, "mend it"]);
  expect(misfit.code).toBe(1);
  expect(stopOf(misfit.events)?.text).toMatch(/answer 2 .*line \d+: expected "2 failing", but it is "0 failing"/);
  expect(existsSync(changed.at("out.txt"))).toBe(false);
});

test("a recording with a secret, one that is broken, and a file that is none are told apart", async () => {
  await using scene = await makeScene(["hello"], { files: { "mine.txt": "my own words\n" } });
  scene.put("leaky.jsonl", `{"recording":1,"title":"x"}\n// by hand\n{"expect":["go"],"say":"the key is ${secret}"}\n`);
  const leaky = await scene.run(["record", "check", "leaky.jsonl"]);
  expect({ code: leaky.code, stdout: leaky.stdout }).toEqual({
    ...{ code: 1, stdout: expect.stringMatching(/^leaky\.jsonl: line 3: holds a secret \(aws[^)]*\)\n$/) },
  });
  scene.put("broken.jsonl", '{"say":"x"}\n{"sing":1}\n');
  const broken = await scene.run(["record", "check", "broken.jsonl"]);
  expect([broken.code, broken.stderr]).toEqual([1, expect.stringMatching(/broken\.jsonl, line 2.*sing/)]);
  const folder = await scene.run(["record", "check", "."]);
  expect([folder.code, folder.stderr]).toEqual([
    2,
    expect.stringMatching(/^\S+ \S+ is a folder, not a recording\.\nName a file in it\.\n$/),
  ]);
  const missing = await scene.run(["record", "check", "no.jsonl"]);
  expect([missing.code, missing.stderr]).toEqual([
    2,
    expect.stringMatching(/There is no recording \S+no\.jsonl\.\nMake one: /),
  ]);
  const none = await scene.run(["record", "mine.txt", "-p", "hello"]);
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining("mine.txt is there and is no recording.")]);
  expect(scene.text("mine.txt")).toBe("my own words\n");
  expect(scene.server.requests).toHaveLength(0);
  const unnamed = await scene.run(["record"]);
  expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining("Name the file")]);
});
