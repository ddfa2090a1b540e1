// Which technology a task is about: by the words of its request, then by the files, then by asking.
import type { StackProfile } from "./profile.ts";
import { profileFor, profiles } from "./list.ts";

interface StackFound {
  stack: string;
  by: "words" | "files";
}

/** Nobody can tell: these are the ones to choose from. */
interface StackUnknown {
  ask: string[];
}

/** How much better the first must be than the second, for nobody to be asked. */
const clear = 3;

/**
 * Words decide among what is there; without files they decide alone. The word of a technology that the repository does
 * not hold counts only where there is none at all.
 */
export function detectStack(request: string, files: readonly string[]): StackFound | StackUnknown {
  const present = weigh(files);
  const named = profiles.filter(({ keywords }) => keywords.test(request));
  const both = named.filter((profile) => (present.get(profile.name) ?? 0) > 0);
  if (both.length === 1 && both[0]) return { stack: both[0].name, by: "words" };
  if (present.size === 0 && named.length === 1 && named[0]) return { stack: named[0].name, by: "words" };
  const choice = both.length > 1 ? both : profiles.filter(({ name }) => present.has(name));
  const ranked = choice.toSorted((left, right) => weightOf(present, right) - weightOf(present, left));
  const [first, second] = ranked;
  if (first && (!second || weightOf(present, first) >= clear * weightOf(present, second)))
    return { stack: first.name, by: "files" };
  if (ranked.length > 0) return { ask: ranked.map(({ name }) => name) };
  return { ask: (named.length > 0 ? named : profiles).map(({ name }) => name) };
}

const weightOf = (weights: ReadonlyMap<string, number>, { name }: StackProfile): number => weights.get(name) ?? 0;

/** Sources count once, a manifest as much as five of them, and the nearer to the top the more. */
function weigh(files: readonly string[]): Map<string, number> {
  const weights = new Map<string, number>();
  const add = (profile: StackProfile | undefined, weight: number) =>
    profile && weights.set(profile.name, (weights.get(profile.name) ?? 0) + weight);
  for (const path of files) {
    if (/(?:^|\/)(?:node_modules|vendor|\.venv|venv|target|dist)\//.test(path)) continue;
    const source = profileFor(path);
    if (source && source.name !== "generic") add(source, 1);
    for (const profile of profiles) if (isManifest(profile, path)) add(profile, path.includes("/") ? 2 : 5);
  }
  return weights;
}

const isManifest = ({ files, extensions }: StackProfile, path: string): boolean =>
  files.test(path) &&
  !extensions.some((extension) => path.endsWith(extension) && extension !== ".gradle" && extension !== ".mod");
