// Where fettle is started: no git, no repository, none yet, none checked out; folders and disks that take nothing.
import { cpSync, existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { byResults, call, edit, makeScene, resultsOf, shell, those, write } from "../scenarios/scene.ts";
import { cannotMount, expectNothingLost, expectNoTrace, mounted, readOnly, small, without } from "./support.ts";
import { work, filled, begun, counting } from "./disk.ts";

test.concurrent("no git: work goes on without checkpoints, and that is said once", async ({ skip }) => {
  if (cannotMount) skip(cannotMount);
  await using scene = await makeScene(work, { git: true, files: { "kept.txt": "kept\n" } });
  const gone = without(scene, "/usr/bin/git");
  const said = await mounted(
    scene,
    gone,
    "$F -p --autonomy 5 go; echo exit $?; cat a.txt b.txt; $F rewind --yes; echo exit $?; $F doctor",
  );
  expect(said.stdout).toMatch(/Done\.\nexit 0\nx\nhi\n/);
  expect([existsSync(scene.at("a.txt")), existsSync(scene.at("b.txt"))]).toEqual([false, false]);
  const sentence =
    "There are no checkpoints in this session, so only what fettle itself wrote can be taken back: git is not installed";
  expect(said.stderr.replace(/\s+/g, " ").split(sentence)).toHaveLength(2);
  expect(said.stdout).toContain("Rewound the conversation and the files to before turn 1.");
  expect(said.stdout).toMatch(/! git +git is not installed\./);
  const git = resultsOf(scene.server.requests[1]!).find(({ call: id }) => id === "g");
  expect(git?.text).toMatch(/git.*\n(?:<\/data>\n)?\[exit \d+\]/);
  expectNoTrace(said);
  await expectNothingLost(scene);
});

const run = byResults([shell("wc -c kept.txt > b.txt", "s"), call("git", { args: ["status"] }, "g")], "Done.");

test.concurrent("no sandbox: what runs is judged a level higher, and whoever is asked is told why", async ({
  skip,
}) => {
  if (cannotMount) skip(cannotMount);
  await using scene = await makeScene(run, { git: true, files: { "kept.txt": "kept\n" } });
  const off = await scene.tell(["go"], { env: { FETTLE_SANDBOX_ENABLED: "false" } });
  expect(off.code).toBe(3);
  const risks = (events: typeof off.events) =>
    those(events, "call.decided").map(({ call: id, decision }) => `${id} ${decision.risk} ${decision.verdict}`);
  expect(risks(off.events)).toEqual(["s L2 ask", "g L1 notify"]);
  const [asked] = those(off.events, "approval.asked");
  const why = asked?.request.reasons.map(({ text }) => text).join("\n");
  expect(why).toContain("There is no sandbox, so running a program is judged L2 instead of L1.");
  expect(why).toContain("there is no sandbox: the program can do whatever you can");
  expect(asked?.request.sandboxed).toBe(false);
  expect(existsSync(scene.at("b.txt"))).toBe(false);
  const gone = without(scene, "/usr/bin/bwrap");
  const said = await mounted(scene, gone, "$F -p go; echo exit $?; $F doctor");
  expect(said.stdout).toMatch(/Done\.\nexit 3\n/);
  expect(said.stderr.replace(/\s+/g, " ")).toContain(
    "There is no sandbox, so running a program is judged L2 instead of L1.",
  );
  expect(said.stdout.replace(/\s+/g, " ")).toContain(
    "! sandbox No kernel sandbox: bubblewrap does not work here: it cannot be started (EACCES); commands run with your own rights, and every one is judged a level higher.",
  );
  expectNoTrace(off, said);
  await expectNothingLost(scene, 2);
});

test.concurrent("a read-only workspace: each change fails in a sentence, reading and the record work", async ({
  skip,
}) => {
  if (cannotMount) skip(cannotMount);
  await using scene = await makeScene(work, { git: true, files: { "a.txt": "old\n" } });
  const said = await mounted(scene, readOnly(scene.folder), "$F -p --autonomy 5 go; echo exit $?");
  expect(said.stdout).toBe("Done.\nexit 0\n");
  const results = resultsOf(scene.server.requests[1]!).map(({ text }) => text);
  expect(results[0]).toBe("a.txt is on a read-only file system.");
  // The command writes to its layer; what cannot be applied is told.
  expect(results[1]).toMatch(/not written to the workspace: b\.txt, as \S+b\.txt is on a read-only file system/);
  expect(results[2]).toContain("[exit 0]");
  expect(scene.text("a.txt")).toBe("old\n");
  expectNoTrace(said);
  await expectNothingLost(scene);
});

test.concurrent("a full disk under the workspace: files are whole or untouched, the model is told", async ({
  skip,
}) => {
  if (cannotMount) skip(cannotMount);
  const script = byResults(
    [
      write("small.txt", "x\n", "small"),
      write("big.txt", "y".repeat(400_000), "big"),
      edit("big.txt", "keep", "z".repeat(400_000), "edit"),
      shell("head -c 400000 /dev/zero > shell.bin", "shell"),
    ],
    "Done.",
  );
  await using scene = await makeScene(script);
  const command = "echo keep > big.txt; $F -p --autonomy 5 go; echo exit $?; cat small.txt big.txt; ls -A";
  const said = await mounted(scene, small(200_000, scene.folder), command);
  expect(said.stdout).toBe("Done.\nexit 0\nx\nkeep\nbig.txt\nsmall.txt\n");
  const results = resultsOf(scene.server.requests[1]!).map(({ text }) => text);
  expect(results[0]).toMatch(/^Wrote small\.txt/);
  expect(results.slice(1, 3)).toEqual(
    Array.from({ length: 2 }, () => "big.txt could not be written: the disk is full."),
  );
  expect(results[3]).toMatch(/not written to the workspace: shell\.bin, as \S+ could not be written: the disk is full/);
  expectNoTrace(said);
  await expectNothingLost(scene);
});

test.concurrent("the disk is full while the ledger is written: nothing more runs, 7, and it goes on with room", async ({
  skip,
}) => {
  if (cannotMount) skip(cannotMount);
  await using scene = await makeScene(counting);
  expect((await scene.run(["-p", "--autonomy", "5", "--max-rounds", "1", "go"])).code).toBe(5);
  const ledger = path.join(scene.state(), "ledger");
  const copy = path.join(scene.home.folder, "copy");
  cpSync(ledger, copy, { recursive: true });
  const said = await mounted(
    scene,
    small(300_000, ledger),
    `cp -a '${copy}/.' '${ledger}/'; ${filled(ledger)}
    $F -p --autonomy 5 go; echo exit $?; rm '${ledger}/fill'; wc -l < log.txt; ${begun}; $F audit verify | head -n 1
    $F -p --autonomy 5 --max-rounds 1 --continue more; echo exit $?; wc -l < log.txt; ${begun}; $F audit verify | head -n 1`,
  );
  const lines = said.stdout.trim().split("\n");
  const ran = Number(lines[1]);
  expect(lines).toEqual([
    ...["exit 7", `${ran}`, `${ran}`, expect.stringMatching(/^✓ The ledger is whole/)],
    ...["exit 5", `${ran + 1}`, `${ran + 1}`, expect.stringMatching(/^✓ The ledger is whole/)],
  ]);
  // What still fits into the last page of a file may run; hardly more.
  expect(ran).toBeLessThan(12);
  const told = said.stderr.replace(/\s+/g, " ");
  expect(told).toMatch(
    /✗ failed: the record cannot be kept.*The ledger in \S+ cannot be written \(ENOSPC: [^)]+\), so nothing may run/,
  );
  expect(told.match(/cannot be written \(/g)).toHaveLength(1);
  expectNoTrace(said);
});
