// What the planned manifests take in now, held against the plan: names, and addresses in place of versions.
import path from "node:path";
import { membersOf } from "../../../base/json-text.ts";
import { manifestNames, manifestPackages } from "../../../guard/supply/manifests.ts";
import type { Envelope } from "../../../protocol/task.ts";

export const isManifest = (file: string): boolean => manifestNames(path.posix.basename(file));

/** `HEAD` may stand for the files as they are. */
type Texts = (revision: string, file: string) => Promise<string | undefined>;

/** The first thing that one of the manifests takes in, that it did not before, and that no plan names; as a sentence. */
export async function unplannedPackage(
  { base, plan }: Pick<Envelope, "base" | "plan">,
  files: readonly string[],
  text: Texts,
): Promise<string | undefined> {
  const planned = new Set(
    plan.dependencies.flatMap(({ name, version = "" }) => [name.toLowerCase(), version, `${name}@${version}`]),
  );
  for (const file of files.filter(isManifest)) {
    const before = takenIn(file, (await text(base.commit, file)) ?? "");
    const now = takenIn(file, (await text("HEAD", file)) ?? "");
    const fresh = [...now].find((each) => !before.has(each) && !planned.has(each.toLowerCase()) && !planned.has(each));
    if (fresh !== undefined) return `${file} takes in ${fresh}, which is not among the plan's dependencies`;
  }
  return undefined;
}

function takenIn(file: string, text: string): Set<string> {
  const listed = manifestPackages(path.posix.basename(file), text);
  const names = Array.isArray(listed) ? listed.map(({ name }) => name) : [];
  return new Set([...names, ...(path.posix.basename(file) === "package.json" ? specifiers(text) : addresses(text))]);
}

/** Versions of package.json that are no versions. */
function specifiers(text: string): string[] {
  const manifest = membersOf(text);
  const listed = ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"];
  const tables = listed.flatMap((table) => stringsIn(manifest[table]));
  const { pnpm } = manifest as { pnpm?: { overrides?: unknown } | null };
  const others = [manifest["overrides"], manifest["resolutions"], pnpm?.overrides].flatMap(stringsIn);
  // The names of aliases in the tables are known already; nobody else reads what replaces a package elsewhere.
  return [...tables.filter((value) => !value.startsWith("npm:")), ...others]
    .filter((value) => /[/:]/.test(value))
    .filter((value) => !/^(?:workspace|catalog):/.test(value));
}

function stringsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const addresses = (text: string): string[] =>
  [...text.matchAll(/(?:git\+[a-z]+|https?|ssh|git|file):\/{0,3}[^\s"',;)\]]+/g)].map(([found]) => found);
