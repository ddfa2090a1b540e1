// Skills and custom commands: what their files say, and whether they are used.
export type ExtensionOrigin = "user" | "project";

interface ExtensionFile {
  name: string;
  origin: ExtensionOrigin;
  /** A skill's folder, a command's file. */
  place: string;
  description: string;
  /** What may follow its name. */
  hint?: string;
  /** What of it has no effect here, a clause each. */
  notes: string[];
  /** Why it cannot be used: one clause. */
  problem?: string;
  /** Another one of this name goes before it. */
  shadowed?: true;
}

/** `problem` is the first thing that is wrong with it; `errors` are all, as the format's own validator names them. */
export interface SkillFile extends ExtensionFile {
  errors: string[];
  license?: string;
  compatibility?: string;
  /** Of its folder, besides SKILL.md. */
  files: string[];
  /** Those of `files` that are there to be run. */
  scripts: string[];
  /** The model may use it by itself. */
  forModel: boolean;
  /** A person may use it by `/NAME`. */
  forPerson: boolean;
}

/** `runs` and `reads`: what goes through the gate before the model reads the command. */
export interface CommandFile extends ExtensionFile {
  runs: string[];
  reads: string[];
  model?: string;
}

/** What a person may type behind a slash, besides fettle's own. */
export interface SlashRow {
  name: string;
  /** `prompt`: of an MCP server. */
  kind: "command" | "skill" | "prompt";
  origin: ExtensionOrigin;
  description: string;
  hint?: string;
}
