// Finds, among all names that are known, the one that a name differs from in a way in which honest names hardly ever
// differ. What only squatters of the most used names do stands in neighbours.ts.
import { type Ecosystem, looks, withoutSeparators, wordsOf } from "./spelling.ts";
import { meantBy } from "./slips.ts";

const shortestBare = 5;

export class Kin {
  readonly #known: ReadonlySet<string>;
  readonly #used: ReadonlySet<string>;
  readonly #owners = new Set<string>();
  readonly #words = new Set<string>();
  /** Without separators, and with letters for the digits that look like them. */
  readonly #bare = new Map<string, string[]>();

  /** `used`: those of the known that are much used or well-known, so that more is taken for an imitation of them. */
  constructor(ecosystem: Ecosystem, known: ReadonlySet<string>, used: ReadonlySet<string>) {
    // Paths and coordinates have parts that many names share.
    const named = ecosystem !== "go" && ecosystem !== "maven";
    this.#known = named ? known : new Set();
    this.#used = named ? used : new Set();
    for (const name of this.#known) {
      const owner = /^@([^/]+)\//.exec(name)?.[1];
      if (owner !== undefined) this.#owners.add(owner);
      for (const word of wordsOf(name)) this.#words.add(word);
      const bare = looks(withoutSeparators(name));
      if (bare.length >= shortestBare) this.#bare.set(bare, [...(this.#bare.get(bare) ?? []), name]);
    }
  }

  readonly #tierOf = (near: string) => (this.#used.has(near) ? "popular" : this.#known.has(near) ? "known" : undefined);

  near(name: string): string | undefined {
    return meantBy(name, this.#tierOf) ?? this.#ofOwner(name) ?? this.#separated(name);
  }

  /** `@tpyes/node` for `@types/node`. */
  #ofOwner(name: string): string | undefined {
    const [, scope, rest] = /^@([^/]+)(\/.*)$/.exec(name) ?? [];
    if (scope === undefined || rest === undefined) return undefined;
    const owner = meantBy(scope, (near) => (this.#owners.has(near) ? "known" : undefined));
    return owner === undefined ? undefined : `@${owner}${rest}`;
  }

  /**
   * `ty-pedoc` for `typedoc`, `@types-node` for `@types/node`. `debug-log` is honest beside `debuglog`: its pieces are
   * words that other names have, too. So is `babel-core` beside `@babel/core`, a package that moved.
   */
  #separated(name: string): string | undefined {
    const found = this.#bare.get(looks(withoutSeparators(name)));
    if (!found) return undefined;
    if (name.startsWith("@")) return found.find((near) => near.startsWith("@"));
    const [, ...more] = wordsOf(name);
    if (more.length === 0 || wordsOf(name).every((word) => this.#words.has(word))) return undefined;
    return found.find((near) => !near.startsWith("@"));
  }
}
