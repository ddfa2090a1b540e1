// The commands that there are, as `fettle --help` lists them. What one of them takes, says and does is in its own file,
// which is loaded when it is named.
import type { Define } from "./host/grammar.ts";
import { phrases } from "../phrases/phrases.ts";

export const words = phrases("commands", {
  headings: {
    work: "Work:",
    setUp: "Set up:",
    answer: "Answer:",
    lookBack: "Look back:",
    understand: "Understand:",
  },
  summaries: {
    task: "a change from words to a merged commit: a plan that binds, a test first, evidence",
    project:
      "what the planning files in .planning say: phases, waves, what is wrong, the next step; change phases and todos",
    agents: "subagents: what there can be, and which are at work",
    acp: "fettle in an editor, by the Agent Client Protocol: what the editor starts",
    setup: "the first set-up, question by question: language, model, key, test call, sandbox, how much is asked",
    models: "models that are set up: whether they answer, what they can do and cost, how full their pools are",
    router: "which model is asked for what with --model auto, and what was learned of each",
    login: "store a provider's key, or the token of github, in the keychain",
    logout: "remove a provider's key",
    doctor: "check what fettle needs here, with a remedy for each problem",
    update: "what is newer than this fettle, as far as its folder knows; no server is asked",
    config: "look at and change settings",
    trust: "what this repository brings that only you can allow",
    skills: "instructions for a kind of work, and custom commands: which there are, and what is wrong with them",
    hooks: "programs of yours that are asked before and after calls",
    mcp: "MCP servers, whose tools a model finds and calls behind the gate",
    plugin: "plugins: skills, commands, agents, hooks and servers that come together, each part granted by name",
    approvals: "what waits for an answer in this project; with an id, one request in full",
    approve: "approve a request of a run in another terminal, or of a task",
    deny: "refuse a request, with a reason for the model; a task's plan or result: the task asks what should be otherwise",
    stop: "stop what runs in other terminals: a session, or everything of this project",
    identity: "who can answer besides you",
    sessions: "earlier sessions of this project",
    rewind: "go back to before a turn (the last one), previewed first",
    cost: "what the last session cost, or all calls by model, task, tool, day, session, agent or one by one",
    audit: "the record of everything that was done",
    explain: "how the gate judges a command; nothing is run",
    policy: "what nobody may exceed: check it, try it, compare it",
    notes: "what you want remembered from one session to the next",
    routines: "work that was done three times, kept under a name and done again without a model",
    daemon: "a process that keeps the indexes of projects fresh; everything works without it",
    map: "what each file of the project is, offers and needs: as text, data, a picture or seven documents",
    index: "which files and definitions a question is about, found without a model",
    scan: "look for secrets, planted instructions and suspicious package names",
    record: "work as usual, and write the model traffic to a file that the recorded provider plays",
    demo: "watch fettle mend a sample repository, (task) take a ticket to a merged commit, or (extensions) use what others bring, without any model",
    completions: "what bash, zsh or fish completes behind fettle, for their own files",
    schema: "published formats",
  },
});

interface CommandRow {
  name: keyof typeof words.summaries;
  /** Its arguments, in commander's notation. */
  takes?: string;
  /** Of a group: which of its commands is meant where none is named. */
  usual?: string;
  load(): Promise<{ define: Define }>;
}

interface CommandGroup {
  heading: keyof typeof words.headings;
  rows: readonly CommandRow[];
}

