// What came of trying the repository's own checks before anything was planned.

/** What came of one of the repository's own checks on the untouched base. */
export interface RehearsedCheck {
  kind: "test" | "lint" | "types" | "build" | "other";
  /** As the repository declares it, and the file that does. */
  command: string;
  from: string;
  /** As it is run, so that its report can be read. */
  run: string;
  format: string;
  /** The same for one file, which stands where `{file}` does. */
  one?: string;
  /** One file could not be run so, and all are run in its place. */
  onlyWhole?: boolean;
  /** The same for one test, whose name stands where `{name}` does; and for all, with the coverage. */
  named?: string;
  coverage?: string;
  /** Scripts that only run this check and others, one after the other, and are known by them. */
  partOf?: string[];
  /** What the CI gives it, and nobody does here: services, variables. */
  needs?: string[];
  /** It runs others behind what its report names: where it ends early, those were not run. */
  chain?: boolean;
  /** A sentence for what is behind it and not run. */
  behind?: string;
  exit: number | null;
  ms: number;
  /** A sentence for a suite that would test an installed copy in the form in which it is declared. */
  copy?: string;
  result: "works" | "red" | "cannot fail" | "installed copy" | "cannot run" | "did not end" | "not allowed" | "no time";
  said?: string;
  /** From the runner's own report, with the names of the tests. */
  tests?: { passed: number; failed: number; skipped: number };
  green?: string[];
  redBefore?: string[];
  /** Red once and green once. */
  flaky?: string[];
}

/** A package that the repository holds and that its tests would find installed: the one here stands in its place. */
export interface OwnLink {
  /** In the worktree, below a folder of dependencies. */
  at: string;
  /** As a link says it. */
  to: string;
}

export interface Rehearsal {
  commit: string;
  checks: RehearsedCheck[];
  links?: OwnLink[];
  /** Asked because none of the tests can be run here. */
  question?: string;
  /** The person goes on without them. */
  without?: boolean;
  /** Nothing was tried, because the person has turned it off. */
  off?: boolean;
  /** Nothing was tried, because only documents seemed to change. */
  documents?: boolean;
  /** Commands that the repository runs as checks, and that were not tried here, with where they stand. */
  untried?: string[];
  /** What the CI varies: versions of a language, systems. */
  matrix?: string[];
  /** Programs that the checks use, as they are here. */
  tools?: { name: string; version: string }[];
}
