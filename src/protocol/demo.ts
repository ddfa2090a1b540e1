// The bundled demonstration, as a surface sees it: what there is, and one that is ready to be run.
import type { OpenFlags } from "./open.ts";

export interface DemoRow {
  name: string;
  title: string;
  /** What its tests are run with. */
  testCommand: string;
  /** Title of the task that is shown with the same sample. */
  task: string;
  /** Set when this machine cannot run it: what is missing, and how to get it. */
  problem?: string;
}

/** A sample repository in a folder of its own, with everything needed to let the agent loose on it. */
export interface DemoPlan {
  name: string;
  title: string;
  workspace: string;
  prompt: string;
  testCommand: string;
  /** Opens a session in the workspace, answered by the recording. */
  flags: OpenFlags;
  /** What a person types to run fettle on this machine. */
  program: string;
  /** What the demo allows beyond the defaults, and why; undefined when it allows nothing. */
  policyNote?: string;
}

/** The same for a governed task: everything from the words to the merged commit. */
export interface TaskDemoPlan {
  name: string;
  title: string;
  workspace: string;
  request: string;
  testCommand: string;
  /** Opens a session that somebody answers for, in the workspace. */
  flags: OpenFlags;
  program: string;
  /** What this machine cannot keep, and what that means for the demo. */
  note?: string;
}

/** What repositories, plugins and servers bring, shown before any of it is used. */
export interface ExtensionsDemoPlan {
  folder: string;
  workspace: string;
  /** Folder of the plugin. */
  plugin: string;
  /** The program of the MCP server. */
  server: string;
  /** The demonstration has a home of its own: variables for whoever opens it. */
  env: { [name: string]: string };
  report: { prompt: string; flags: OpenFlags };
  /** A later session, when the server describes its tool otherwise. */
  changed: { prompt: string; flags: OpenFlags };
  /** From then on it does. */
  changeTool(): void;
  /** Why this machine cannot show it. */
  problem?: string;
}

/** From an idea to a phase that is proposed at a forge of this machine. */
export interface ProjectDemoPlan {
  folder: string;
  workspace: string;
  idea: string;
  testCommand: string;
  /** Opens a session that somebody answers for, in the workspace. */
  flags: OpenFlags;
  /** The demonstration has a home of its own: variables for whoever opens it. */
  env: { [name: string]: string };
  program: string;
  forge: {
    /** Its bare repository. */
    folder: string;
    pulls(): readonly { number: number; title: string; body: string; head: string; base: string }[];
    /** Whether its branch is at the commit that is checked out in the workspace. */
    holds(branch: string): Promise<boolean>;
  };
  /** What this machine cannot keep, and what that means for the demo. */
  note?: string;
  /** Ends the forge. */
  close(): Promise<void>;
}

export interface Demos {
  list(): Promise<DemoRow[]>;
  /** Rejects with a Fault (exit 2) for an unknown name or a missing toolchain. */
  prepare(name: string | undefined): Promise<DemoPlan>;
  prepareTask(name: string | undefined): Promise<TaskDemoPlan>;
  prepareExtensions(): Promise<ExtensionsDemoPlan>;
  /** Rejects with a Fault (exit 2) without git. */
  prepareProject(): Promise<ProjectDemoPlan>;
}
