import { plural } from "../text/amounts.ts";

export const stop = {
  none: "Nothing of fettle's runs here.",
  noneEverywhere: "Nothing of fettle's runs.",
  session: "session",
  process: "process",
  state: "state",
  where: "folder",
  title: "title",
  states: { running: "running", dead: "left behind", unreadable: "not known" },
  outcomes: {
    stopped: "stopped",
    killed: "ended by force",
    cleaned: "cleared what it left behind",
    running: "still running",
    forbidden: "another user's: not stopped",
    unreadable: "not known",
  },
  unknown: (session: string) => `No process works on session ${session}.`,
  unknownRemedy: (all: boolean) =>
    all ? "Everything of this project: fettle stop --all" : "List them: fettle stop --list",
  several: (start: string, count: number) => `${count} sessions that are at work begin with ${start}; say which one.`,
  unnamed: (count: number) => `${plural(count, "run")} would end; say which one, or all.`,
  /** `all`: the flags that would end all of them. */
  which: (sessions: readonly string[], ...all: readonly string[]) =>
    [...sessions.filter((id) => id !== ""), ...all].map((words) => `fettle stop ${words}`).join("\n"),
  ask: (count: number) => (count === 1 ? "End it?" : `End all ${count}?`),
  refused: "Nothing was ended.",
  both: "Give a session or --all, not both.",
  bothRemedy: "List what runs: fettle stop --list",
} as const;
