// What the guard may know of the machine while it judges: paths, programs, manifests.

/** A path after following every link. `real` names the deepest existing ancestor's target plus the missing rest. */
export interface PathFact {
  real: string;
  kind: "file" | "folder" | "other" | "missing";
  /** Hard links; 0 when missing. */
  links: number;
  size: number;
}

/** A read-only view of the machine, synchronous and deterministic within one judgement. `guard` knows it as `Facts`. */
export interface MachineFacts {
  /** The granted root: absolute, real. */
  readonly workspace: string;
  readonly home: string;
  /** Private temporary folder of the session, writable by grants. */
  readonly temporary: string;
  /** fettle's own state, config and installation folders: never writable, not readable by grants. */
  readonly own: readonly string[];
  path(absolute: string): PathFact;
  /** Real path when `name` resolves, by a fixed system PATH, to a file in a system folder that no grant can write; else undefined. */
  systemProgram(name: string): string | undefined;
  /** Text of a small file (at most 256 kB) inside the workspace, for manifests and changed definitions; undefined when absent. */
  text(absolute: string): string | undefined;
  /** Declared checks whose definition and defining files are unchanged since the session began. */
  declaredCheck(
    command: string,
    cwd: string,
  ): { kind: "test" | "lint" | "types" | "build"; changed: string[] } | undefined;
}
