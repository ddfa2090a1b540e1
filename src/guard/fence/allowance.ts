// Which paths a grant covers: exactly those of the assessed effects.
import path from "node:path";
import type { Assessment } from "../../protocol/effect.ts";
import { classifyPath, within } from "../command-line/context/sensitive.ts";
import { GrantError } from "../contract/grant.ts";
import type { Facts } from "../contract/ports.ts";

export class Allowance {
  readonly #facts: Facts;
  readonly #reads: ReadonlySet<string>;
  readonly #writes: ReadonlySet<string>;
  readonly #deletes: ReadonlySet<string>;

  constructor(assessment: Assessment, facts: Facts) {
    this.#facts = facts;
    const of = (kind: string) =>
      new Set(
        assessment.effects
          .filter((effect) => effect.kind === kind)
          .flatMap(({ target }) => [target, facts.path(target).real]),
      );
    this.#reads = of("read");
    this.#writes = of("write");
    this.#deletes = of("delete");
  }

  /** Real path of what a tool named. */
  resolve(given: string): string {
    return this.#facts.path(path.resolve(this.#facts.workspace, given)).real;
  }

  /** A file that is read as it is: assessed itself, or ordinary and below an assessed folder. */
  readable(given: string): string {
    const real = this.resolve(given);
    if (this.#reads.has(real)) return real;
    if (this.#writes.has(real) || this.#deletes.has(real)) return real;
    if (this.#below(real) && !this.hidden(real)) return real;
    throw refusal("read", given);
  }

  /** A folder to list or search. */
  searchable(given: string): string {
    const real = this.resolve(given);
    if (this.#below(real)) return real;
    throw refusal("search", given);
  }

  writable(given: string): string {
    const real = this.resolve(given);
    if (this.#writes.has(real)) return real;
    throw refusal("write", given);
  }

  removable(given: string): string {
    const real = this.resolve(given);
    if (this.#deletes.has(real)) return real;
    throw refusal("delete", given);
  }

  /** Sensitive, or forbidden by a rule, and not named by the effects themselves. */
  hidden(real: string): boolean {
    if (this.#reads.has(real)) return false;
    if (this.#facts.unread?.()?.(real)) return true;
    const kind = classifyPath(real, this.#facts);
    return kind !== "ordinary" && kind !== "run-later";
  }

  named(real: string): boolean {
    return this.#reads.has(real);
  }

  /** The root that a file may be changed under. */
  root(real: string): string {
    const { workspace, temporary } = this.#facts;
    if (within(real, workspace)) return workspace;
    if (within(real, temporary)) return temporary;
    // Asked about, and allowed: nothing else outside is.
    const [, shared] = /^((?:\/private|\/var)?\/tmp)\//.exec(real) ?? [];
    if (shared !== undefined && (this.#writes.has(real) || this.#deletes.has(real))) return shared;
    throw new GrantError(`${real} lies outside the workspace, where nothing is written.`);
  }

  #below(real: string): boolean {
    for (const folder of this.#reads) if (within(real, folder)) return true;
    return false;
  }
}

const refusal = (what: string, given: string) =>
  new GrantError(`The gate's decision does not cover this: ${what} ${JSON.stringify(given)}.`);
