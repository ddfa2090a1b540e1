// The edits of one file, of whichever kind: exact replacements, or the hunks of a patch. The tools and the gate's preview
// both come through here, so that what was shown is what is written.
import { applyReplacement, type EditProblem, type NearMiss, type TextEdit } from "./edits.ts";
import { headTail } from "./head-tail.ts";
import { applyHunks, type Hunk } from "./hunks.ts";

type FileEdit = TextEdit & Pick<Hunk, "place">;

/** Why edits were not made: a sentence without its subject's path, and apart from it what stands in the text instead. */
interface EditMisfit {
  problem: string;
  excerpt?: string;
}

/**
 * Hunks are made all or none. Of several exact replacements those that fit are made, and `left` says which are not, so that
 * nobody sends the others again.
 */
export function editText(text: string, edits: readonly FileEdit[]): { text: string; left?: EditMisfit[] } | EditMisfit {
  if (edits.some((edit) => edit.place)) {
    const outcome = applyHunks(text, edits);
    if (!("problem" in outcome)) return { text: outcome.text };
    const { hunk, problem, ...rest } = outcome;
    return { problem: `Hunk ${hunk} does not fit: ${problem}.`, ...rest };
  }
  let current = text;
  const left: EditMisfit[] = [];
  const made: { number: number; before: string }[] = [];
  // An edit that changes nothing spoils no other one, but alone it is a mistake.
  const changing = edits.some((edit) => edit.old !== edit.new);
  for (const [index, edit] of edits.entries()) {
    if (changing && edit.old === edit.new) continue;
    const outcome = applyReplacement(current, edit);
    if ("problem" in outcome) {
      const changer = made.findLast(({ before }) => occurs(before, edit));
      const misfit = outcome.problem === "missing" && changer ? overtaken(changer.number) : explain(outcome);
      left.push(edits.length > 1 ? { ...misfit, problem: `Edit ${index + 1}: ${misfit.problem}` } : misfit);
    } else {
      made.push({ number: index + 1, before: current });
      current = outcome.text;
    }
  }
  const [first, ...others] = left;
  if (!first) return { text: current };
  if (current !== text) return { text: current, left };
  return { ...first, problem: [first, ...others].map(({ problem }) => problem).join(" ") };
}

const occurs = (text: string, edit: TextEdit): boolean => {
  const outcome = applyReplacement(text, edit);
  return !("problem" in outcome) || outcome.problem === "ambiguous";
};

const overtaken = (number: number): EditMisfit => ({
  problem: `Edit ${number} of this call changed its old text; give the text as that edit leaves it.`,
});

function explain(problem: EditProblem): EditMisfit {
  switch (problem.problem) {
    case "same":
      return { problem: "The old and the new text do not differ." };
    case "empty":
      return { problem: "The old text is empty, though the file is not; give the text to replace." };
    case "ambiguous":
      return { problem: ambiguous(problem.count, problem.lines) };
    case "missing":
      return problem.near
        ? nearest(problem.near)
        : { problem: "The old text does not occur, nor anything like it; read the file again." };
  }
}

function ambiguous(count: number, lines: readonly number[]): string {
  const shown = `${lines.join(", ")}${count > lines.length ? ", …" : ""}`;
  return `The old text occurs ${count} times (lines ${shown}); add lines around it until it is unique, or replace all.`;
}

const mostWords = 5;

/** Words of the text that was looked for which the line has not: of the file's own words none stand in the sentence. */
function otherWords({ wanted, found }: { wanted: string; found: string }): string {
  const there = new Set(found.match(/\w+|[^\w\s]/g));
  const words = (wanted.match(/\w+|[^\w\s]/g) ?? []).filter((word) => !there.has(word));
  if (words.length === 0 || words.length > mostWords) return "";
  return `, which has no ${words.map((word) => JSON.stringify(word)).join(", ")}`;
}

function blankLine(blank: NonNullable<NearMiss["blank"]>): string {
  if ("lacks" in blank) return `: your text lacks the blank line ${blank.lacks}`;
  const place = blank.tooManyAfter === 0 ? "at the top" : `after line ${blank.tooManyAfter}`;
  return `: your text has a blank line ${place} that is not there`;
}

const shownBytes = 800;

function nearest(near: NearMiss): EditMisfit {
  const lines = near.from === near.to ? `line ${near.from}` : `lines ${near.from}-${near.to}`;
  const blank = near.blank && !near.first ? blankLine(near.blank) : "";
  const first = near.first ? `, first in line ${near.first.line}${otherWords(near.first)}` : "";
  const { head, tail, left } = headTail(near.text, shownBytes, shownBytes);
  return {
    problem: `The old text does not occur. Closest is ${lines}, shown below; what differs is ${near.differs.join(", ")}${first}${blank}.`,
    excerpt: left > 0 ? `${head}\n[… ${left} bytes left out …]\n${tail}` : head,
  };
}
