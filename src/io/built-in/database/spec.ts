export interface DatabaseOptions {
  databases: { name: string; file: string }[];
}

/** One statement for a process of its own. */
export interface Query {
  file: string;
  sql: string;
}
