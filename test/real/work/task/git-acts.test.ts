// What a task writes to the repository takes the gate: it stands in the ledger in pairs, and a policy can forbid it.
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { projectRoot, type Started } from "../../../support/program.ts";
import { configure, jsonLines, type Scene } from "../../../scenarios/scene.ts";
import { docsCrew, docsFiles, docsWords, fixed, goodCrew, quickCrew, test1, write } from "../../../work/task/crew.ts";
import { approve, look, openScene, planned, taskId, words } from "../../../work/task/tasks.ts";

interface Entry {
  kind: string;
  seq: number;
  of?: number;
  status?: string;
  origin?: string;
  rule?: string;
  verdict?: string;
  effects?: { kind: string; target: string; part: string }[];
}

const entriesOf = async (scene: Scene): Promise<Entry[]> =>
  jsonLines((await scene.run(["audit", "query", "--json"])).stdout) as unknown as Entry[];

const isGit = ({ origin }: Entry): boolean => origin === "task";
const lineOf = ({ effects }: Entry): string => effects?.[0]?.part.split(" ").slice(0, 3).join(" ") ?? "";

test("each write of a task to the repository is judged, recorded as begun and as ended, and judged alike in replay", {
  timeout: 240_000,
}, async () => {
  await using scene = await openScene(goodCrew);
  const { id } = await planned(scene);
  await approve(scene, id);
  const { task } = await look(scene, id);
  expect(task.outcome?.kind).toBe("merged");
  const entries = await entriesOf(scene);
  const begun = entries.filter((entry) => entry.kind === "effect.begin" && isGit(entry));
  const lines = begun.map(lineOf);
  expect(lines[0]).toBe("git worktree add");
  for (const line of [
    ...["git worktree add", "git worktree remove", `git branch ${task.worktree?.branch}`, "git add --"],
    ...["git commit --", "git commit -p", "git reset --hard", "git merge --no-ff", "git branch -D"],
  ])
    expect(lines).toContain(line);
  expect(lines.filter((line) => line === "git commit --")).toHaveLength(2);
  // The plan is signed before there is a branch.
  const signed = entries.findIndex((entry) => entry.kind === "approval.receipt");
  expect(entries.findIndex((entry) => isGit(entry) && lineOf(entry).startsWith("git branch"))).toBeGreaterThan(signed);
  const ends = new Map(entries.filter(({ kind }) => kind === "effect.end").map((entry) => [entry.of, entry.status]));
  expect(begun.map(({ seq }) => ends.get(seq))).toEqual(begun.map(() => "done"));
  expect(new Set(begun.map(({ rule, verdict }) => `${verdict} ${rule}`))).toEqual(new Set(["allow task.git"]));
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  scene.put("../git.toml", '[[rules]]\naction = "deny"\nprogram = "git"\nargs = ["merge"]\n');
  const other = JSON.parse((await scene.run(["audit", "replay", "--policy", "../git.toml", "--json"])).stdout);
  expect(other.changed).toMatchObject([{ would: { verdict: "deny" }, effects: [expect.stringContaining("merge")] }]);
});

test("nothing of a task's work writes by git unless it is an act", () => {
  const rooms = ["src/work/task", "src/app/tasks"];
  const files = rooms.flatMap((room) =>
    readdirSync(path.join(projectRoot, room), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts"))
      .map((name) => path.join(room, name)),
  );
  const free = files.filter((file) =>
    /\b(?:runGit|gitHand)\(/.test(readFileSync(path.join(projectRoot, file), "utf8")),
  );
  // It reads: its commands are of a closed type.
  expect(free).toEqual(["src/work/task/world/git.ts"]);
});

test.each([
  ["git commit", 'program = "git"\nargs = ["commit"]\n'],
  ["git worktree", 'program = "git"\nargs = ["worktree"]\n'],
  ["git", 'effect = ["vcs"]\n'],
])("a rule that denies %s denies a task at its start, with the reason, before a model is called", async (_, rule) => {
  await using scene = await openScene(docsCrew, docsFiles);
  configure(scene, `[[rules]]\naction = "deny"\n${rule}`);
  const { code, stderr } = await scene.run(["task", docsWords]);
  expect([code, stderr]).toEqual([1, expect.stringMatching(/git \w+ is refused: Denied by a rule/)]);
  expect(scene.server.requests).toEqual([]);
  expect(await scene.read("task.list", { limit: 1 })).toEqual([]);
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(1);
});

/** The text of the newest ledger entries, as they are on the disk. */
function ledgerText(scene: Scene): string {
  const folder = path.join(scene.state(), "ledger");
  return readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), "utf8"))
    .join("\n");
}

/** Killed when the act is begun and git cannot go on. */
async function killedWithin(scene: Scene, run: Started, act: string): Promise<void> {
  const before = ledgerText(scene).split(act).length;
  while (ledgerText(scene).split(act).length === before) {
    if (run.child.exitCode !== null) throw new Error(`it ended before ${act}`);
    await sleep(5);
  }
  run.signal("SIGKILL");
  await run.exited;
}

test("killed between the begin and the end of an act, it is done once, and the ledger holds", {
  timeout: 240_000,
}, async () => {
  let lock = "";
  const hold = (file: string) => {
    lock = file;
    writeFileSync(file, "");
  };
  let held = false;
  await using scene = await openScene({
    ...quickCrew,
    verifier: ({ said }) => {
      if (!held && said === 0) {
        held = true;
        hold(scene.at(`.git/worktrees/${readdirSync(scene.at(".git/worktrees"))[0]}/HEAD.lock`));
      }
      return said === 0 ? write("test/round.test.js", test1) : { say: "It is shown." };
    },
  });
  const id = taskId((await scene.run(["task", words])).stderr);
  // git waits for the lock of the worktree's head.
  await killedWithin(scene, await scene.start(["task", "approve", id]), '"git commit -- ');
  rmSync(lock);
  expect((await scene.run(["task", "resume", id])).stderr).toContain("The result waits for an approval");
  // And now for the base's own.
  hold(scene.at(".git/refs/heads/main.lock"));
  await killedWithin(scene, await scene.start(["task", "approve", id]), '"git merge --no-ff ');
  rmSync(lock);
  expect((await scene.run(["task", "resume", id])).stdout).toContain("Merged into main");
  expect(scene.text("src/round.js")).toBe(fixed);
  expect(scene.git("status", "--porcelain")).toBe("");
  expect(scene.git("rev-list", "--count", "main").trim()).toBe("4");
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
  expect((await scene.run(["task", "replay", id])).stdout).toContain("everything as it was");
  const entries = await entriesOf(scene);
  const done = entries.filter(({ kind, status }) => kind === "effect.end" && status === "done").map(({ of }) => of);
  const open = entries.filter((entry) => entry.kind === "effect.begin" && isGit(entry) && !done.includes(entry.seq));
  // Killed while it waited for the lock, or given up for it just before.
  expect(open.map(lineOf)).toEqual(["git commit --", "git merge --no-ff"]);
});
