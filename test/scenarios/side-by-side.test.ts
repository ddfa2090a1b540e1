// Several models do work that changes files, each in a copy of the workspace; what one of them made comes into it.
import { expect, test } from "vitest";
import { finalAnswer, makeCompany, statsOf, told, whole } from "./company.ts";
import { shell, stopOf, those, write } from "./scene.ts";
import { wrong, right, before, type Work, works, writes, copiesOf, sideBySide } from "./changing.ts";

const commit = "git -c user.name=A -c user.email=a@example.org commit -qam mine";

test("of changes side by side the one that passes the check comes into the workspace, as a change that can be taken back", async () => {
  const files = {
    "sum.mjs": before,
    "check.sh": 'grep -q "a + b" sum.mjs && test -f notes.txt && test -f lib/node_modules/x.js && ! test -e .env\n',
    ".gitignore": ".env\nnode_modules/\n",
    "lib/a.txt": "a\n",
  };
  let beyond = "";
  const two: Work = (request) =>
    works(
      "It adds now.",
      write(beyond, "gone over\n", "beyond"),
      shell(`echo over > ${beyond}`, "past"),
      write("sum.mjs", right, "w"),
      write("lib/a.txt", "b\n", "ruled"),
      shell(`git log --format=%s && ${commit} && git log --format=%s`, "g"),
    )(request);
  await using company = await makeCompany(
    {
      one: { script: writes(wrong, "It subtracts now."), price: 1 },
      gone: { script: () => ({ status: 404, say: "gone" }), price: 1 },
      two: { script: two, price: 1 },
    },
    ({ folder }) =>
      `check_changes = "sh check.sh"\n[[rules]]\naction = "deny"\neffect = ["write"]\npaths = ["${folder}/lib/**"]`,
    { git: true, files },
  );
  const { scene, servers } = company;
  beyond = scene.at("sum.mjs");
  scene.put("notes.txt", "not committed\n");
  scene.put(".env", "TOKEN=abc\n");
  scene.put("lib/node_modules/x.js", "installed\n");
  const head = scene.git("rev-parse", "HEAD");
  const { events, code } = await scene.tell(sideBySide);
  expect([code, stopOf(events)?.kind, finalAnswer(events)]).toEqual([0, "done", "It adds now."]);
  expect([scene.text("sum.mjs"), scene.text("lib/a.txt")]).toEqual([right, "a\n"]);
  // What a candidate commits stays behind, with its history to look at.
  expect([scene.git("rev-parse", "HEAD"), scene.git("status", "--short")]).toEqual([
    head,
    " M sum.mjs\n?? notes.txt\n",
  ]);
  const read = servers["two"]?.requests.map(whole).at(-1) ?? "";
  expect(read).toMatch(/start\\+nmine\\+nstart/);
  expect(copiesOf(scene)).toEqual([]);
  expect(told(events, "router.strategy")).toEqual([
    expect.stringContaining("gone/model has no result: "),
    expect.stringMatching(
      /^Not taken: one\/model, 1 file, \+1 −1, 0\.\d{4} USD, router\.check_changes failed \(session /,
    ),
    "The work of two/model is taken (1 file, +1 −1): of 2, it is the only one of which it is known that router.check_changes passed.",
  ]);
  const [, loser = ""] = /\(session (\S+)\)/.exec(told(events, "router.strategy")[1] ?? "") ?? [];
  expect((await scene.run(["sessions", "export", loser])).stdout).toContain("It subtracts now.");
  const taken = those(events, "call.decided").find(({ call: id }) => id.startsWith("take-"));
  expect([taken?.origin, taken?.action?.kind]).toEqual(["fettle", "change"]);
  const { arms, strategies } = await statsOf(scene);
  expect(Object.fromEntries(arms.map(({ arm, lastOutcome }) => [arm, lastOutcome]))).toEqual({
    "one/model": "failing",
    "two/model": "passed",
  });
  expect(strategies).toMatchObject([{ strategy: "ensemble", lastOutcome: "passed", n: 1 }]);
  expect((await scene.run(["rewind", "--files", "--yes"])).code).toBe(0);
  expect(scene.text("sum.mjs")).toBe(before);
});
