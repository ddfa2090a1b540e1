// Finds the well-known name that a name imitates: mistyped, dressed up, spelled alike, or its words put another way.
import { canonical, distance, type Ecosystem, looks, withoutDoubles, withoutSeparators, wordsOf } from "./spelling.ts";

/** What squatters put around a name. Words that honest packages carry too (`-cli`, `-utils`, `-plugin`) are not here. */
const dress: Readonly<Record<Ecosystem, { before: RegExp; after: RegExp }>> = {
  npm: {
    before: /^(?:node[-_.]?|nodejs[-_.]?|npm[-_.]|js[-_.]|the[-_.]|real[-_.]|official[-_.])/,
    after:
      /(?:[-_.]?js|[-_.]?npm|[-_.]?node|[-_.]nodejs|\.dll|[-_.]official|[-_.]latest|[-_.]fixed|[-_.]fix|[-_.]safe|[-_.]secure|[-_.]updated?|[-_.]original|[-_.]real|[-_.]patched|[-_.]lib)$/,
  },
  pypi: {
    before: /^(?:python[23]?-?|py-?|pip-?|the-)/,
    after:
      /(?:-?python[23]?|-?py[23]?|-pip|-?lib|-official|-latest|-fixed|-fix|-updated?|-secure|-dev|-git|-tool|-tools|-toolkit|-sdk|-api|-v2|-v3|-new|s)$/,
  },
  crates: { before: /^(?:rust-?|rs-|cargo-)/, after: /(?:-?rs|-?rust|-lib|-official|s)$/ },
  go: { before: /^$/, after: /^$/ },
  maven: { before: /^$/, after: /^$/ },
};

const shortest = 4;

export class Neighbours {
  readonly #ecosystem: Ecosystem;
  readonly #given = new Map<string, string>();
  /** The same name in other spellings: skeleton to canonical. */
  readonly #alike = new Map<string, string>();
  readonly #bySortedWords = new Map<string, string>();
  /** Names with one letter left out: what two names within one edit share. */
  readonly #without = new Map<string, string[]>();

  constructor(ecosystem: Ecosystem, popular: readonly string[]) {
    this.#ecosystem = ecosystem;
    for (const name of popular) {
      const plain = canonical(ecosystem, name);
      this.#given.set(plain, name);
      for (const form of forms(plain)) if (!this.#alike.has(form)) this.#alike.set(form, plain);
      const words = wordsOf(plain);
      if (words.length > 1) this.#bySortedWords.set(sorted(words), plain);
      if (plain.length > shortest) {
        for (const part of deletions(plain)) {
          const list = this.#without.get(part);
          if (list) list.push(plain);
          else this.#without.set(part, [plain]);
        }
      }
    }
  }

  /** The well-known name as it is written; undefined for a name that imitates none. */
  near(name: string): string | undefined {
    const found =
      this.#spelledAlike(name) ??
      this.#mistyped(name) ??
      this.#reordered(name) ??
      this.#dressed(name) ??
      this.#scoped(name);
    return found === undefined ? undefined : (this.#given.get(found) ?? found);
  }

  /** Separators, doubled letters and letters that look the same apart. */
  #spelledAlike(name: string): string | undefined {
    for (const form of forms(name)) {
      const found = this.#alike.get(form);
      if (found !== undefined && found !== name && withoutSeparators(found).length > shortest) return found;
    }
    return undefined;
  }

  #mistyped(name: string): string | undefined {
    for (const part of [name, ...deletions(name)]) {
      for (const near of this.#without.get(part) ?? []) if (isSlip(name, near)) return near;
      if (this.#given.has(part) && isSlip(name, part)) return part;
    }
    return name.length >= 9 ? this.#mistypedTwice(name) : undefined;
  }

  #mistypedTwice(name: string): string | undefined {
    for (const near of this.#given.keys())
      if (near.length >= 9 && near[0] === name[0] && isSlip(name, near)) return near;
    return undefined;
  }

  #reordered(name: string): string | undefined {
    const words = wordsOf(name);
    if (words.length < 2 || name.length < 8 || name.startsWith("@")) return undefined;
    const found = this.#bySortedWords.get(sorted(words));
    return found === name ? undefined : found;
  }

  #dressed(name: string): string | undefined {
    const { before, after } = dress[this.#ecosystem];
    for (const bare of [
      name.replace(after, ""),
      name.replace(before, ""),
      name.replace(before, "").replace(after, ""),
    ]) {
      if (bare === name || bare.length < shortest) continue;
      const found = this.#given.has(bare) ? bare : this.#alike.get(withoutSeparators(bare));
      if (found !== undefined && found !== name) return found;
    }
    return undefined;
  }

  /** `@typs/node` for `@types/node`, `types-node` or `@types-node` for the same. */
  #scoped(name: string): string | undefined {
    if (this.#ecosystem !== "npm" || !name.startsWith("@")) return undefined;
    const [scope = "", rest = ""] = name.split("/");
    for (const near of this.#given.keys()) {
      if (!near.startsWith("@")) continue;
      const [known = ""] = near.split("/");
      if (scope !== known && known.length >= 5 && distance(scope, known, 1) === 1)
        return rest === "" ? near : `${known}/${rest}`;
    }
    return undefined;
  }
}

const forms = (name: string): string[] => {
  const bare = withoutSeparators(name);
  return [...new Set([bare, looks(bare), withoutDoubles(bare), withoutDoubles(looks(bare))])];
};

const sorted = (words: readonly string[]): string => words.toSorted().join(" ");

function deletions(name: string): string[] {
  const found = new Set<string>();
  for (let at = 0; at < name.length; at++) found.add(name.slice(0, at) + name.slice(at + 1));
  return [...found];
}

/**
 * A slip of the fingers, not another word: one edit in a word of five letters, two in one of nine; in names of several
 * words exactly one word differs.
 */
function isSlip(name: string, near: string): boolean {
  const left = wordsOf(name);
  const right = wordsOf(near);
  if (left.length !== right.length || left.length === 1) return isSlipOfWord(name, near);
  const different = left.flatMap((word, at) => (word === right[at] ? [] : [[word, right[at] ?? ""] as const]));
  const [only] = different;
  return different.length === 1 && only !== undefined && isSlipOfWord(...only);
}

function isSlipOfWord(word: string, near: string): boolean {
  if (word === near || near.length < 5) return false;
  // Versions and numbered kin: `vue2`, `md5` and `md4`.
  if (word.replace(/\d+/g, "#") === near.replace(/\d+/g, "#") || word === near.replace(/\d+$/, "")) return false;
  if (/\d$/.test(word) && word.replace(/\d+$/, "") === near) return false;
  const most = near.length >= 9 && word.length >= 9 ? 2 : 1;
  return distance(word, near, most) <= most;
}
