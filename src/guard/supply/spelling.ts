// The spellings of a package's name that its registry, or a hurried eye, takes for the same.
import { entryOf } from "../../base/entry.ts";

export const ecosystems = ["npm", "pypi", "crates", "go", "maven"] as const;
export type Ecosystem = (typeof ecosystems)[number];

const otherNames: Readonly<Record<string, Ecosystem>> = {
  node: "npm",
  nodejs: "npm",
  javascript: "npm",
  python: "pypi",
  pip: "pypi",
  rust: "crates",
  cargo: "crates",
  "crates.io": "crates",
  golang: "go",
  gomod: "go",
  java: "maven",
};

/** By any of its common names; undefined for one that is not known here. */
export function ecosystemOf(name: string): Ecosystem | undefined {
  const lower = name.toLowerCase();
  return ecosystems.find((one) => one === lower) ?? entryOf(otherNames, lower);
}

/** What the registry itself makes of a name; Go's and Maven's paths become words joined by dashes. */
export function canonical(ecosystem: Ecosystem, name: string): string {
  const lower = name.trim().toLowerCase();
  switch (ecosystem) {
    case "npm":
      return lower;
    case "pypi":
    case "crates":
      return lower.replace(/[-_.]+/g, "-");
    case "go":
      return lower
        .replace(/^(?:www\.)?(github|gitlab|bitbucket)\.(?:com|org)\//, "$1/")
        .replace(/^golang\.org\/x\//, "golang/x/")
        .replace(/^google\.golang\.org\//, "google/")
        .replace(/^gopkg\.in\/(.*?)(?:\.v\d+)?$/, "gopkg/$1")
        .replace(/\/v\d+$/, "")
        .replace(/[/._]+/g, "-");
    case "maven":
      return lower;
  }
}

const lookAlikes: readonly (readonly [RegExp, string])[] = [
  [/[\u0430\u00e0-\u00e5\u0251]/g, "a"],
  [/[\u0435\u00e8-\u00eb]/g, "e"],
  [/[\u0456\u00ec-\u00ef\u0131]/g, "i"],
  [/[\u043e\u00f2-\u00f6\u03bf]/g, "o"],
  [/[\u0440]/g, "p"],
  [/[\u0441]/g, "c"],
  [/[\u0445]/g, "x"],
  [/[\u0443]/g, "y"],
  [/[\u0455]/g, "s"],
  [/0(?=[a-z])/g, "o"],
  [/[1|](?=[a-z])/g, "l"],
  [/5(?=[a-z])/g, "s"],
  [/(?<=[a-z])3(?=[a-z])/g, "e"],
  [/rn/g, "m"],
  [/vv/g, "w"],
];

/** The same for names that look the same. */
export const looks = (name: string): string =>
  lookAlikes.reduce((text, [from, to]) => text.replace(from, to), name.toLowerCase());

export const withoutSeparators = (name: string): string => name.replace(/[-_./@:]/g, "");
export const withoutDoubles = (name: string): string => name.replace(/(.)\1+/g, "$1");
export const wordsOf = (name: string): string[] => name.split(/[-_./@:]+/).filter(Boolean);
