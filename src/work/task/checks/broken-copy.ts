// A check that shows something fails where the files are broken. It is run once in a copy of the repository that is.
import path from "node:path";
import { writeAtomic } from "../../../io/files/bytes.ts";
import { dropFolder } from "../../../io/folders/worktrees.ts";
import { decidesChecks, isDefinition, isTest } from "./definitions.ts";
import { withScripts } from "./sources/package-scripts.ts";
import { isLockfile, profileFor } from "../stacks/list.ts";
import { inScratch } from "../work/scratch.ts";
import type { Work } from "../work/work.ts";
import type { CommandRun } from "../world/commands.ts";
import { Repository } from "../world/git.ts";
import type { WorkFolder } from "../world/world.ts";

/** No language and no format takes this for one of its own files. */
const nonsense = "<<<<<<< broken on purpose }}} ((( \"\"\" ''' ` ]]]\n";
const mostBroken = 1000;

/** Manifests, settings and lockfiles stay: without them nothing at all would run, and every command would fail. */
const stays = (file: string): boolean => isDefinition(file) || isLockfile(file) || file.split("/").some(hidden);
const hidden = (part: string): boolean => part.startsWith(".");

/** Makes nonsense of the files of a scratch worktree, besides `kept`; what is planned comes first where there are too many. */
async function breakFiles(folder: string, first: readonly string[], kept: ReadonlySet<string>): Promise<void> {
  const files = await new Repository(folder).files("HEAD");
  const order = [...new Set([...first.filter((file) => files.includes(file)), ...files])];
  for (const file of order.filter((each) => !stays(each) && !kept.has(each)).slice(0, mostBroken)) {
    const broken = path.join(folder, file);
    dropFolder(broken);
    await writeAtomic(broken, nonsense, { root: folder });
  }
}

/** Only what a suite is about: its tests, and what they take in, stay. Whether there was anything to break. */
export async function breakSources(folder: string, command: string, manifest: string | undefined): Promise<boolean> {
  const files = await new Repository(folder).files("HEAD");
  const kept = new Set([...files.filter(isTest), ...runnersOf(command, manifest)]);
  await breakFiles(folder, [], kept);
  return files.some((file) => !stays(file) && !kept.has(file) && profileFor(file) !== undefined);
}

const passes = ({ exit, ended }: CommandRun): boolean => ended === "exited" && exit === 0;

/** A suite as the repository declares it: what its command runs stays, so that it is not the runner that fails. */
export async function suiteCannotFail(
  folder: string,
  command: string,
  manifest: string | undefined,
  run: () => Promise<CommandRun>,
): Promise<boolean> {
  await breakFiles(folder, [], new Set(runnersOf(command, manifest)));
  return passes(await run());
}

function runnersOf(command: string, manifest: string | undefined): string[] {
  const words = withScripts([command], manifest).flatMap((text) => text.split(/[\s'"=;&|()]+/));
  return words.map((word) => word.replace(/^\.\//, "")).filter((word) => !decidesChecks(word, true));
}

/** Its failures would look like some of the work. */
export const tellsBroken = "in a copy whose files are broken on purpose, where each check has to fail:";

interface BrokenAt {
  commit: string;
  lent: readonly string[];
  copied: readonly string[];
  /** Broken before any other. */
  first: readonly string[];
  /** Whether the plan is in force there; where it is not signed yet, only what needs no question is run. */
  signed: boolean;
  /** Left as it is: what the commands themselves are. */
  kept?: ReadonlySet<string>;
}

/** Those of the commands that pass although everything that they could look at is broken. */
export async function thoseThatCannotFail(
  work: Work,
  commands: readonly string[],
  { first, signed, kept = new Set(), ...ground }: BrokenAt,
): Promise<string[]> {
  const open: string[] = [];
  for (const command of new Set(commands))
    if (signed || (await work.world.foresee(command)).asks === undefined) open.push(command);
  if (open.length === 0) return [];
  return inScratch(work, { ...ground, unsigned: !signed }, async (place: WorkFolder) => {
    await breakFiles(place.folder, first, kept);
    work.tell(tellsBroken);
    const found: string[] = [];
    for (const command of open) {
      place.forget();
      if (passes(await work.runIn(place, command))) found.push(command);
    }
    return found;
  });
}
