// Changes side by side: judged, kept, taken over, and what comes in the way.
import {
  appendFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RouterExplanation } from "../../../src/protocol/router.ts";
import { until } from "../../app/agents/script.ts";
import { asked, finalAnswer, makeCompany, statsOf, told, whole } from "../../scenarios/company.ts";
import { read, shell, those, write } from "../../scenarios/scene.ts";
import { wrong, right, before, type Work, works, writes, copiesOf, sideBySide } from "../../scenarios/changing.ts";

/** In what a model is asked that works in a copy. */
const copied = "in a copy of the workspace that is yours alone";

test("where nothing tells them apart one is judged best; what no text can tell comes, too; a hook's no leaves the files alone", async () => {
  const made =
    "printf 'x' > added.sh && chmod +x added.sh && printf '\\0\\1' > a.bin && ln -s sum.mjs link && rm old.txt";
  const ballot = "Several agents have done the same work";
  const judging =
    (work: Work): Work =>
    (request) => {
      const text = whole(request);
      if (!text.includes(ballot)) return work(request);
      // What was found out stands apart from what the authors say.
      expect(
        text.match(/result [AB]: router\.check_changes passed, but what decides that was changed \(sum\.mjs\)/g),
      ).toHaveLength(2);
      expect(text).not.toMatch(/one\/model|two\/model|judge\/model/);
      const best = /result ([AB])(?:(?!result [AB]).)*It adds now\./.exec(text)?.[1];
      return { say: JSON.stringify({ best: best ?? "none", why: "right" }) };
    };
  const two = works("It adds now.", write("sum.mjs", right, "w"), shell(made, "m"));
  const files = { "sum.mjs": before, "old.txt": "old\n" };
  const members = {
    one: { script: judging(writes(wrong, "It subtracts now.")), price: 1 },
    two: { script: judging(two), price: 1 },
  };
  await using company = await makeCompany(members, 'check_changes = "cat sum.mjs"', { files });
  const { scene } = company;
  const { events, code } = await scene.tell(sideBySide);
  expect([code, finalAnswer(events)]).toEqual([0, "It adds now."]);
  expect(told(events, "router.strategy")[0]).toMatch(/^Not taken: one\/model, 1 file, \+1 −1, /);
  expect(told(events, "router.strategy")[1]).toMatch(
    /^The work of two\/model is taken \(5 files, \+\d −2\): \w+\/model judged it the best of 2 without knowing whose/,
  );
  expect(readdirSync(scene.folder).toSorted()).toEqual(["a.bin", "added.sh", "link", "sum.mjs"]);
  expect(statSync(scene.at("added.sh")).mode & 0o111).not.toBe(0);
  expect(lstatSync(scene.at("link")).isSymbolicLink()).toBe(true);
  expect((await scene.run(["rewind", "--files", "--yes"])).code).toBe(0);
  expect(readdirSync(scene.folder).toSorted()).toEqual(["old.txt", "sum.mjs"]);
  const hook =
    '\n[[hooks]]\nname = "no"\nevent = "before_tool"\nmatcher = "apply_patch"\ncommand = "echo no >&2; exit 2"';
  appendFileSync(path.join(scene.home.folder, ".config/fettle/config.toml"), hook);
  const denied = await scene.tell(sideBySide);
  expect(finalAnswer(denied.events)).toMatch(/^Nothing of this was put into the files\. .*no[^]*It adds now\.$/);
  expect([scene.text("sum.mjs"), scene.text("old.txt"), copiesOf(scene)]).toEqual([before, "old\n", []]);
});

