// Work that comes back, to the tester, the coder or the auditor: each goes on with what it knows, and hears what is new.
import { expect, test } from "vitest";
import { docsFiles, fixed, nodeFiles, quickCrew, quickPlan, say, test1, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, states } from "../../../work/task/tasks.ts";

const linter = `import { readdirSync, readFileSync } from "node:fs";
const files = ["src", "test"].flatMap((folder) => readdirSync(folder).map((name) => folder + "/" + name));
const bad = files.filter((file) => /^var |<<</m.test(readFileSync(file, "utf8")));
for (const file of bad) console.log(file + ":1:1 error no-var");
process.exit(bad.length > 0 ? 1 : 0);
`;
const files = {
  ...nodeFiles,
  ...docsFiles,
  "tools/lint.js": linter,
  "src/other.js": "export const other = 1.5;\n",
  "package.json": JSON.stringify({
    ...{ name: "x", type: "module" },
    scripts: { test: "node --test", lint: "node tools/lint.js" },
  }),
};
const readme = { path: "README.md", action: "modify", intent: "says it" };
const withVar = `var half = 1.5;\n${test1.replace("1.5", "half")}`;

test("a linter's fault in the test is the tester's; an objection is answered, not repeated; words at the result go on with the work; another plan keeps the test", {
  timeout: 240_000,
}, async () => {
  const heard: Record<"verifier" | "coder" | "auditor", { prompt: string; first: string }[]> = {
    ...{ verifier: [], coder: [], auditor: [] },
  };
  const turns: Record<string, ReturnType<typeof say>[]> = {
    verifier: [write("test/round.test.js", withVar), say("It stays."), write("test/round.test.js", test1)],
    coder: [
      write("src/round.js", fixed),
      say("The request names no comment, so there is none."),
      {
        calls: [
          ...(write("src/round.js", `// Halves go up.\n${fixed}`).calls ?? []),
          ...(write("src/other.js", "// Not rounded.\nexport const other = 1.5;\n").calls ?? []),
          ...(write("test/edge.test.js", test1.replaceAll("1.5", "2.5").replace("2)", "3)")).calls ?? []),
        ],
      },
      say("The coder is done."),
      write("test/round.test.js", `${test1}// 2.5\n`),
      write("src/round.js", `// Halves go up.\n${fixed}`),
    ],
  };
  const taking = (name: "verifier" | "coder") => (about: { said: number; prompt: string; users: string[] }) => {
    if (about.said > 0) return say(`The ${name} is done.`);
    const at = heard[name].push({ prompt: about.prompt, first: about.users[0] ?? "" }) - 1;
    return turns[name]?.[at] ?? say("Nothing is left to do.");
  };
  await using scene = await openScene(
    {
      ...quickCrew,
      architect: () => say(quickPlan({ files: [...(quickPlan().files as object[]), readme] })),
      verifier: taking("verifier"),
      coder: taking("coder"),
      auditor({ prompt, users }) {
        const at = heard.auditor.push({ prompt, first: users[0] ?? "" });
        const why = at === 1 ? "there is none" : null;
        return say({ constraints: [{ constraint: "it has a comment", kept: at > 1, why }] });
      },
    },
    files,
  );
  const { id, code, stderr } = await planned(scene);
  expect(code, stderr).toBe(3);
  const [first, second, third] = heard.verifier;
  expect(second?.prompt).toMatch(/a linter of the repository objects to it[^]*test\/round\.test\.js:1:1 error no-var/);
  // What the tester leaves is locked all the same, and goes back to it and not to the coder when the code is there.
  expect(third?.prompt).toMatch(/The code is written and your test passes, but the linter objects/);
  expect([third?.first, heard.verifier.length]).toEqual([first?.first, 3]);
  expect(scene.git("show", `${(await look(scene, id)).task.worktree?.branch}:test/round.test.js`)).toBe(test1);

  const [begun, back] = heard.coder;
  expect(back?.prompt).toContain("The verification of the work so far failed");
  expect([back?.first, heard.coder.length]).toEqual([begun?.first, 2]);
  expect(heard.auditor).toHaveLength(2);
  expect(heard.auditor[1]?.prompt).toMatch(/You objected to the work before: it has a comment: there is none/);
  expect(heard.auditor[1]?.prompt).toContain("The coder answered: The request names no comment");
  expect(stderr.replaceAll(/\s+│?\s*/g, " ")).toMatch(
    /The auditor objected, and the coder answered it has a comment: there is none The request names no comment/,
  );

  const changed = await approve(
    scene,
    id,
    "--with",
    "It needs a comment, and so do src/other and edge.test.js. Do not touch tools/lint.js.",
  );
  expect(changed.code, changed.stderr).toBe(3);
  const said = heard.coder[2];
  expect([said?.first, said?.prompt]).toEqual([
    begun?.first,
    expect.stringMatching(
      /is carried out and committed[^]*It needs a comment[^]*does not hold src\/other\.js, test\/edge\.test\.js; they name it/,
    ),
  ]);
  expect(said?.prompt).not.toMatch(/Carry out|verification/);
  expect(heard.auditor[2]?.prompt).toMatch(/it replaces it, and is itself a constraint:\n- It needs a comment/);
  // What the words name is not asked for again, is told as allowed, and is looked at as the planned files are.
  const beyond = await look(scene, id);
  expect([beyond.task.amendments?.map(({ paths }) => paths), changed.stderr]).toEqual([
    [["src/other.js", "test/edge.test.js"]],
    expect.stringMatching(/Allowed beyond the plan\s+│ +src\/other\.js, test\/edge\.test\.js, as they said: It needs/),
  ]);
  expect(beyond.task.evidence?.map(({ claim }) => claim)).toEqual(
    expect.arrayContaining([
      "only planned files differ, and those that were allowed since",
      "src/other.js can be parsed",
    ]),
  );

  // Words that change nothing lead back to the same commit, and the person is told; nothing is verified or audited again.
  const head = async () => (await look(scene, id)).task.worktree?.head;
  const before = await head();
  const thanked = await approve(scene, id, "--with", "thank you");
  expect([thanked.code, await head(), heard.auditor.length], thanked.stderr).toEqual([3, before, 3]);
  expect(thanked.stderr).toMatch(/nothing has changed since it was verified, so what was shown stays/);
  expect(thanked.stderr.replaceAll(/\s+│?\s*/g, " ")).toMatch(
    /Nothing was changed for what you said last You said thank you The coder said The coder is done\./,
  );
  expect(scene.git("log", "--format=%s", `main..${(await look(scene, id)).task.worktree?.branch}`)).toMatch(
    /\(revised\)\n.*halves up\n/,
  );
  // Words about the locked test lead to another plan by themselves.
  const about = await approve(scene, id, "--with", "test 2.5, too");
  expect([about.code, (await look(scene, id)).state], about.stderr).toEqual([3, "PLANNING"]);
  expect(about.stderr.replaceAll(/\s+│?\s*/g, " ")).toMatch(
    /Planned anew The person wants it otherwise: test 2\.5, too/,
  );
  const signed = await approve(scene, id);
  expect([signed.code, (await look(scene, id)).state], signed.stderr).toEqual([3, "FEEDBACK_WAIT"]);

  const rejected = await scene.run(["task", "reject", id, "--why", "without a comment after all"]);
  expect([rejected.code, (await look(scene, id)).state], rejected.stderr).toEqual([3, "PLANNING"]);
  const anew = await approve(scene, id);
  expect(anew.code, anew.stderr).toBe(3);
  expect(heard.verifier.at(-1)?.prompt).toContain("test/round.test.js is in place as it was under the plan before");
  expect(heard.coder.map(({ prompt }) => prompt).join("\n")).toMatch(
    /This was done under the plan before[^]*Halves go up/,
  );
  expect(states(await look(scene, id)).filter((state) => state === "PROVING_GROUND")).toHaveLength(3);
});
