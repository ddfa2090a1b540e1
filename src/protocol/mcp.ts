// Questions about MCP servers, with their answers.

export interface McpServerRow {
  name: string;
  origin: "user" | "project";
  /** Whose file names it. */
  place: string;
  /** The command line, or the address. */
  start: string;
  env: string[];
  read: string[];
  write: string[];
  hosts: string[];
  /** How many tools were pinned; absent: nobody has looked at it yet. */
  tools?: number;
}

export interface McpToolRow {
  /** `server__tool` */
  name: string;
  description: string;
  /** What the person says that it does. */
  class?: string;
  /** Beside what was pinned. */
  state: "pinned" | "new" | "changed" | "gone";
  /** Of one that has changed: how. */
  lines: string[];
}

/** What came of a start. */
export interface McpTrial {
  server: string;
  ms: number;
  /** Why it could not be used. */
  problem?: string;
  tools: McpToolRow[];
  /** The end of its log. */
  log: string[];
}

/** What other agents' lists hold. */
export interface McpImport {
  servers: {
    name: string;
    /** `Claude Code (~/.claude.json)` */
    from: string;
    start: string;
    command?: string[];
    url?: string;
    /** Variables that it would get from the environment: what looks like a secret is not taken over. */
    env: string[];
    set: Record<string, string>;
    /** Headers that its list names, which are not taken over. */
    headers: string[];
    /** There is one of that name. */
    known: boolean;
  }[];
  problems: string[];
}

export interface McpQuestions {
  "mcp.importable": { ask: Record<string, never>; answer: McpImport };
  "mcp.list": { ask: Record<string, never>; answer: McpServerRow[] };
  /** Starts it, as its settings say, and ends it again. What was never pinned is pinned; `accept`: what has changed, too. */
  "mcp.test": { ask: { server: string; accept?: boolean }; answer: McpTrial };
  "mcp.logs": { ask: { server: string; lines: number }; answer: string[] };
}
