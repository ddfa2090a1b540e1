import type { Facts } from "../../contract/ports.ts";
import type { Assessment, Risk } from "../../../protocol/effect.ts";
import type { Finding, Findings } from "./findings.ts";
import type { Scope } from "../syntax/scope.ts";
import type { Flow, Text } from "../syntax/text.ts";
import type { Row } from "../../rules/row.ts";
import type { Tag } from "../../rules/tags.ts";

/** Recursion into what a command runs, so that programs need not know the walker. */
export interface Judge {
  /** A command after expansion. */
  argv(argv: readonly Text[], at: Context): Flow;
  /** Shell source, judged with a copy of the scope unless `here` says it shares it. */
  script(source: string, at: Context, here?: boolean): Flow;
  /** The first L3 finding of shell source that is judged for that alone. */
  forbidden(source: string, at: Context): Finding | undefined;
}

/** State shared by all parts of one judgement. */
export interface Run {
  readonly facts: Facts;
  readonly findings: Findings;
  readonly judge: Judge;
  /** What the tables know of a program. */
  row(name: string): Row | undefined;
  /** Whether the layers of the sandbox make good what was found. */
  layerHolds(found: Pick<Assessment, "reasons" | "tags" | "effects">): boolean;
  /** Files written by this same command, with the origin of their content; with a `/` at its end, a whole folder. */
  readonly written: Map<string, number>;
  /** The text of files written by this same command, where all of it is known. */
  readonly contents: Map<string, string>;
  /** Symbolic links made by this same command, and where each leads. */
  readonly links: Map<string, string>;
  /** Names beginning with a dash that a listing printed. */
  readonly dashed: Set<string>;
  /** Commands still allowed to be looked at; a command that needs more is called unparseable. */
  budget: number;
}

export interface Context {
  readonly run: Run;
  readonly scope: Scope;
  /** Source text of the segment, as a person would recognise it. */
  readonly part: string;
  /** How deep in wrappers, functions and nested scripts. */
  readonly depth: number;
  /** The text of a command that is all of a substitution, and whose output nothing beside it can change. */
  readonly listing?: string | undefined;
  /** It runs beside the other commands of a pipeline. */
  readonly beside?: boolean;
  /** The program that starts this command, when it is not the shell itself. */
  readonly inside?: string;
}

export type Handler = (argv: readonly Text[], at: Context) => Flow;

/** Key of `Run.written` for files of names that are not known. */
export const anyFile = "*";

/** Where the content of a file came from, when this command wrote it. */
export function originOf(file: string, at: Context): number {
  const { written } = at.run;
  const known = written.get(file) ?? written.get(anyFile);
  if (known !== undefined || written.size === 0) return known ?? 0;
  for (const [path, from] of written) if (path.endsWith("/") && file.startsWith(path)) return from;
  return 0;
}

export const deepest = 12;

export const find = (at: Context, finding: Finding): void => at.run.findings.add(at.part, finding);

export function note(
  at: Context,
  risk: Risk,
  code: string,
  ...[text, tag]: [text: string, tag?: Tag | undefined]
): void {
  find(at, tag ? { code, risk, text, tag } : { code, risk, text });
}

export const deeper = (at: Context, change: Partial<Context> = {}): Context => ({
  ...at,
  depth: at.depth + 1,
  ...change,
});