test("what a copy cannot show is not written over, and a check that was made to pass says nothing", async () => {
  // Its file has become too large for a checkpoint: that is not deleted, and what it made without it was not checked.
  const easier = "echo true > check.sh && head -c 2000000 /dev/zero | tee data.txt > $'new\\nline'";
  let one = works("It subtracts now.", write("sum.mjs", wrong, "w"), shell(easier, "s"));
  let two = writes(right, "It adds now.");
  const inCopy =
    (work: () => Work): Work =>
    (request) =>
      whole(request).includes(copied) ? work()(request) : { say: "I leave it." };
  const members = {
    one: { script: inCopy(() => one), price: 1 },
    two: { script: inCopy(() => two), price: 1 },
  };
  const files = {
    "sum.mjs": before,
    "check.sh": 'grep -q "a + b" sum.mjs\n',
    "data.txt": "short\n",
    ".gitignore": "*.db\n",
  };
  const settings = 'check_changes = "sh check.sh"\n[checkpoint]\nmax_mb = 1';
  await using company = await makeCompany(members, settings, { git: true, files });
  const { scene } = company;
  scene.put("local.db", "mine\n");
  const honest = await scene.tell(sideBySide);
  const doubt =
    "router.check_changes passed, but what decides that was changed (check.sh), and with files that cannot be taken over";
  expect(finalAnswer(honest.events)).toBe("It adds now.");
  expect(told(honest.events, "router.strategy")).toContainEqual(expect.stringContaining(`, ${doubt} (session `));
  expect(told(honest.events, "router.strategy").join("\n")).toContain("holds it: data.txt (size), new\\nline (size).");
  const { arms } = await statsOf(scene);
  expect(arms.map(({ arm, lastOutcome }) => [arm, lastOutcome])).toEqual([["two/model", "passed"]]);

  two = () => ({ status: 404, say: "gone" });
  const only = await scene.tell(sideBySide);
  expect(told(only.events, "router.strategy").at(-1)).toBe(
    `The work of one/model is taken (2 files, +2 −2): it is the only one, and ${doubt}.`,
  );
  expect([scene.text("sum.mjs"), scene.text("data.txt")]).toEqual([wrong, "short\n"]);

  one = works("Made.", shell("echo > .gitignore && echo new > local.db", "s"));
  const hidden = await scene.tell(sideBySide);
  expect(told(hidden.events, "router.strategy").at(-1)).toMatch(
    /^Not taken over, as it would write over files that no checkpoint holds: local\.db\. \w+\/model does it alone\.$/,
  );
  expect([scene.text("local.db"), scene.text(".gitignore")]).toEqual(["mine\n", "*.db\n"]);
});

test("what comes in the way while it is taken over is kept, and where a part of it cannot come nothing does", async () => {
  const made = "printf 'echo hi\\n' > hi.sh && chmod +x hi.sh && ln -s hi.sh link && rm -r lib && echo file > lib";
  const script: Work = (request) =>
    whole(request).includes(copied) ? works("Made.", shell(made, "s"))(request) : { say: "I leave it." };
  const members = {
    one: { script, price: 1 },
    gone: { script: () => ({ status: 404, say: "gone" }), price: 1 },
  };
  await using company = await makeCompany(members, "", { files: { "sum.mjs": before, "lib/a/b.txt": "b\n" } });
  const { scene } = company;
  const settings = path.join(scene.home.folder, ".config/fettle/config.toml");
  const plain = readFileSync(settings, "utf8");
  const hook = (matcher: string, command: string) =>
    writeFileSync(
      settings,
      `${plain}\n[[hooks]]\nname = "h"\nevent = "before_tool"\nmatcher = "${matcher}"\ncommand = ${JSON.stringify(command)}`,
    );
  hook("apply_patch", `while ! test -e hi.sh; do sleep 0.05; done; echo '{"action":"abstain"}'`);
  const working = scene.tell(sideBySide);
  await until(() => copiesOf(scene).length > 0);
  await until(() => copiesOf(scene).length === 0);
  await setTimeout(300);
  scene.put("hi.sh", "mine\n");
  const late = await working;
  expect([finalAnswer(late.events), scene.text("hi.sh"), existsSync(scene.at("link"))]).toEqual([
    "I leave it.",
    "mine\n",
    false,
  ]);
  expect(told(late.events, "router.strategy").at(-1)).toContain("these files were changed meanwhile: hi.sh.");
  rmSync(scene.at("hi.sh"));
  hook("rewind", "echo no >&2; exit 2");
  const half = await scene.tell(sideBySide);
  expect(finalAnswer(half.events)).toMatch(/^Nothing of this was put into the files\. /);
  expect([readdirSync(scene.folder), scene.text("lib/a/b.txt")]).toEqual([["lib", "sum.mjs"], "b\n"]);
  writeFileSync(settings, plain);
  const all = await scene.tell(sideBySide);
  // A program is told by its text like any other file.
  const taken = those(all.events, "call.ended").find(({ tool }) => tool === "apply_patch");
  expect(taken?.result.diff?.files).toMatchObject([{ path: "hi.sh", change: "created", added: 1 }]);
  expect(statSync(scene.at("hi.sh")).mode & 0o111).not.toBe(0);
  expect(scene.text("lib")).toBe("file\n");
});

