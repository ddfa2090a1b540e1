// Finds the well-known name that a name imitates: mistyped, dressed up, spelled alike, or its words put another way.
import { editDistance } from "../../base/edit-distance.ts";
import { canonical, type Ecosystem, looks, withoutDoubles, withoutSeparators, wordsOf } from "./spelling.ts";

/** What squatters put around a name. Words that honest packages carry too (`-cli`, `-utils`, `-plugin`) are not here. */
const dress: Readonly<Record<Ecosystem, { before: RegExp; after: RegExp }>> = {
  npm: {
    before: /^(?:node(?![-_.])|nodejs[-_.]?|npm[-_.]|js[-_.]|the[-_.]|real[-_.]|official[-_.])/,
    after:
      /(?:[-_.]?js|[-_.]?npm|node(?<![-_.]node)|[-_.]nodejs|\.dll|[-_.]official|[-_.]latest|[-_.]fixed|[-_.]fix|[-_.]safe|[-_.]secure|[-_.]updated?|[-_.]original|[-_.]real|[-_.]patched|[-_.]lib)$/,
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
    if (this.#ecosystem === "maven") return this.#nearCoordinates(name);
    const found =
      this.#ofOwner(name) ??
      this.#spelledAlike(name) ??
      this.#mistyped(name) ??
      this.#reordered(name) ??
      this.#dressed(name) ??
      this.#scoped(name);
    return found === undefined ? undefined : (this.#given.get(found) ?? found);
  }

  /** Go's paths: `boltdb-go/bolt` for `boltdb/bolt`. */
  #ofOwner(name: string): string | undefined {
    if (this.#ecosystem !== "go") return undefined;
    const bare = withoutGo(name);
    for (const near of this.#given.keys()) if (near !== name && withoutGo(near) === bare) return near;
    return undefined;
  }

  /** Maven: a well-known artifact in a group that looks like its own. */
  #nearCoordinates(name: string): string | undefined {
    const [group = "", artifact = ""] = name.split(":");
    for (const near of this.#given.keys()) {
      const [ownGroup = "", own = ""] = near.split(":");
      const groupAlike = group === ownGroup || isAlikeGroup(group, ownGroup);
      if (near !== name && groupAlike && (artifact === own || isSlip(artifact, own))) return near;
    }
    return undefined;
  }

  /** Separators, doubled letters and letters that look the same apart. */
  #spelledAlike(name: string): string | undefined {
    const bare = withoutSeparators(name);
    for (const form of forms(name)) {
      const found = this.#alike.get(form);
      if (found !== undefined && found !== name && withoutSeparators(found).length >= (form === bare ? 7 : shortest))
        return found;
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
    const end = name.replace(after, "");
    const start = name.replace(before, "");
    const bares = [end, start, start.replace(after, "")].filter((bare) => bare !== name);
    for (const bare of bares)
      if ((bare.length >= shortest || name.endsWith(".js")) && this.#given.has(bare)) return bare;
    // Dressed up and mistyped as well.
    for (const bare of bares) {
      const found = bare.length >= 6 ? this.#mistyped(bare) : undefined;
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
      if (scope !== known && known.length >= 5 && editDistance(scope, known, 1) === 1)
        return rest === "" ? near : `${known}/${rest}`;
    }
    return undefined;
  }
}

const withoutGo = (name: string): string =>
  wordsOf(name)
    .filter((word) => word !== "go")
    .join(" ");

/** Another top-level word (`org` for `com`), or a slip in one word. */
function isAlikeGroup(group: string, own: string): boolean {
  const left = wordsOf(group);
  const right = wordsOf(own);
  if (left.length !== right.length) return false;
  if (left.length > 2 && left.slice(1).join(" ") === right.slice(1).join(" ")) return true;
  return isSlip(group, own);
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
  if (left.length === 1 && right.length === 1) return isSlipOfWord(name, near);
  // A separator more or less is a spelling of its own (`forms`).
  if (left.length !== right.length) return false;
  const different = left.flatMap((word, at) => (word === right[at] ? [] : [[word, right[at] ?? ""] as const]));
  const [only] = different;
  // The other words say already which package is meant.
  return different.length === 1 && only !== undefined && isSlipOfWord(...only, 4);
}

function isSlipOfWord(word: string, near: string, least = 5): boolean {
  if (word === near || Math.min(word.length, near.length) < least) return false;
  // Versions and numbered kin: `vue2`, `md5` and `md4`.
  if (word.replace(/\d+/g, "#") === near.replace(/\d+/g, "#") || word === near.replace(/\d+$/, "")) return false;
  if (/\d$/.test(word) && word.replace(/\d+$/, "") === near) return false;
  const most = near.length >= 9 && word.length >= 9 ? 2 : 1;
  if (editDistance(word, near, most) > most) return false;
  return Math.min(word.length, near.length) > 6 || isFinger(word, near);
}

const keyboard = ["1234567890", "qwertyuiop", "asdfghjkl", "zxcvbnm"];

function isNeighbourKey(left: string, right: string): boolean {
  const row = keyboard.findIndex((keys) => keys.includes(left));
  const other = keyboard.findIndex((keys) => keys.includes(right));
  if (row < 0 || other < 0 || Math.abs(row - other) > 1) return false;
  return Math.abs((keyboard[row] ?? "").indexOf(left) - (keyboard[other] ?? "").indexOf(right)) <= 1;
}

/** Short words have honest neighbours: only what fingers do counts. Swapped, doubled, left out, the key beside. */
function isFinger(word: string, near: string): boolean {
  if (word[0] !== near[0]) return false;
  let at = 0;
  while (at < word.length && word[at] === near[at]) at++;
  if (word.length === near.length) {
    const swapped = word[at] === near[at + 1] && word[at + 1] === near[at];
    return swapped || (word.slice(at + 1) === near.slice(at + 1) && isNeighbourKey(word[at] ?? "", near[at] ?? ""));
  }
  if (word.length < near.length) return at < near.length;
  return word[at] === word[at - 1] || isNeighbourKey(word[at] ?? "", word[at - 1] ?? "");
}
