// The edits of one file, of whichever kind: exact replacements, or the hunks of a patch. The tools and the gate's preview
// both come through here, so that what was shown is what is written.
import { applyReplacement, type EditProblem, type NearMiss, type TextEdit } from "./edits.ts";
import { headTail } from "./head-tail.ts";
import { applyHunks, type Hunk } from "./hunks.ts";

export type FileEdit = TextEdit & Pick<Hunk, "place">;

/** `problem` is a sentence without its subject's path; the edits are made all or none. */
export function editText(text: string, edits: readonly FileEdit[]): { text: string } | { problem: string } {
  if (edits.some((edit) => edit.place)) {
    const outcome = applyHunks(text, edits);
    if (!("problem" in outcome)) return { text: outcome.text };
    return { problem: `Hunk ${outcome.hunk} does not fit: ${outcome.problem}.` };
  }
  let current = text;
  for (const [index, edit] of edits.entries()) {
    const outcome = applyReplacement(current, edit);
    if ("problem" in outcome) return { problem: (edits.length > 1 ? `Edit ${index + 1}: ` : "") + sentence(outcome) };
    current = outcome.text;
  }
  return { text: current };
}

function sentence(problem: EditProblem): string {
  switch (problem.problem) {
    case "same":
      return "The old and the new text do not differ.";
    case "empty":
      return "The old text is empty, though the file is not; give the text to replace.";
    case "ambiguous":
      return `The old text occurs ${problem.count} times (lines ${problem.lines.join(", ")}${problem.count > problem.lines.length ? ", …" : ""}); add lines around it until it is unique, or replace all.`;
    case "missing":
      return `The old text does not occur. ${problem.near ? nearest(problem.near) : "Nothing in the file is like it; read the file again."}`;
  }
}

const shownBytes = 800;

function nearest(near: NearMiss): string {
  const lines = near.from === near.to ? `line ${near.from}` : `lines ${near.from}-${near.to}`;
  const first = near.first
    ? ` Line ${near.first.line} reads ${JSON.stringify(near.first.found.slice(0, 200))}, not ${JSON.stringify(near.first.wanted.slice(0, 200))}.`
    : "";
  const { head, tail, left } = headTail(near.text, shownBytes, shownBytes);
  const shown = left > 0 ? `${head}\n[… ${left} bytes left out …]\n${tail}` : head;
  return `Closest is ${lines} (${near.differs.join(", ")} differs):${first}\n${shown}`;
}
