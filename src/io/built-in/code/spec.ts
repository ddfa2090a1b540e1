// What of the Language Server Protocol is used, and how servers are named to the plugin's process.

/** Lines and characters count from 0, characters in UTF-16. */
export interface Position {
  line: number;
  character: number;
}
export interface Range {
  start: Position;
  end: Position;
}
export interface Location {
  uri: string;
  range: Range;
}
export interface Diagnostic {
  range: Range;
  /** 1 is an error, 2 a warning; more is advice. */
  severity?: number;
  code?: unknown;
  message: string;
}
export interface TextEdit {
  range: Range;
  newText: string;
}
export interface WorkspaceEdit {
  changes?: Record<string, TextEdit[]>;
  documentChanges?: ({ textDocument: { uri: string }; edits: TextEdit[] } | { kind: string })[];
}

/** Of one language, as fettle has found it. */
export interface LanguageServer {
  /** `typescript` */
  language: string;
  command: string[];
}

export interface LanguagesOptions {
  workspace: string;
  servers: LanguageServer[];
  /** Resident memory of one server with all its processes. */
  memoryMb: number;
}
