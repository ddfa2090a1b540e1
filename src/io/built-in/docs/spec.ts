export interface DocsOptions {
  workspace: string;
  /** Folders in which Python packages are installed. */
  python: string[];
  /** Where cargo keeps sources: folders of `NAME-VERSION`. */
  cargo: string[];
  /** Go's module cache. */
  go?: string;
}

export interface InstalledPackage {
  kind: "npm" | "python" | "cargo" | "go";
  name: string;
  version: string;
  /** What lies in it may be read; Python packages have several. */
  folders: string[];
  /** A file that introduces it. */
  readme?: string;
}
