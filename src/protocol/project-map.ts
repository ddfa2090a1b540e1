// The map of a project: what each file is, says of itself, offers and needs. Everything in it is read off the sources.

export interface MapFile {
  path: string;
  kind: "source" | "test" | "document" | "generated" | "build" | "data";
  /** By its grammar, else the ending of its name. */
  language: string;
  bytes: number;
  /** 0: its text is not read (binary, too large, minified). */
  lines: number;
  /** One sentence: of its leading comment or docstring; empty where it has none. */
  summary: string;
  exports: { name: string; kind: string; line: number }[];
  /** Files of the project. */
  imports: string[];
  /** Of others, by the name of the package. */
  packages: string[];
  /** Tests that are named for it or import it. */
  tests: string[];
}

export interface MapFolderRow {
  name: string;
  files: number;
  lines: number;
  /** Of one of its files that says something of itself. */
  summary: string;
  /** Folders that its files import, the most imported first. */
  imports: string[];
}

export interface ProjectMap {
  root: string;
  /** At most 60, so that the whole can be seen at once. */
  folders: MapFolderRow[];
  /** By path. */
  files: MapFile[];
}

/** A document about a code base, in the form that `.planning/codebase/` has. */
export interface MapDocument {
  name: string;
  text: string;
}

export interface MapQuestions {
  "map.show": { ask: Record<string, never>; answer: ProjectMap };
  /** `svg`: the folders and their imports. `html`: that, and a table of all files, without anything from elsewhere. */
  "map.picture": { ask: { form: "svg" | "html" }; answer: { text: string } };
  /** `folder`: where they would be written; `kept` are those there that somebody else has written. */
  "map.documents": { ask: { folder?: string }; answer: { documents: MapDocument[]; kept: string[] } };
}
