import type { words } from "../../cli/commands/sessions.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const sessions: Translation<typeof words> = {
  help: {
    limit: "wie viele",
    list: "die neuesten zuerst",
    show: "die Durchgänge einer Sitzung",
    context: "stattdessen: woraus ihre nächste Anfrage besteht, in Tokens",
    recall: "stattdessen: wo diese Wörter in ihr gefallen sind",
    export: "die Ereignisse einer Sitzung, ein JSON-Objekt je Zeile",
    delete: "das Gespräch einer Sitzung löschen",
  },
  lesson: {
    examples: [
      ["fettle sessions", "die neuesten zwanzig dieses Projekts"],
      ["fettle sessions list --limit 100 --json", "mehr davon, für Programme"],
      ["fettle sessions show 20261122-8b8c77", "ihre Durchgänge; der Anfang ihrer Kennung genügt"],
      ['fettle sessions show 20261122-8b8c77 --recall "port 8080"', "wo das in ihr gesagt wurde"],
      ["fettle sessions export 20261122-8b8c77 > log.jsonl", "alles, was in ihr geschah"],
      ["fettle sessions delete 20261122-8b8c77", "ihr Gespräch; das Protokoll behält seine Einträge"],
      ["fettle --resume 20261122-8b8c77", "sie fortsetzen"],
    ],
    exits: [
      ["0", "gezeigt; gelöscht"],
      ["1", "show --recall: nicht gefunden; delete: die Antwort war Nein"],
      ["2", "keine solche Sitzung, oder niemand da, um Ja zu sagen"],
    ],
  },
  session: "Sitzung",
  when: "zuletzt",
  turns: "Durchgänge",
  cost: "Kosten",
  title: "Titel",
  open: "offen",
  taskOf: (id) => `Aufgabe ${id}`,
  deleted: (id) => `Die Sitzung ${id} ist gelöscht. Ihre Einträge im Protokoll bleiben.`,
  deleteAsk: (id, title) => `Sitzung ${id} (${title}) löschen? Ihr Gespräch geht verloren.`,
  deleteNeedsYes: "Zum Löschen braucht es ein Ja.",
  deleteNeedsYesRemedy: "Wo niemand antworten kann: --yes angeben.",
  sessionsNone: "In diesem Projekt gibt es noch keine Sitzung.",
};
