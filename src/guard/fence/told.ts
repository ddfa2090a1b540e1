// What a command's result says of the sandbox besides what it printed: what is hidden, once, and programs that the sandbox
// does not show.
import path from "node:path";
import type { MaskedFile, WriteReport } from "../../io/layers/spec.ts";
import type { ProcessExit } from "../../io/process/spec.ts";

interface Told {
  workspace: string;
  /** Where the person's own shell would find a program. */
  programAt?: (name: string) => string | undefined;
}

/** Each agent has a world of its own, and has been told what was told there. */
const toldOf = new WeakMap<Told, Set<string>>();

/** Hidden files that no result has named yet, relative to the workspace; all of them where the command made a copy or an archive. */
export function newlyHidden(
  world: Told,
  masked: readonly MaskedFile[],
  { command, written }: { command: string; written: WriteReport | undefined },
): Pick<ProcessExit, "hidden" | "copied"> {
  const told = toldOf.get(world) ?? new Set<string>();
  toldOf.set(world, told);
  const inside = masked.filter(({ path: file }) => file.startsWith(`${world.workspace}/`));
  const copied = inside.length > 0 && copies(command, written);
  const named = copied ? inside : inside.filter(({ path: file }) => !told.has(file));
  for (const { path: file } of named) told.add(file);
  const hidden = named.map(({ path: file, shown }) => ({
    path: path.relative(world.workspace, file),
    partly: shown !== undefined,
  }));
  return hidden.length > 0 ? { hidden, ...(copied && { copied: true as const }) } : {};
}

/** Programs and functions that take whole folders along. */
const copying =
  /(?:^|[\s;&|(/'"])(?:(?:bsd)?tar\s+(?!-?\w*x|--extract)|zip\s|7z[arz]?\s+[au]|cpio\s|pax\s|rsync\s|cp\s+(?:-\S+\s+)*-\w*[aRr]|git\s+archive|(?:npm|pnpm|yarn)\s+(?:pack|publish))|\b(?:make_archive|copytree|cpSync)\b/m;
const archive = /\.(?:tar(?:\.\w+)?|tgz|tbz2?|txz|zip|7z|jar|war|whl|cpio|vsix|xpi|crx)$/i;

const copies = (command: string, written: WriteReport | undefined): boolean =>
  copying.test(command) || [...(written?.applied ?? []), ...(written?.kept ?? [])].some((file) => archive.test(file));

const toldApart = new WeakSet<Told>();

/** Once: a command that was let to hosts is in another network than programs that were left running. */
export function keptApart(world: Told): Pick<ProcessExit, "apart"> {
  if (toldApart.has(world)) return {};
  toldApart.add(world);
  return { apart: true };
}

/** How shells and programs say that there is no such program. */
const missing = [
  /(?:^|[:\s])([\w.+-]{1,60}): (?:command )?not found/gm,
  /\benv: ['"‘]?([\w.+-]{1,60})['"’]?: No such file or directory/g,
  /\bspawn ([\w.+-]{1,60}) ENOENT/g,
  /No such file or directory: '([\w.+-]{1,60})'/g,
  /exec: "([\w.+-]{1,60})": executable file not found/g,
  /bad interpreter: (\/[^\s:]{1,200}): No such file or directory/g,
  /\bNo module named ['"]?([\w-]{1,60})['"]?/g,
];
/** Commands that look for a program and say nothing when there is none. */
const looksFor = /\b(?:which|command -v|type(?: -[aptP])?|hash)((?: +[\w.+-]{1,60})+)/g;
const mostMissing = 3;
/** A longer output is no message. */
const longest = 20_000;

/**
 * Programs that the output calls missing, or that the command looked for in vain, and that are there for the person. Where
 * the last part of a command went well, it has to have named them itself: the output may be any text.
 */
export function unseenPrograms(
  { programAt }: Told,
  { output, code }: Pick<ProcessExit, "output" | "code">,
  command: string,
): Pick<ProcessExit, "unseen"> {
  if (!programAt) return {};
  const ends = output.length > longest ? output.slice(0, longest / 2) + output.slice(-longest / 2) : output;
  const names = new Set(missing.flatMap((each) => [...ends.matchAll(each)].map(([, name = ""]) => name)));
  const lines = ends.split("\n");
  for (const [, words = ""] of command.matchAll(looksFor))
    for (const name of words.trim().split(/ +/))
      if (!lines.some((line) => line.trim().endsWith(`/${name}`) || line.startsWith(`${name} is `))) names.add(name);
  const worded = new Set(command.split(/[^\w.+-]+/));
  const found = [...names].flatMap((name) => {
    if (code === 0 && !worded.has(name)) return [];
    const place = programAt(name);
    return place === undefined ? [] : [{ name, place }];
  });
  return found.length > 0 ? { unseen: found.slice(0, mostMissing) } : {};
}
