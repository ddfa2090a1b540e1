import { dart } from "./dart.ts";
import { go } from "./go.ts";
import { java } from "./java.ts";
import { node } from "./node.ts";
import { docker, generic } from "./others.ts";
import type { Look, StackProfile } from "./profile.ts";
import { python } from "./python.ts";
import { rust } from "./rust.ts";

/** In the order in which equals are preferred. */
export const profiles: readonly StackProfile[] = [node, python, java, go, rust, dart, docker, generic];

const called: Readonly<Record<string, string>> = {
  "node.js": "node",
  nodejs: "node",
  typescript: "node",
  javascript: "node",
  react: "node",
  kotlin: "java",
  golang: "go",
  flutter: "dart",
  py: "python",
  dockerfile: "docker",
};

/** By its name, or by what a model calls it. */
export function profileOf(name: string): StackProfile | undefined {
  const plain = name.trim().toLowerCase();
  return profiles.find((profile) => profile.name === (called[plain] ?? plain));
}

export const stacksOf = (files: readonly string[]): string[] =>
  profiles.filter((profile) => files.some((file) => profile.files.test(file))).map(({ name }) => name);

/** The profile that a file belongs to. */
export const profileFor = (path: string): StackProfile | undefined =>
  profiles.find(({ extensions }) => extensions.some((extension) => path.endsWith(extension))) ??
  (/\.(?:sh|bash)$/.test(path) ? generic : undefined);

export const dependencyFolders: readonly string[] = profiles.flatMap((profile) => profile.dependencyFolders);
export const buildFolders: readonly string[] = [...new Set(profiles.flatMap((profile) => profile.buildFolders))];

/** A path that an install fills. */
export const isInstalled = (file: string): boolean =>
  dependencyFolders.some((folder) => file === `${folder}/` || `/${file}`.includes(`/${folder}/`));

const lockNames: ReadonlySet<string> = new Set(profiles.flatMap(({ lockfiles }) => lockfiles));
export const isLockfile = (path: string): boolean => lockNames.has(path.split("/").at(-1) ?? "");

export const isLeftover = (path: string): boolean => profiles.some(({ leftovers }) => leftovers?.test(path));

const manifests: ReadonlySet<string> = new Set(profiles.flatMap((profile) => profile.manifests));
const mostRead = 40;

/** Manifests are read at any depth, those nearest to the top first. */
export async function lookAt(files: readonly string[], text: Look["text"], testCommand?: string): Promise<Look> {
  const known = new Map<string, string>();
  const depth = (path: string) => path.split("/").length;
  const wanted = files
    .filter((path) => manifests.has(path.split("/").at(-1) ?? "") && !path.includes("node_modules/"))
    .toSorted((left, right) => depth(left) - depth(right))
    .slice(0, mostRead);
  for (const name of wanted) {
    const found = await text(name);
    if (found !== undefined) known.set(name, found);
  }
  return { files, text, known, ...(testCommand !== undefined && { testCommand }) };
}
