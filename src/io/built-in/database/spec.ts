export interface DatabaseOptions {
  databases: { name: string; file: string }[];
}

/** One statement for a process of its own. */
export interface Query {
  file: string;
  sql: string;
}

/** The same for one that changes rows. `settle` only ends what a killed process has left half done. */
export interface ChangeQuery {
  file: string;
  tool: "rehearse" | "change" | "settle";
  input: { [name: string]: unknown };
}
