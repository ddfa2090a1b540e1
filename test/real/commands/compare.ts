// What was judged against what was seen.
import path from "node:path";
import type { Assessment } from "../../../src/protocol/effect.ts";
import type { Seen } from "./outer.ts";
import { hiddenWords } from "./planted.ts";

export interface Finding {
  kind: "started" | "wrote" | "read";
  what: string;
}

/** A target of an effect covers itself, what lies below it, and the folders that had to be made for it. */
function covers(target: string, at: string, base: string): boolean {
  // What is not known beforehand: any name of that folder, or any text within a name.
  const known = target.replace(/\/…$/, "");
  if (at === known || (known !== target && path.dirname(at) === known)) return true;
  if (path.matchesGlob(at, target.replaceAll("…", "*"))) return true;
  const tooWide = [base, path.join(base, "w"), path.join(base, "home")].includes(known) && known === target;
  return (!tooWide && at.startsWith(`${known}/`)) || known.startsWith(`${at}/`);
}

const places: Readonly<Record<string, readonly string[]>> = {
  [hiddenWords.outside]: ["outside/secret.txt"],
  [hiddenWords.key]: ["home/.ssh/id_rsa"],
  [hiddenWords.home]: ["home/notes.txt"],
};

const runnable = (risk: string): boolean => risk === "L0" || risk === "L1";

/** What a command did that its judgement does not say. Only what runs unasked is looked at. */
export function difference(
  judged: Pick<Assessment, "risk" | "effects" | "reasons">,
  seen: Seen,
  base: string,
): Finding | undefined {
  if (!runnable(judged.risk)) return undefined;
  const { effects } = judged;
  // A check or a script of the project's own runs what the project says.
  if (judged.reasons.some(({ code }) => code === "check.declared" || code === "package.script")) return undefined;
  const [first] = seen.started;
  if (first !== undefined) return { kind: "started", what: first };
  const writes = effects.filter(({ kind }) => kind === "write" || kind === "delete").map(({ target }) => target);
  const ofGit = effects.some(({ kind }) => kind === "vcs");
  const unnamed = seen.changed.filter((at) => {
    if (path.basename(path.dirname(at)).startsWith("hsperfdata_") || path.basename(at).startsWith("hsperfdata_"))
      return false;
    if (ofGit && at.startsWith(path.join(base, "w/.git/"))) return false;
    return judged.risk === "L0" || !writes.some((target) => covers(target, at, base));
  });
  const [changed] = unnamed;
  if (changed !== undefined) return { kind: "wrote", what: `${path.relative(base, changed)} at ${judged.risk}` };
  const reads = effects.filter(({ kind }) => kind === "read").map(({ target }) => target);
  // A pattern may match a link that leads out; the fence's sandbox shows nothing there, this one does.
  if (reads.some((target) => /[*?[…]/.test(target))) return undefined;
  const word = seen.words.find(
    (found) => !places[found]?.some((at) => reads.some((target) => target === path.join(base, at))),
  );
  return word === undefined ? undefined : { kind: "read", what: word };
}
