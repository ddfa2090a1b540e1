import type { words } from "../../cli/commands/project/captured.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectCaptured: Translation<typeof words> = {
  help: {
    notes: "Notizen, und ob sie zu Todos wurden",
    "notes promote": "aus einer Notiz ein Todo machen; die Notiz bleibt und sagt es",
    seeds: "Ideen für später, und worauf sie warten",
    "seeds plant": "eine Idee für später notieren, und wann sie zur Sprache kommen soll",
    threads: "Stränge, die über Sitzungen hinweg laufen, offene und geschlossene",
    "threads create": "einen Strang beginnen",
    "threads close": "einen Strang schließen; seine Datei bleibt",
    "audit-uat": "was von Abnahmetests und Prüfungen offen ist, in allen Phasen",
  },
  when: "wann sie zur Sprache kommen soll",
  nothing: "Es gibt keine.",
  states: {
    pending: "nicht getestet",
    issue: "misslungen",
    skipped: "ausgelassen",
    blocked: "blockiert",
    gap: "Lücke",
    human: "braucht einen Menschen",
  },
  phase: "Phase",
  title: "Titel",
  state: "Stand",
  file: "Datei",
  lesson: {
    examples: [
      ["fettle project notes", "jede Notiz in .planning/notes"],
      ["fettle project notes promote api-limit", "nach dem Titel oder einem Teil des Dateinamens"],
      ["fettle project seeds", "jede Idee mit ihrem Stand"],
      ["fettle project seeds plant Offline mode --when 'somebody asks for it'", "eine Datei in .planning/seeds"],
      ["fettle project threads --json", "jeder Strang als JSON"],
      ["fettle project threads create Slow start-up", "eine Datei in .planning/threads"],
      ["fettle project threads close slow-start-up", "sein Status wird resolved"],
      ["fettle project audit-uat", "jeder Test ohne Erfolg, jede Lücke, und was nur ein Mensch sehen kann"],
    ],
    exits: [
      ["0", "gezeigt oder geschrieben"],
      ["1", "es gibt kein .planning"],
      ["2", "falscher Aufruf, oder nichts heißt so"],
    ],
  },
};
