// The commands that there are, as `fettle --help` lists them. What one of them takes, says and does is in its own file,
// which is loaded when it is named.
import type { Define } from "./host/grammar.ts";
import type { Phrases } from "./text/phrases.ts";

interface CommandRow {
  name: string;
  /** Its arguments, in commander's notation. */
  takes?: string;
  /** Of a group: which of its commands is meant where none is named. */
  usual?: string;
  summary: Phrases<string>;
  load(): Promise<{ define: Define }>;
}

interface CommandGroup {
  heading: Phrases<string>;
  rows: readonly CommandRow[];
}

export const commandGroups: readonly CommandGroup[] = [
  {
    heading: { en: "Work:" },
    rows: [
      {
        name: "task",
        takes: "[request...]",
        summary: { en: "a change from words to a merged commit: a plan that binds, a test first, evidence" },
        load: () => import("./commands/task/index.ts"),
      },
      {
        name: "agents",
        usual: "list",
        summary: { en: "subagents: what there can be, and which are at work" },
        load: () => import("./commands/agents.ts"),
      },
      {
        name: "acp",
        summary: { en: "fettle in an editor, by the Agent Client Protocol: what the editor starts" },
        load: () => import("./commands/acp.ts"),
      },
    ],
  },
  {
    heading: { en: "Set up:" },
    rows: [
      {
        name: "models",
        takes: "[model...]",
        summary: {
          en: "models that are set up: whether they answer, what they can do and cost, how full their pools are",
        },
        load: () => import("./commands/models/index.ts"),
      },
      {
        name: "router",
        usual: "stats",
        summary: { en: "which model is asked for what with --model auto, and what was learned of each" },
        load: () => import("./commands/router/index.ts"),
      },
      {
        name: "login",
        takes: "[provider]",
        summary: { en: "store a provider's key, or the token of github, in the keychain" },
        load: () => import("./commands/login.ts"),
      },
      {
        name: "logout",
        takes: "<provider>",
        summary: { en: "remove a provider's key" },
        load: () => import("./commands/logout.ts"),
      },
      {
        name: "doctor",
        summary: { en: "check what fettle needs here, with a remedy for each problem" },
        load: () => import("./commands/doctor.ts"),
      },
      {
        name: "update",
        summary: { en: "what is newer than this fettle, as far as its folder knows; no server is asked" },
        load: () => import("./commands/update.ts"),
      },
      {
        name: "config",
        usual: "show",
        summary: { en: "look at and change settings" },
        load: () => import("./commands/config.ts"),
      },
      {
        name: "trust",
        usual: "show",
        summary: { en: "what this repository brings that only you can allow" },
        load: () => import("./commands/trust.ts"),
      },
      {
        name: "hooks",
        usual: "list",
        summary: { en: "programs of yours that are asked before and after calls" },
        load: () => import("./commands/hooks.ts"),
      },
    ],
  },
  {
    heading: { en: "Answer:" },
    rows: [
      {
        name: "approvals",
        takes: "[id]",
        summary: { en: "what waits for an answer in this project; with an id, one request in full" },
        load: () => import("./commands/approvals/index.ts"),
      },
      {
        name: "approve",
        takes: "<id>",
        summary: { en: "approve a request of a run in another terminal, or of a task" },
        load: () => import("./commands/approvals/approve.ts"),
      },
      {
        name: "deny",
        takes: "<id>",
        summary: {
          en: "refuse a request, with a reason for the model; a task's plan or result: the task asks what should be otherwise",
        },
        load: () => import("./commands/approvals/deny.ts"),
      },
      {
        name: "stop",
        takes: "[session]",
        summary: { en: "stop what runs in other terminals: a session, or everything of this project" },
        load: () => import("./commands/stop.ts"),
      },
      {
        name: "identity",
        usual: "list",
        summary: { en: "who can answer besides you" },
        load: () => import("./commands/identity.ts"),
      },
    ],
  },
  {
    heading: { en: "Look back:" },
    rows: [
      {
        name: "sessions",
        usual: "list",
        summary: { en: "earlier sessions of this project" },
        load: () => import("./commands/sessions.ts"),
      },
      {
        name: "rewind",
        takes: "[turn]",
        summary: { en: "go back to before a turn (the last one), previewed first" },
        load: () => import("./commands/rewind.ts"),
      },
      {
        name: "cost",
        summary: {
          en: "what the last session cost, or all calls by model, task, tool, day, session, agent or one by one",
        },
        load: () => import("./commands/cost.ts"),
      },
      {
        name: "audit",
        summary: { en: "the record of everything that was done" },
        load: () => import("./commands/audit/index.ts"),
      },
    ],
  },
  {
    heading: { en: "Understand:" },
    rows: [
      {
        name: "explain",
        takes: "[command]",
        summary: { en: "how the gate judges a command; nothing is run" },
        load: () => import("./commands/explain.ts"),
      },
      {
        name: "policy",
        summary: { en: "what nobody may exceed: check it, try it, compare it" },
        load: () => import("./commands/policy/index.ts"),
      },
      {
        name: "scan",
        summary: { en: "look for secrets, planted instructions and suspicious package names" },
        load: () => import("./commands/scan/index.ts"),
      },
      {
        name: "record",
        takes: "[file] [prompt...]",
        summary: { en: "work as usual, and write the model traffic to a file that the recorded provider plays" },
        load: () => import("./commands/record.ts"),
      },
      {
        name: "demo",
        takes: "[name] [sample]",
        summary: {
          en: "watch fettle mend a sample repository, or (task) take a ticket to a merged commit, without any model",
        },
        load: () => import("./commands/demo/index.ts"),
      },
      {
        name: "completions",
        summary: { en: "what bash, zsh or fish completes behind fettle, for their own files" },
        load: () => import("./commands/completions.ts"),
      },
      {
        name: "schema",
        usual: "events",
        summary: { en: "published formats" },
        load: () => import("./commands/schema.ts"),
      },
    ],
  },
];

export const commandRows = commandGroups.flatMap(({ rows }) => rows);
