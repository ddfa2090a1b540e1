// The planned install: run once after isolation, and again only when what it installs from is no longer the same.
import path from "node:path";
import { digestOf, sha256 } from "../../../base/digest.ts";
import type { Envelope } from "../../../protocol/task.ts";
import { type CommandRun, endText, succeeded } from "../world/commands.ts";
import { opened } from "../machine/envelope.ts";
import { isLockfile, profiles } from "../stacks/list.ts";
import { isManifest, unplannedPackage } from "../machine/manifests.ts";
import { bytesIn, textIn } from "../world/texts.ts";
import type { Work } from "../work/work.ts";

/** A run that failed; undefined when nothing is planned, or all is installed. Nothing is ever installed but by this. */
export async function installPlanned(work: Work): Promise<CommandRun | undefined> {
  const envelope = opened(work.frozen);
  const { plan, paths } = envelope;
  const { install } = plan.commands;
  if (install === undefined) return undefined;
  const unwritten = plan.files.filter(({ path: file, action }) => action === "create" && isManifest(file));
  const there = await digestsOf(
    work,
    unwritten.map(({ path: file }) => file),
  );
  const missing = there.length < unwritten.length;
  // What it installs from is still to be written.
  if (missing || work.task.installed?.inputs === (await inputsOf(work, paths))) return undefined;
  // Looked at before anything of it is fetched, for what was written since.
  const unplanned = await unplannedPackage(envelope, paths, (revision, file) =>
    revision === "HEAD" ? textIn(work.place.folder, file) : work.repository.text(revision, file),
  );
  if (unplanned !== undefined)
    return { command: install, exit: null, ended: "refused", output: unplanned, digest: sha256("") };
  const run = await work.run(install);
  if (!succeeded(run)) return run;
  const lockfiles = await digestsOf(work, paths.filter(isLockfile));
  const installed = { command: install, output: run.digest, inputs: await inputsOf(work, paths), lockfiles };
  const changed = lockfiles.map((each) => `, ${each.path} now ${each.digest.slice(0, 12)}`).join("");
  work.world.note("task.installed", { task: work.task.id, ...installed });
  work.note({ installed }, `installed by ${install}${changed}`);
  return undefined;
}

export const notInstalled = (run: CommandRun): string =>
  [`The planned install failed: ${run.command}, ${endText(run)}.`, ...run.output.trim().split("\n").slice(-8)].join(
    "\n",
  );

/** Manifests and lockfiles that the plan names, as they are. */
async function inputsOf(work: Work, paths: readonly string[]): Promise<string> {
  return digestOf(
    await digestsOf(
      work,
      paths.filter((file) => isManifest(file) || isLockfile(file)),
    ),
  );
}

async function digestsOf({ place }: Work, paths: readonly string[]): Promise<Envelope["lockfiles"]> {
  const found: Envelope["lockfiles"] = [];
  for (const file of paths) {
    const bytes = await bytesIn(place.folder, file);
    if (bytes) found.push({ path: file, digest: sha256(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)) });
  }
  return found;
}

/** What a planned install fills by itself cannot be borrowed, which would be read-only. */
export function lentBeside(
  install: string | undefined,
  ecosystems: readonly string[],
  lent: readonly string[],
): string[] {
  if (install === undefined) return [...lent];
  const filled = profiles.filter(({ name }) => ecosystems.length === 0 || ecosystems.includes(name));
  const own = new Set(filled.flatMap(({ dependencyFolders: folders }) => folders));
  return lent.filter((name) => !own.has(path.posix.basename(name)));
}
