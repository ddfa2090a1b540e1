// What is wrong after a wave, judged from the repository alone.
import { execFileSync } from "node:child_process";
import type { WaveEnd } from "../../src/work/project/waves/integrate.ts";
import type { RandomWave } from "./wave.ts";

export interface Wrongs {
  lost: number;
  files: number;
  rows: number;
}

const out = (folder: string, ...args: string[]): string => execFileSync("git", args, { cwd: folder, encoding: "utf8" });

function holds(folder: string, commit: string): boolean {
  const ids = out(folder, "rev-list", "main").split("\n");
  return ids.includes(commit);
}

export function judge({ folder, plans, commits, base }: RandomWave, end: WaveEnd): Wrongs {
  const wrongs: Wrongs = { lost: 0, files: 0, rows: 0 };
  const tip = out(folder, "rev-parse", "main").trim();
  const taken = end.kind === "integrated" ? end.taken : [];
  if (end.kind !== "integrated" && tip !== base) wrongs.lost += 1;
  if (!holds(folder, base)) wrongs.lost += 1;
  for (const { id } of plans) {
    const there = holds(folder, commits[id] ?? "");
    if (there !== taken.includes(id)) wrongs.lost += 1;
    // What is not taken still stands on its own branch.
    if (out(folder, "rev-parse", `plan/${id}`).trim() !== commits[id]) wrongs.lost += 1;
  }
  const before = new Set(out(folder, "ls-tree", "-r", "--name-only", base).trim().split("\n"));
  const after = new Set(out(folder, "ls-tree", "-r", "--name-only", "main").trim().split("\n"));
  const own = plans.filter(({ id }) => taken.includes(id));
  const deleted = new Set(own.flatMap(({ changes, declared }) => declared.filter((file) => changes[file] === null)));
  const added = new Set(
    own.flatMap(({ id, changes }) => [...Object.keys(changes), `.planning/phases/01-one/${id}-SUMMARY.md`]),
  );
  for (const file of before) if (after.has(file) === deleted.has(file)) wrongs.files += 1;
  for (const file of after) if (!before.has(file) && !added.has(file)) wrongs.files += 1;
  // Every line that a taken plan has written is there.
  for (const { id, changes } of own)
    for (const [file, text] of Object.entries(changes)) {
      if (text === null || file.startsWith(".planning/")) continue;
      const mark = `by ${id}`;
      if (text.includes(mark) && !out(folder, "show", `main:${file}`).includes(mark)) wrongs.files += 1;
    }
  wrongs.rows += rowsOf(
    folder,
    plans.map(({ id }) => id),
    taken,
  );
  return wrongs;
}

function rowsOf(folder: string, plans: readonly string[], taken: readonly string[]): number {
  const roadmap = out(folder, "show", "main:.planning/ROADMAP.md");
  const state = out(folder, "show", "main:.planning/STATE.md");
  let wrong = plans.filter((id) => roadmap.includes(`- [x] ${id}:`) !== taken.includes(id)).length;
  if (!roadmap.includes(`| ${taken.length}/${plans.length} |`)) wrong += 1;
  if (taken.length > 0 && !state.includes(`  completed_plans: ${taken.length}\n`)) wrong += 1;
  if (/overwritten/.test(state)) wrong += 1;
  return wrong;
}
