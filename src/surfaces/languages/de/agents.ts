import type { agents as english } from "../../cli/words/agents.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

const subagents = (count: number): string => plural(count, "Subagent", "Subagenten");

export const agents: Translation<typeof english> = {
  agent: "Agent",
  state: "Zustand",
  task: "Auftrag",
  took: "Dauer",
  session: "Sitzung",
  file: "Datei",
  notes: "Notizen",
  states: {
    waiting: "wartet",
    working: "arbeitet",
    done: "fertig",
    failed: "gescheitert",
    cancelled: "abgebrochen",
    lost: "verloren",
  },
  subagents,
  together: (count, took) => `${subagents(count)} zusammen: ${took}`,
  asks: "fragt",
  none: "Diese Sitzung hat keine Subagenten gestartet.",
  cancelled: (name) => `${name} soll enden.`,
  allCancelled: "Alle Subagenten sollen enden.",
  usage: "/agents [list | cancel NAME | cancel all]",
};
