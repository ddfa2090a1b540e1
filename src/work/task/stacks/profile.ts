// What is known of a technology: hints for the plan, never more than that. The plan's own commands decide.
import { shellWord } from "../../../base/shell-word.ts";

export interface StackProfile {
  name: string;
  /** Words of a request that mean it. */
  keywords: RegExp;
  /** Files that show it, at any depth. */
  files: RegExp;
  extensions: readonly string[];
  /** Manifests that are read beforehand, at any depth. */
  manifests: readonly string[];
  dependencyFolders: readonly string[];
  /** Folders that its builds write into. */
  buildFolders: readonly string[];
  lockfiles: readonly string[];
  /** Programs without which nothing of it runs. */
  programs: readonly string[];
  /** What its tools leave behind, ignored or not. */
  leftovers?: RegExp;
  /** How long its servers may take to answer, when more than half a minute: those that are built first. */
  upMs?: number;
  /** Minutes that a state of a task in it may take. */
  minutes: number;
  /** Checks the syntax of one file, where that costs little. */
  syntax?(path: string): string | undefined;
  /** How one test file is run so that a machine can read what came of it. */
  proof?(test: string, look: Look): Proof | undefined;
}

export type ReportFormat =
  | "tap"
  | "junit"
  | "vitest-json"
  | "jest-json"
  | "mocha-json"
  | "unittest"
  | "go-json"
  | "libtest"
  | "dart-json"
  | "any";

export interface Proof {
  command: string;
  format: ReportFormat;
  /** All tests run, and not this file alone. */
  whole?: boolean;
}

/** The repository as it is when the plan is frozen. */
export interface Look {
  files: readonly string[];
  text(path: string): Promise<string | undefined>;
  /** Manifests by path, read beforehand. */
  known: ReadonlyMap<string, string>;
  /** The plan's own command for tests, which says what framework is meant. */
  testCommand?: string;
}

/** The folder of the nearest of these files at or above a path; "" is the top, undefined that there is none. */
export function nearest(
  files: readonly string[],
  path: string,
  names: RegExp,
): { folder: string; file: string } | undefined {
  const there = new Set(files);
  for (let folder = parentOf(path); ; folder = parentOf(folder)) {
    const prefix = folder === "" ? "" : `${folder}/`;
    const file = [...there].find((name) => name.startsWith(prefix) && names.test(name.slice(prefix.length)));
    if (file !== undefined) return { folder, file };
    if (folder === "") return undefined;
  }
}

const parentOf = (path: string): string => (path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "");

/** A path as seen from a folder above it. */
export const below = (folder: string, path: string): string => (folder === "" ? path : path.slice(folder.length + 1));

/** A command that is run in a folder of the repository. */
export const inFolder = (folder: string, command: string): string =>
  folder === "" ? command : `cd ${shellWord(folder)} && ${command}`;

/**
 * A command that writes its report to a file: it is printed behind what the command says, with the command's own exit
 * code. A report cannot be written to /dev/stdout, which a child of Node cannot open.
 */
export const withReport = (command: (report: string) => string): string =>
  `r=$(mktemp); ${command('"$r"')}; s=$?; cat "$r"; exit $s`;

/** As above for reports in files that the command names itself; those of earlier runs are left out. */
export const withReports = (command: string, pattern: string): string =>
  `r=$(mktemp); ${command}; s=$?; find . -path ${shellWord(pattern)} -newer "$r" -exec cat {} +; exit $s`;
