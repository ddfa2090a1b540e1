// Git repositories that a program planted where nobody looks before each run: in build output, dependencies, deep down.
// A person's next `git status` there would run what their settings name, so they are looked for after runs that wrote.
import { lstatSync, readdirSync } from "node:fs";
import path from "node:path";
import { controlFiles, setAside } from "./control-files.ts";
import { describeRepository } from "../git/repositories.ts";

const mostEntries = 500_000;
/** The event loop gets its turn after this long. */
const sliceMs = 4;
/** Between two looks passes this many times what the last one took, and at least `restMs`. */
const restFactor = 20;
const restMs = 1000;
/** Clocks of file systems lag, and a run begins a little before it is told of. */
const slackMs = 2000;

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // Gone meanwhile, or not ours to read: nor is it the person's to run git in.
    return [];
  }
}

const changedAt = (file: string): number => lstatSync(file, { throwIfNoEntry: false })?.ctimeMs ?? 0;
/** What git takes for a repository without a `.git`. */
const isBare = (names: ReadonlySet<string>): boolean =>
  names.has("HEAD") && (names.has("commondir") || (names.has("objects") && names.has("refs")));

interface Found {
  /** `.git`, or the bare repository itself. */
  entry: string;
  /** Folders with control files. */
  folders: string[];
}

/** Every repository below the workspace but the one at its top. */
async function findAll(workspace: string): Promise<Found[]> {
  const found: Found[] = [];
  const open = [workspace];
  let left = mostEntries;
  let slice = performance.now();
  for (let folder = open.pop(); folder !== undefined && left > 0; folder = open.pop()) {
    const entries = entriesOf(folder);
    left -= entries.length;
    const names = new Set(entries.map(({ name }) => name));
    if (names.has(".git") && folder !== workspace) {
      const entry = path.join(folder, ".git");
      found.push({ entry, folders: describeRepository(entry)?.folders ?? [] });
    }
    if (isBare(names)) found.push({ entry: folder, folders: [folder] });
    for (const entry of entries) {
      if (entry.name !== ".git" && entry.isDirectory()) open.push(path.join(folder, entry.name));
    }
    if (performance.now() - slice > sliceMs) {
      await new Promise((resolve) => setImmediate(resolve));
      slice = performance.now();
    }
  }
  return found;
}

interface Roots {
  workspace: string;
  /** More folders that runs may write: what lies there is not the person's. */
  writable: readonly string[];
}

const below = (file: string, root: string): boolean => file.startsWith(`${root}/`);

/** Control files of repositories that appeared or changed since then, set aside when git would obey them. */
async function tamePlanted({ workspace, writable }: Roots, since: number): Promise<string[]> {
  const tamed: string[] = [];
  for (const { entry, folders } of await findAll(workspace)) {
    const inside = folders.filter((folder) => below(folder, workspace));
    const moved = changedAt(entry) >= since || inside.some((folder) => changedAt(folder) >= since);
    const files = inside.flatMap((folder) => controlFiles(folder)).filter((file) => moved || changedAt(file) >= since);
    // The entry itself, where it leads git into a folder that programs fill; one that leads to the person's own stays.
    if (moved && folders.some((folder) => writable.some((root) => below(folder, root)))) files.push(entry);
    tamed.push(...files.filter((file) => setAside(file, workspace)));
  }
  return tamed.map((file) => path.relative(workspace, file)).sort();
}

export interface PlantedLook {
  /** A run that could write has ended; `startedAt` by the wall clock. */
  wrote(startedAt: number): void;
  /** Resolves when everything that ran so far has been looked at. */
  settled(): Promise<void>;
}

/** `tell` gets what was set aside, relative to the workspace. Looks beside other work, and seldom. */
export function lookForPlanted(roots: Roots, tell: (files: string[]) => void): PlantedLook {
  let since: number | undefined;
  let running: Promise<void> | undefined;
  let next = 0;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    const from = since;
    if (from === undefined) return;
    since = undefined;
    const started = performance.now();
    const tamed = await tamePlanted(roots, from - slackMs);
    const ended = performance.now();
    next = ended + Math.max(restMs, restFactor * (ended - started));
    if (tamed.length > 0) tell(tamed);
  };
  const begin = () => {
    clearTimeout(timer);
    timer = undefined;
    running ??= look().finally(() => {
      running = undefined;
      if (since !== undefined) schedule();
    });
    return running;
  };
  const schedule = () => {
    const wait = next - performance.now();
    if (running || timer) return;
    // A failing look fails again where it is waited for; here nobody could be told.
    timer = setTimeout(() => void begin().catch(() => undefined), Math.max(0, wait));
    timer.unref();
  };
  return {
    wrote(startedAt) {
      since = Math.min(since ?? startedAt, startedAt);
      schedule();
    },
    async settled() {
      while (running || since !== undefined) await begin();
    },
  };
}
