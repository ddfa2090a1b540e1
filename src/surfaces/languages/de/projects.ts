import type { projects as words } from "../../cli/words/projects.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projects: Translation<typeof words> = {
  kinds: { phase: "Phase", wave: "Welle", plan: "Plan", check: "Prüfung", agent: "Agent" },
  states: {
    waiting: "wartet",
    working: "an der Arbeit",
    done: "fertig",
    failed: "gescheitert",
    left: "ausgelassen",
  },
  again: (step) => `${step} macht weiter, wo es aufgehört hat`,
  left: (time) => `noch etwa ${time}`,
  hint: "Strg-C hält an; was fertig ist, bleibt",
  stopping: "hält an: was läuft, wird zuerst beendet",
  stopAgain: "Noch einmal Strg-C hält den Schritt an. Was fertig ist, bleibt, und derselbe Befehl macht dort weiter.",
  deaf: "Ein Projektschritt hört nur Antworten auf seine Fragen.",
  kept: (command) => `Was fertig ist, bleibt. Weiter: ${command}`,
};