export const commandGroups: readonly CommandGroup[] = [
  {
    heading: "work",
    rows: [
      {
        name: "task",
        takes: "[request...]",
        load: () => import("./commands/task/index.ts"),
      },
      {
        name: "project",
        usual: "status",
        load: () => import("./commands/project/index.ts"),
      },
      {
        name: "agents",
        usual: "list",
        load: () => import("./commands/agents.ts"),
      },
      {
        name: "acp",
        load: () => import("./commands/acp.ts"),
      },
    ],
  },
  {
    heading: "setUp",
    rows: [
      {
        name: "setup",
        load: () => import("./commands/setup/index.ts"),
      },
      {
        name: "models",
        takes: "[model...]",
        load: () => import("./commands/models/index.ts"),
      },
      {
        name: "router",
        usual: "stats",
        load: () => import("./commands/router/index.ts"),
      },
      {
        name: "login",
        takes: "[provider]",
        load: () => import("./commands/login.ts"),
      },
      {
        name: "logout",
        takes: "<provider>",
        load: () => import("./commands/logout.ts"),
      },
      {
        name: "doctor",
        load: () => import("./commands/doctor.ts"),
      },
      {
        name: "update",
        load: () => import("./commands/update.ts"),
      },
      {
        name: "config",
        usual: "show",
        load: () => import("./commands/config.ts"),
      },
      {
        name: "trust",
        usual: "show",
        load: () => import("./commands/trust.ts"),
      },
      {
        name: "skills",
        usual: "list",
        load: () => import("./commands/skills.ts"),
      },
      {
        name: "hooks",
        usual: "list",
        load: () => import("./commands/hooks.ts"),
      },
      {
        name: "mcp",
        usual: "list",
        load: () => import("./commands/mcp/index.ts"),
      },
      {
        name: "plugin",
        usual: "list",
        load: () => import("./commands/plugin.ts"),
      },
    ],
  },
  {
    heading: "answer",
    rows: [
      {
        name: "approvals",
        takes: "[id]",
        load: () => import("./commands/approvals/index.ts"),
      },
      {
        name: "approve",
        takes: "<id>",
        load: () => import("./commands/approvals/approve.ts"),
      },
      {
        name: "deny",
        takes: "<id>",
        load: () => import("./commands/approvals/deny.ts"),
      },
      {
        name: "stop",
        takes: "[session]",
        load: () => import("./commands/stop.ts"),
      },
      {
        name: "identity",
        usual: "list",
        load: () => import("./commands/identity.ts"),
      },
    ],
  },
  {
    heading: "lookBack",
    rows: [
      {
        name: "sessions",
        usual: "list",
        load: () => import("./commands/sessions.ts"),
      },
      {
        name: "rewind",
        takes: "[turn]",
        load: () => import("./commands/rewind.ts"),
      },
      {
        name: "cost",
        load: () => import("./commands/cost.ts"),
      },
      {
        name: "audit",
        usual: "verify",
        load: () => import("./commands/audit/index.ts"),
      },
    ],
  },
  {
    heading: "understand",
    rows: [
      {
        name: "explain",
        takes: "[command]",
        load: () => import("./commands/explain.ts"),
      },
      {
        name: "policy",
        load: () => import("./commands/policy/index.ts"),
      },
      {
        name: "notes",
        usual: "list",
        load: () => import("./commands/notes.ts"),
      },
      {
        name: "routines",
        usual: "list",
        load: () => import("./commands/routines.ts"),
      },
      {
        name: "daemon",
        usual: "status",
        load: () => import("./commands/daemon.ts"),
      },
      {
        name: "map",
        takes: "[path]",
        load: () => import("./commands/map.ts"),
      },
      {
        name: "index",
        usual: "status",
        load: () => import("./commands/code-index.ts"),
      },
      {
        name: "scan",
        load: () => import("./commands/scan/index.ts"),
      },
      {
        name: "record",
        takes: "[file] [prompt...]",
        load: () => import("./commands/record.ts"),
      },
      {
        name: "demo",
        takes: "[name] [sample]",
        load: () => import("./commands/demo/index.ts"),
      },
      {
        name: "completions",
        load: () => import("./commands/completions.ts"),
      },
      {
        name: "schema",
        usual: "events",
        load: () => import("./commands/schema.ts"),
      },
    ],
  },
];

export const commandRows = commandGroups.flatMap(({ rows }) => rows);
