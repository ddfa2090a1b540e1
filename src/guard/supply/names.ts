// Whether a package's name is one that is known, resembles one, or is new to us. Asks nobody.
import { packageNames } from "../../io/package-names.ts";
import { Kin } from "./kin.ts";
import { Neighbours } from "./neighbours.ts";
import { popularNames } from "./popular.ts";
import { canonical, type Ecosystem } from "./spelling.ts";

interface NameVerdict {
  /** It resembles a well-known name and is none itself. */
  flagged: boolean;
  why: "" | "unknown" | "typosquat";
  near: string;
}

interface Book {
  known: ReadonlySet<string>;
  popular: Neighbours;
  kin: Kin;
}

/** More of the most used packages, as text beside the program. */
const mostUsed = (ecosystem: Ecosystem): string[] =>
  ecosystem === "npm" || ecosystem === "pypi" ? packageNames(`used-${ecosystem}`) : [];

const books = new Map<Ecosystem, Book>();

/** Opened when the first name of the ecosystem is asked for. */
function bookOf(ecosystem: Ecosystem): Book {
  const open = books.get(ecosystem);
  if (open) return open;
  const popular = popularNames[ecosystem].split(/\s+/).filter(Boolean);
  const used = new Set(mostUsed(ecosystem).map((name) => canonical(ecosystem, name)));
  for (const name of popular) used.add(canonical(ecosystem, name));
  const known = new Set([...packageNames(ecosystem), ...used]);
  // The interpreter, which manifests list beside packages.
  if (ecosystem === "pypi") known.add("python");
  const book = { known, popular: new Neighbours(ecosystem, popular), kin: new Kin(ecosystem, known, used) };
  books.set(ecosystem, book);
  return book;
}

/** No registry takes a longer one; who resembles nothing needs no comparison. */
const longestName = 256;

export function checkName(ecosystem: Ecosystem | undefined, name: string): NameVerdict {
  if (ecosystem === undefined) return { flagged: false, why: "unknown", near: "" };
  const { known, popular, kin } = bookOf(ecosystem);
  const plain = canonical(ecosystem, name);
  if (isKnown(ecosystem, plain, known)) return { flagged: false, why: "", near: "" };
  const near = plain.length > longestName ? undefined : (popular.near(plain) ?? kin.near(plain));
  return near === undefined ? { flagged: false, why: "unknown", near: "" } : { flagged: true, why: "typosquat", near };
}

/** Packages of a well-known owner are that owner's: a scope of npm, a folder of Go's host, a group of Maven. */
function isKnown(ecosystem: Ecosystem, name: string, known: ReadonlySet<string>): boolean {
  if (known.has(name)) return true;
  if (ecosystem === "npm" && name.startsWith("@")) return ownersOf(ecosystem, known).has(name.split("/")[0] ?? "");
  if (ecosystem === "maven") {
    const [group = "", artifact = ""] = name.split(":");
    const groups = ownersOf(ecosystem, known);
    // Where a well-known artifact stands in another group, the group decides.
    const famous = artifactsOf(known);
    return groups.has(group) || (known.has(artifact) && !famous.has(artifact));
  }
  return false;
}

const owners = new Map<Ecosystem, ReadonlySet<string>>();

function ownersOf(ecosystem: Ecosystem, known: ReadonlySet<string>): ReadonlySet<string> {
  const found = owners.get(ecosystem) ?? new Set([...known].flatMap((name) => /^(.+?)[/:]/.exec(name)?.[1] ?? []));
  owners.set(ecosystem, found);
  return found;
}

let artifacts: ReadonlySet<string> | undefined;

function artifactsOf(known: ReadonlySet<string>): ReadonlySet<string> {
  artifacts ??= new Set([...known].flatMap((name) => (name.includes(":") ? [name.slice(name.indexOf(":") + 1)] : [])));
  return artifacts;
}
