// Draws names as squatters make them from names that people know. The rules of src/guard/supply are not tuned on these.

type Draw = (below: number) => number;
/** Undefined where the name cannot be made so. */
type Making = (name: string, draw: Draw) => string | undefined;

const pick = <Item>(items: readonly Item[], draw: Draw): Item | undefined => items[draw(items.length)];
const placesOf = (name: string, form: RegExp): number[] => [...name.matchAll(form)].map(({ index }) => index);
const put = (name: string, at: number, length: number, text: string): string =>
  name.slice(0, at) + text + name.slice(at + length);
const letters = "abcdefghijklmnopqrstuvwxyz";
const beside: Readonly<Record<string, string>> = {
  ...{
    a: "sq",
    b: "vn",
    c: "xv",
    d: "sf",
    e: "wr",
    f: "dg",
    g: "fh",
    h: "gj",
    i: "uo",
    j: "hk",
    k: "jl",
    l: "k",
    m: "n",
  },
  ...{
    n: "bm",
    o: "ip",
    p: "o",
    q: "w",
    r: "et",
    s: "ad",
    t: "ry",
    u: "yi",
    v: "cb",
    w: "qe",
    x: "zc",
    y: "tu",
    z: "x",
  },
};

function transposed(name: string, from: readonly number[], draw: Draw): string | undefined {
  const at = pick(from, draw);
  return at === undefined ? undefined : put(name, at, 2, (name[at + 1] ?? "") + (name[at] ?? ""));
}

const joints = (name: string): number[] => placesOf(name, /(?<=[a-z])-(?=[a-z])/g);
const inner = (name: string): number[] => placesOf(name, /(?<=[a-z]{2})(?=[a-z]{2})/g);

export const makings: Readonly<Record<string, Making>> = {
  "first letters transposed": (name) =>
    /^([a-z])(?!\1)[a-z]/.test(name) ? put(name, 0, 2, (name[1] ?? "") + (name[0] ?? "")) : undefined,
  "inner letters transposed": (name, draw) =>
    transposed(name, placesOf(name, /(?<=[a-z])([a-z])(?=(?!\1)[a-z])/g), draw),
  "digit behind": (name, draw) => (/[a-z]$/.test(name) ? `${name}${1 + draw(9)}` : undefined),
  "s for z": (name, draw) => {
    const at = pick(placesOf(name, /[sz]/g), draw);
    return at === undefined ? undefined : put(name, at, 1, name[at] === "s" ? "z" : "s");
  },
  "hyphen added": (name, draw) => {
    const at = name.startsWith("@") ? undefined : pick(inner(name), draw);
    return at === undefined ? undefined : put(name, at, 0, "-");
  },
  "hyphen removed": (name, draw) => {
    const at = pick(joints(name), draw);
    return at === undefined ? undefined : put(name, at, 1, "");
  },
  "hyphen moved": (name, draw) => {
    const at = pick(joints(name), draw);
    return at === undefined ? undefined : put(name, at, 2, `${name[at + 1] ?? ""}-`).replace(/-$/, "");
  },
  "hyphen changed": (name, draw) => {
    const at = pick(joints(name), draw);
    return at === undefined ? undefined : put(name, at, 1, pick([".", "_"], draw) ?? "");
  },
  "letter doubled": (name, draw) => {
    const at = pick(placesOf(name, /[a-z]/g), draw);
    return at === undefined ? undefined : put(name, at, 0, name[at] ?? "");
  },
  "letter of two lost": (name, draw) => {
    const at = pick(placesOf(name, /([a-z])(?=\1)/g), draw);
    return at === undefined ? undefined : put(name, at, 1, "");
  },
  "vowel for vowel": (name, draw) => {
    const at = pick(placesOf(name, /[aeiou]/g), draw);
    const other = pick(
      [..."aeiou"].filter((vowel) => vowel !== name[at ?? 0]),
      draw,
    );
    return at === undefined ? undefined : put(name, at, 1, other ?? "");
  },
  "scope flattened": (name, draw) => {
    const parts = /^@([^/]+)\/(.+)$/.exec(name);
    return parts ? pick([`@${parts[1]}-${parts[2]}`, `${parts[1]}-${parts[2]}`], draw) : undefined;
  },
  "scope misspelt": (name, draw) => {
    const parts = /^@([^/]+)(\/.+)$/.exec(name);
    const made = parts
      ? makings[pick(["inner letters transposed", "letter doubled", "letter lost"], draw) ?? ""]
      : undefined;
    const scope = made?.(parts?.[1] ?? "", draw);
    return scope === undefined ? undefined : `@${scope}${parts?.[2] ?? ""}`;
  },
  "js added": (name, draw) => (/js$/.test(name) ? undefined : `${name}${pick(["js", "-js", ".js"], draw) ?? ""}`),
  "digit for a letter": (name, draw) => {
    const at = pick(placesOf(name, /[oli]/g), draw);
    return at === undefined ? undefined : put(name, at, 1, name[at] === "o" ? "0" : "1");
  },
  "letter lost": (name, draw) => {
    const at = pick(placesOf(name, /(?<=[a-z])[a-z]/g), draw);
    return at === undefined ? undefined : put(name, at, 1, "");
  },
  "letter too many": (name, draw) => {
    const at = pick(placesOf(name, /(?<=[a-z])[a-z]/g), draw);
    return at === undefined ? undefined : put(name, at, 0, letters[draw(26)] ?? "");
  },
  "key beside": (name, draw) => {
    const at = pick(placesOf(name, /[a-z]/g), draw);
    return at === undefined ? undefined : put(name, at, 1, pick([...(beside[name[at] ?? ""] ?? "")], draw) ?? "");
  },
  "words swapped": (name) => {
    const words = name.split("-");
    return name.startsWith("@") || words.length !== 2 ? undefined : words.toReversed().join("-");
  },
};

/** One name of each making that the name allows. */
export function squatsOf(name: string, draw: Draw): { making: string; name: string }[] {
  return Object.entries(makings).flatMap(([making, make]) => {
    const made = make(name, draw);
    return made === undefined || made === name || made === "" ? [] : [{ making, name: made }];
  });
}

/** Numbers that look random and are the same each time. */
export function drawsFrom(seed: number): Draw {
  let state = seed >>> 0 || 1;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % Math.max(1, below);
  };
}
