import type { words } from "../../cli/export/words.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const exported: Translation<typeof words> = {
  turn: (turn) => `Durchgang ${turn}`,
  thought: "Überlegung",
  status: {
    done: "erledigt",
    failed: "gescheitert",
    refused: "abgelehnt",
    expired: "nicht beantwortet",
    unknown: "Ausgang unbekannt",
    open: "nicht beendet",
  },
};
