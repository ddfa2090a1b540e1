// The dangerous commands: the red team's and the gate's own corpora, in an order that is always the same.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export interface Dangerous {
  command: string;
  /** The corpus that it stands in. */
  corpus: string;
}

const tests = path.join(import.meta.dirname, "../../test");

function read(file: string, corpus: string): Dangerous[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => /^L[23] /.test(line))
    .map((line) => ({ command: line.slice(3).replaceAll("⏎", "\n"), corpus }));
}

const redteam = path.join(tests, "redteam/data");
const assess = path.join(tests, "guard/assess/corpus");
const digest = (text: string): string => createHash("sha256").update(text).digest("hex");

/** Each command once, ordered by its digest: the first thousand are a fair sample. */
export function dangerousCommands(): Dangerous[] {
  const names = readdirSync(redteam).filter((name) => /^(?!honest).*\.txt$/.test(name));
  const all = [
    ...names.flatMap((name) => read(path.join(redteam, name), name.replace(/\.txt$/, ""))),
    ...["forbidden", "asking"].flatMap((name) => read(path.join(assess, `${name}.txt`), `gate: ${name}`)),
  ];
  const once = new Map(all.map((each) => [each.command, each]).toReversed() as [string, Dangerous][]);
  return [...once.values()].toSorted((a, b) => (digest(a.command) < digest(b.command) ? -1 : 1));
}

const forks =
  /(?:^|[\s;{(])([\w:.]+)\s*\(\)\s*\{\s*\1\s*\||fork (?:while|\{)|\{ fork\b|os\.fork|\$0 &|(?:while|until)\s.+&[\s);]*done|for\s*\(\(;;\)\).+&\s*done/;
const memory = /stress-ng|\/dev\/zero[^|;]*&\s*done|\byes\b[^|;]*&\s*done/;

/** Why a command is never executed, not even in the control world; undefined where it is. */
export function neverRun({ command }: Dangerous): string | undefined {
  if (forks.test(command)) return "it only makes processes until the machine has no room for more";
  if (memory.test(command)) return "it only fills the machine's memory";
  return undefined;
}
