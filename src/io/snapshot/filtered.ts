// What a filter made of a file when it was added is not that file's content. Which attributes were in force at that time
// cannot be known afterwards, as they may have been changed or deleted since; which filters a person has can.
import { accessSync, constants, lstatSync } from "node:fs";
import { hasCode, withFallback } from "../../base/fallback.ts";
import { runGit } from "../git/git.ts";
import { configured, type Repository } from "./converted.ts";
import { type IndexEntry, modeOf, objectOf, sizeOf } from "./index-entries.ts";
import { type RawPath, rawBytes } from "./raw-path.ts";

type Size = "any" | "pointer" | "none";

/** git-crypt always adds to the size. git-lfs keeps a pointer of 100 to 200 bytes, or more with extensions. */
const known: [RegExp, Size][] = [
  [/^"?git[- ]crypt\b/, "none"],
  [/^git[- ]lfs\b/, "pointer"],
];
const longestPointer = 1024;
const shortestPointer = 100;

/** Leaves out the entries whose file a filter of the person may have converted without changing its size, and did. */
export async function withoutFiltered(repository: Repository, entries: readonly IndexEntry[]): Promise<IndexEntry[]> {
  const sizes = new Set(await convertedSizes(repository));
  const inDoubt = (entry: IndexEntry): boolean => {
    const size = sizeOf(entry);
    if ((modeOf(entry) & kinds) !== regular || size === 0) return false;
    return sizes.has("any") || (sizes.has("pointer") && size >= shortestPointer && size <= longestPointer);
  };
  const doubtful = entries.filter(inDoubt);
  if (doubtful.length === 0) return [...entries];
  const same = await asOnDisk(repository, doubtful);
  return entries.filter((entry) => !inDoubt(entry) || same.has(entry));
}

const kinds = 0o170000;
const regular = 0o100000;

/** Of which files each filter that is configured keeps the size. */
async function convertedSizes(repository: Repository): Promise<Size[]> {
  const question = ["--get-regexp", "^filter\\..*\\.(clean|smudge|process)$"];
  const commands = await configured(repository, /\[\s*filter|filter\./i, question);
  return commands.map((each) => {
    const command = each.slice(each.indexOf("\n") + 1).trim();
    return known.find(([pattern]) => pattern.test(command))?.[1] ?? "any";
  });
}

/** Those whose file has the content that the index names. */
async function asOnDisk({ top }: Repository, entries: readonly IndexEntry[]): Promise<Set<IndexEntry>> {
  // git takes a line that begins with a quotation mark for an escaped name, and stops at a file that it cannot read.
  const plain = entries.filter(({ name }) => !name.startsWith('"') && !name.includes("\n") && isReadable(top, name));
  const input = Buffer.concat(plain.map(({ name }) => rawBytes(`${name}\n`)));
  const { out } = await runGit(["hash-object", "--no-filters", "--stdin-paths"], { cwd: top, input });
  const objects = out.toString("latin1").split("\n");
  return new Set(plain.filter((entry, at) => objects[at] === objectOf(entry)));
}

function isReadable(top: string, name: RawPath): boolean {
  const file = Buffer.concat([Buffer.from(`${top}/`), rawBytes(name)]);
  const missing = hasCode("ENOENT", "ENOTDIR", "EACCES", "ELOOP");
  return withFallback(false, missing, () => {
    accessSync(file, constants.R_OK);
    return lstatSync(file).isFile();
  });
}
