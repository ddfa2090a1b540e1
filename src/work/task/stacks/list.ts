import { node } from "./node.ts";
import type { Look, StackProfile } from "./profile.ts";
import { python } from "./python.ts";

/** In the order in which equals are preferred. */
const profiles: readonly StackProfile[] = [node, python];

export const profileOf = (name: string): StackProfile | undefined =>
  profiles.find((profile) => profile.name === name.toLowerCase());

export const stacksOf = (files: readonly string[]): string[] =>
  profiles.filter((profile) => files.some((file) => profile.files.test(file))).map(({ name }) => name);

/** The profile that a file belongs to. */
export const profileFor = (path: string): StackProfile | undefined =>
  profiles.find(({ extensions }) => extensions.some((extension) => path.endsWith(extension)));

export const dependencyFolders: readonly string[] = profiles.flatMap((profile) => profile.dependencyFolders);

const lockNames: ReadonlySet<string> = new Set(profiles.flatMap(({ lockfiles }) => lockfiles));
const otherLocks = /(?:^|\/)(?:Cargo\.lock|go\.sum|composer\.lock|Gemfile\.lock|pubspec\.lock|gradle\.lockfile)$/;
export const isLockfile = (path: string): boolean =>
  lockNames.has(path.split("/").at(-1) ?? "") || otherLocks.test(path);

export const isLeftover = (path: string): boolean => profiles.some(({ leftovers }) => leftovers?.test(path));

const read = ["package.json", "pyproject.toml"];

export async function lookAt(files: readonly string[], text: Look["text"]): Promise<Look> {
  const known = new Map<string, string>();
  for (const name of read) {
    const found = files.includes(name) ? await text(name) : undefined;
    if (found !== undefined) known.set(name, found);
  }
  return { files, text, known };
}
