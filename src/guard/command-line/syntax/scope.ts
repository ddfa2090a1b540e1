import type { CompoundCommand, CompoundList, Redirected } from "unbash";
import type { Facts } from "../../contract/ports.ts";
import { type Flow, literal, nothing, type Text, unknownText, Origin } from "./text.ts";

/** The fields of a variable: one for a plain one, any number for an array. */
export type Value = readonly Text[];
export type Body = ({ node: CompoundCommand | Redirected | CompoundList; source: string } | { alias: string }) & {
  called?: boolean;
  /** May not be defined where it is called: what else goes by its name counts too. */
  doubtful?: boolean;
};

const most = 12;

/** bash's own variables that take a number: `RANDOM='a[$(x)]'` runs `x`. */
const ownIntegers =
  "RANDOM SRANDOM SECONDS LINENO HISTCMD OPTIND BASHPID EPOCHSECONDS EPOCHREALTIME PPID UID EUID".split(" ");

/** What the shell would know at one place: variables with all values they may have, functions, folder, input. */
export class Scope {
  variables: Map<string, Value[]>;
  functions: Map<string, Body[]>;
  /** Variables whose every new value bash evaluates as a number, its own and those of `declare -i`. */
  readonly integers: Set<string>;
  /** Arrays whose index is any text (`declare -A`). */
  readonly associative: Set<string>;
  /** Folders the shell may be in; empty when unknown. */
  folders: string[];
  /** Where the last `cd` leads if it succeeds; empty when that is not one folder. */
  arrived: readonly string[] = [];
  stdin: Flow = nothing;
  /** False where a command may or may not run: assignments then add a value instead of replacing it. */
  certain = true;
  /** Functions being judged, to stop recursion. */
  calls: readonly string[] = [];

  constructor(facts: Facts | undefined, from?: Scope) {
    this.variables = new Map(from?.variables);
    this.functions = new Map(from?.functions);
    this.integers = new Set(from?.integers ?? ownIntegers);
    this.associative = new Set(from?.associative ?? [""]);
    this.folders = from ? [...from.folders] : facts ? [facts.workspace] : [];
    if (from) {
      this.stdin = from.stdin;
      this.certain = from.certain;
      this.calls = from.calls;
    } else if (facts) {
      this.set("0", [literal("sh")]);
      this.set("BASH", [literal("/bin/bash")]);
      this.set("SHELL", [literal("/bin/bash")]);
      this.set("HOME", [literal(facts.home)]);
      this.set("PWD", [literal(facts.workspace)]);
      this.set("TMPDIR", [literal(facts.temporary)]);
      this.set("IFS", [literal(" \t\n")]);
    }
  }

  fork(): Scope {
    return new Scope(undefined, this);
  }

  set(name: string, value: Value): void {
    const old = this.variables.get(name);
    if (this.certain || !old) {
      this.variables.set(name, [value]);
      return;
    }
    if (old.some((known) => same(known, value))) return;
    this.variables.set(name, old.length >= most ? [[unknownText(Origin.program, { split: true })]] : [...old, value]);
  }

  define(name: string, body: Body): void {
    const doubtful = !this.certain || "alias" in body;
    this.functions.set(name, [...(this.functions.get(name) ?? []), doubtful ? { ...body, doubtful } : body]);
  }

  undefine(name: string): void {
    const bodies = this.functions.get(name);
    if (bodies)
      this.functions.set(
        name,
        bodies.map((body) => ({ ...body, doubtful: true })),
      );
  }

  /** After `cd x &&` the shell is there, or nothing more runs; answers the folders it may be in when the list is over. */
  arrive(): readonly string[] {
    const wide = this.folders;
    if (this.arrived.length === 1) this.folders = [...this.arrived];
    return wide;
  }

  widen(folders: readonly string[]): void {
    this.folders = [...new Set([...this.folders, ...folders])].slice(0, most);
  }

  /** Takes over what a branch that may have run has changed. */
  merge(branch: Scope): void {
    const certain = this.certain;
    this.certain = false;
    for (const [name, values] of branch.variables) for (const value of values) this.set(name, value);
    for (const [name, bodies] of branch.functions) this.functions.set(name, bodies);
    for (const name of branch.integers) this.integers.add(name);
    this.folders = [...new Set([...this.folders, ...branch.folders])].slice(0, most);
    this.certain = certain;
  }
}

const same = (left: Value, right: Value): boolean =>
  left.length === right.length &&
  left.every((text, index) => {
    const other = right[index];
    return (
      other !== undefined &&
      text.value === other.value &&
      text.from === other.from &&
      text.names === other.names &&
      text.numeric === other.numeric &&
      text.doubtful === other.doubtful
    );
  });
