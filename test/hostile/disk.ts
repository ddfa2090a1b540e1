// What runs where a disk is full or a place is missing.
import { byResults, call, shell, write } from "../scenarios/scene.ts";

export const work = byResults(
  [write("a.txt", "x\n", "w"), shell("echo hi > b.txt", "s"), call("git", { args: ["status", "--short"] }, "g")],
  "Done.",
);

export const filled = (folder: string, room = "") =>
  `dd if=/dev/zero of='${folder}/fill' bs=1k 2>/dev/null; ${room && `truncate -s -${room} '${folder}/fill'; `}`;

export const begun = "$F audit query --tool shell --json -n 1000 | grep -c effect.begin";

/** Commands without end: each leaves a line, so what ran can be counted. */
export const counting = ({ index }: { index: number }) => ({
  calls: [shell(`echo ${index} >> log.txt`)],
});
