/** Databases that the person has named. No connection string stands here: the process reads it from `variable`. */
export interface PostgresOptions {
  databases: PostgresDatabase[];
}

export interface PostgresDatabase {
  name: string;
  /** The variable of the plugin's own environment that holds the connection string. */
  variable: string;
  /** host:port, the only place that it may lie at. */
  host: string;
  /** A person answers for each change. */
  writable: boolean;
}
