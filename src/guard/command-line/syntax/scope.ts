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
  /** Made anew by each definition: copies of a scope, of which a call makes many, share it. */
  functions: ReadonlyMap<string, Body[]>;
  /** Variables whose every new value bash evaluates as a number, its own and those of `declare -i`. */
  integers: Set<string>;
  /** Arrays whose index is any text (`declare -A`). */
  associative: Set<string>;
  /** Variables that may keep what they hold, whatever is assigned (`readonly`). */
  fixed: Set<string>;
  /** Folders the shell may be in; empty when unknown. */
  folders: string[];
  /** Where the last `cd` leads if it succeeds; empty when that is not one folder. */
  arrived: readonly string[] = [];
  stdin: Flow = nothing;
  /** False where a command may or may not run. Who judges such a part says so afterwards (`mayBe`). */
  certain = true;
  /** Functions being judged, to stop recursion. */
  calls: readonly string[] = [];

  constructor(facts: Facts | undefined, from?: Scope) {
    this.variables = new Map(from?.variables);
    this.functions = from?.functions ?? new Map();
    this.integers = new Set(from?.integers ?? ownIntegers);
    this.associative = new Set(from?.associative ?? [""]);
    this.fixed = new Set(from?.fixed);
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
      this.set("TMPDIR", [literal(facts.privateTmp === true ? "/tmp" : facts.temporary)]);
      this.set("IFS", [literal(" \t\n")]);
    }
  }

  fork(): Scope {
    return new Scope(undefined, this);
  }

  set(name: string, value: Value): void {
    if (this.fixed.has(name)) this.add(name, value);
    else this.variables.set(name, [value]);
  }

  /** One value more that it may have. */
  add(name: string, value: Value): void {
    this.variables.set(name, allOf([this.variables.get(name), [value]]));
  }

  /** What is known at this moment; later assignments do not change it. */
  state(): Scope {
    const kept = this.fork();
    kept.arrived = this.arrived;
    return kept;
  }

  restore(state: Scope): void {
    const { variables, functions, integers, associative, fixed, folders, arrived } = state.fork();
    Object.assign(this, { variables, functions, integers, associative, fixed, folders, arrived });
    this.arrived = state.arrived;
  }

  /** What was done since then may not have been done. */
  mayBe(before: Scope): void {
    this.oneOf([before, this.state()]);
  }

  /** Does each of these from what stands now, and leaves what any of them leaves; `skipped`: perhaps none is done. */
  either<T>(ways: readonly (() => T)[], skipped: boolean): T[] {
    const start = this.state();
    const ends = skipped ? [start] : [];
    const found = ways.map((way) => {
      this.restore(start);
      const result = way();
      ends.push(this.state());
      return result;
    });
    if (ends.length > 0) this.oneOf(ends);
    return found;
  }

  /** One of these is what stands now. */
  oneOf(states: readonly Scope[]): void {
    const keys = (held: (state: Scope) => Iterable<string>) => new Set(states.flatMap((state) => [...held(state)]));
    const variables = new Map<string, Value[]>();
    for (const name of keys((state) => state.variables.keys()))
      variables.set(name, allOf(states.map((state) => state.variables.get(name))));
    const functions = functionsOf(states);
    const integers = keys((state) => state.integers);
    const fixed = keys((state) => state.fixed);
    const associative = new Set([...this.associative, ...keys((state) => state.associative)]);
    for (const name of associative) if (states.some((state) => !state.associative.has(name))) associative.delete(name);
    const folders = [...keys((state) => state.folders)].slice(0, most);
    const arrived = [...keys((state) => state.arrived)];
    Object.assign(this, { variables, functions, integers, fixed, associative, folders, arrived });
  }

  define(name: string, body: Body): void {
    const doubtful = !this.certain || "alias" in body;
    this.#redefine(name, [...(this.functions.get(name) ?? []), doubtful ? { ...body, doubtful } : body]);
  }

  undefine(name: string): void {
    const bodies = this.functions.get(name);
    if (bodies)
      this.#redefine(
        name,
        bodies.map((body) => ({ ...body, doubtful: true })),
      );
  }

  #redefine(name: string, bodies: Body[]): void {
    this.functions = new Map(this.functions).set(name, bodies);
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
}

/** All values that any of these has; where one has none, it is as the environment has it. */
function allOf(lists: readonly (Value[] | undefined)[]): Value[] {
  const [first] = lists;
  if (first && lists.every((list) => list === first)) return first;
  const found: Value[] = [];
  for (const value of lists.flatMap((list) => list ?? [inherited]))
    if (!found.some((known) => same(known, value))) found.push(value);
  return found.length > most ? [[unknownText(Origin.program, { split: true })]] : found;
}

const inherited: Value = [unknownText(Origin.environment, { split: true })];

function functionsOf(states: readonly Scope[]): Scope["functions"] {
  const [first] = states;
  if (first && states.every(({ functions }) => functions === first.functions)) return first.functions;
  const names = new Set(states.flatMap(({ functions }) => [...functions.keys()]));
  return new Map([...names].map((name) => [name, bodiesOf(states.map(({ functions }) => functions.get(name) ?? []))]));
}

/** A body that is not there in all of them may not be defined. */
function bodiesOf(lists: readonly Body[][]): Body[] {
  const [first] = lists;
  if (first && lists.every((list) => list === first)) return first;
  const all = [...new Set(lists.flat())];
  return all.map((body) =>
    lists.every((list) => list.includes(body)) ? body : Object.assign(body, { doubtful: true }),
  );
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