test("what the person has changed meanwhile stays, and one model goes on from there", async () => {
  let meanwhile = (): void => undefined;
  const right2: Work = (request) => {
    if (!whole(request).includes("files that it changes were changed here meanwhile")) {
      meanwhile();
      return writes(right, "It adds now.")(request);
    }
    return { say: "I have looked at it again." };
  };
  const members = { one: { script: right2, price: 1 }, two: { script: right2, price: 1 } };
  await using company = await makeCompany(members, "", { files: { "sum.mjs": before, "other.txt": "" }, git: true });
  const { scene } = company;
  meanwhile = () => scene.put("sum.mjs", "mine\n");
  const { events, code } = await scene.tell(sideBySide);
  expect([code, finalAnswer(events), scene.text("sum.mjs")]).toEqual([0, "I have looked at it again.", "mine\n"]);
  expect(told(events, "router.strategy")).toContainEqual(
    expect.stringMatching(
      /^Not taken over, as these files were changed meanwhile: sum\.mjs\. (one|two)\/model does it alone\.$/,
    ),
  );
  expect(asked(events)).toHaveLength(1);
  // The same work by both is not judged, and what others change elsewhere is no hindrance.
  scene.put("sum.mjs", before);
  meanwhile = () => scene.put("other.txt", "mine\n");
  const again = await scene.tell(sideBySide);
  expect(told(again.events, "router.strategy").at(-1)).toMatch(/: 2 of 2 came to exactly that\.$/);
  expect([scene.text("sum.mjs"), scene.text("other.txt")]).toEqual([right, "mine\n"]);
  const why = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as RouterExplanation).strategies.find(({ strategy }) => strategy === "ensemble")?.excluded;
  mkdirSync(scene.at("inner/.git/refs"), { recursive: true });
  mkdirSync(scene.at("inner/.git/objects"), { recursive: true });
  scene.put("inner/.git/HEAD", "ref: refs/heads/main\n");
  scene.put("inner/a.txt", "a\n");
  const nested = await scene.run(["router", "explain", "--strategy", "ensemble", "fix the crash", "--json"]);
  expect(why(nested)).toBe("a copy would lack inner/, which no checkpoint holds (repository)");
});

test("copies of a process that was killed are removed by who comes next, those of one at work are not", async () => {
  let held = Promise.withResolvers<void>();
  const slow: Work = async (request) => {
    if (!whole(request).includes(copied)) return works("Here.", read("sum.mjs", "r"))(request);
    held.resolve();
    return { say: "late", delayMs: 60_000 };
  };
  const members = { one: { script: slow, price: 1 }, two: { script: slow, price: 1 } };
  await using company = await makeCompany(members, "", { files: { "sum.mjs": before } });
  const { scene } = company;
  const look = ["--strategy", "single", "--autonomy", "5", "explain the parser"];
  const started = await scene.start(["-p", ...sideBySide]);
  await held.promise;
  held = Promise.withResolvers();
  const during = copiesOf(scene);
  expect(during.length).toBe(2);
  expect((await scene.tell(look)).code).toBe(0);
  expect(copiesOf(scene)).toEqual(during);
  started.signal("SIGKILL");
  await started.exited;
  expect(copiesOf(scene)).toEqual(during);
  expect((await scene.tell(look)).code).toBe(0);
  expect(copiesOf(scene)).toEqual([]);
});
