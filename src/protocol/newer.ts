// What is newer than the fettle that runs.

/** `count` commits of the branch that a clone follows are newer, as of its last fetch; `commits` are the newest of them. */
export interface NewerView {
  version: string;
  folder: string;
  kind: "clone" | "package";
  upstream?: string;
  count?: number;
  commits?: string[];
  fetchedAt?: number;
}
