// What is known of a technology: hints for the plan, never more than that. The plan's own commands decide.
export interface StackProfile {
  name: string;
  /** Words of a request that mean it. */
  keywords: RegExp;
  /** Files that show it, at any depth. */
  files: RegExp;
  extensions: readonly string[];
  dependencyFolders: readonly string[];
  lockfiles: readonly string[];
  /** Programs without which nothing of it runs. */
  programs: readonly string[];
  /** What its tools leave behind, ignored or not. */
  leftovers?: RegExp;
  /** Checks the syntax of one file, where that costs little. */
  syntax?(path: string): string | undefined;
  /** How one test file is run so that a machine can read what came of it. */
  proof?(test: string, look: Look): Proof | undefined;
  /** Whether the test's text takes in the subject. */
  imports?(test: string, text: string, subject: string): boolean;
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
  | "dart-json";

export interface Proof {
  command: string;
  format: ReportFormat;
}

/** The repository as it is when the plan is frozen. */
export interface Look {
  files: readonly string[];
  text(path: string): Promise<string | undefined>;
  /** Texts that profiles look at, read beforehand. */
  known: ReadonlyMap<string, string>;
}

export const quoted = (path: string): string =>
  /^[\w@%+=:,./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
