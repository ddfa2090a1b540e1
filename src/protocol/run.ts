/** A process of fettle that works on a session, or did and was ended without a word. */
export interface RunRow {
  /** Name of the project's state folder. */
  project: string;
  session: string;
  title: string;
  workspace: string;
  pid: number;
  /** unreadable: the project's state; `title` says why, and whether anything runs there is not known. */
  state: "running" | "dead" | "unreadable";
}
