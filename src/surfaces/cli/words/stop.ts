export const stop = {
  none: "Nothing of fettle's runs here.",
  noneEverywhere: "Nothing of fettle's runs.",
  session: "Session",
  process: "Process",
  state: "State",
  where: "Folder",
  title: "Title",
  states: { running: "running", dead: "left behind" },
  outcomes: {
    stopped: "stopped",
    killed: "ended by force",
    cleaned: "cleared what it left behind",
    running: "still running",
    forbidden: "another user's: not stopped",
  },
  unknown: (session: string) => `No process works on session ${session}.`,
  unknownRemedy: "List them: fettle stop --list",
} as const;
