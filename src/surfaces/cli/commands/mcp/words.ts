import { phrases } from "../../../phrases/phrases.ts";

export const words = phrases("mcp", {
  help: {
    list: "every server: what it is, what it may reach, how many tools it has",
    add: "set up a server, and start it once to see its tools: a program behind --, or an address",
    remove: "remove a server, and what was pinned of it",
    test: "start a server, show its tools and what has changed of them, and end it again",
    class:
      "say what a tool does (SERVER__TOOL, or SERVER for every other one): read, reversible, compensable, irreversible",
    logs: "the end of what a server said on stderr",
    import: "take over servers from the lists of Claude Code, Codex, Gemini CLI and opencode; without names, show them",
    all: "all of them that are not set up",
    env: "name of a variable of your environment that it gets (repeatable)",
    set: "NAME=VALUE: a further variable, not a secret one (repeatable)",
    header: "NAME=VALUE: a header for a server at an address; '${NAME}' in it is a variable (repeatable)",
    read: "folder that it sees; . is the workspace (repeatable)",
    write: "folder that it may change (repeatable)",
    host: "host that it reaches, host[:port] (repeatable)",
    tools: "what every tool does of which nothing else is said: read, reversible, compensable, irreversible",
    untested: "only write it down: nothing is started",
    accept: "pin the definitions as they are now, where they are new or have changed",
    lines: "how many lines (50)",
  },
  lesson: {
    examples: [
      [
        "fettle mcp add notes --write ~/notes -- node ~/servers/notes.js",
        "started in the sandbox, with that folder and no network",
      ],
      [
        "fettle mcp add fs --read . -- npx -y @modelcontextprotocol/server-filesystem .",
        "fetched once, as an install, and offline from then on",
      ],
      ["fettle mcp import --all", "the servers that Claude Code, Codex, Gemini CLI and opencode have"],
      ["fettle mcp list", "what each is, and what it may reach"],
      ["fettle mcp class fs__read_file read", "its calls run unasked; every other tool asks each time"],
      ["fettle mcp test notes", "what it offers, and what has changed since it was pinned"],
      ["fettle mcp logs notes", "what it said when it failed"],
      ["fettle mcp remove notes", "and what was pinned of it"],
    ],
    exits: [
      ["0", "shown; done; it started"],
      ["1", "add, test: the server could not be used"],
      ["2", "no such server, or a name, folder or class that cannot be"],
    ],
  },
  none: "There are no MCP servers. fettle mcp add --help shows how one is set up.",
  name: "server",
  start: "start",
  reach: "may reach",
  tools: "tools",
  unseen: "not looked at",
  nothing: "nothing of yours",
  sees: (folders: string) => `sees ${folders}`,
  writes: (folders: string) => `writes ${folders}`,
  reaches: (hosts: string) => `hosts ${hosts}`,
  gets: (names: string) => `gets ${names}`,
  added: (name: string) => `${name} is set up.`,
  removed: (name: string) => `${name} is removed.`,
  classified: (tool: string, of: string) => `${tool}: ${of}.`,
  started: (name: string, ms: number) => `${name} started in ${ms} ms.`,
  failed: (name: string) => `${name} could not be used:`,
  log: "The end of its log:",
  noTools: "It offers no tools.",
  noLog: "Nothing was logged.",
  asks: "asks each time",
  taken: "taken over",
  known: "set up already",
  headersLeft: (names: string) => `headers that are not taken over: ${names}`,
  takenHint:
    "Each has no folder and no host yet: fettle config set mcp.servers.NAME.read . ; then fettle mcp test NAME.",
  importHint:
    "Take them over: fettle mcp import NAME, or --all. Values that look like secrets stay in your environment.",
  noLists: "No other agent's list of MCP servers was found.",
  noImport: (name: string) => `No list names a server '${name}'.`,
  states: { pinned: "", new: "new", changed: "changed", gone: "gone" },
  changedHint: (name: string) =>
    `Calls of what is new or has changed ask first. Pin them as they are: fettle mcp test ${name} --accept`,
  classHint: (name: string) =>
    `Say what a tool does, so that its calls need not be asked: fettle mcp class ${name}__TOOL read`,
  badSet: (given: string) => `--set needs NAME=VALUE, not '${given}'.`,
  badStart:
    "A server needs a program behind --, or an address: fettle mcp add NAME -- PROGRAM ARGS, or fettle mcp add NAME https://…",
  badClass: (given: string, classes: readonly string[]) =>
    `'${given}' says nothing of a tool; use ${classes.join(", ")}.`,
  badTool: (given: string) => `'${given}' is no tool; write SERVER__TOOL, or SERVER for every tool of it.`,
});
