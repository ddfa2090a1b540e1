import type { words } from "../../cli/commands/rewind.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const rewind: Translation<typeof words> = {
  help: {
    files: "nur die Dateien",
    conversation: "nur das Gespräch",
    force: "auch Dateien überschreiben, die andere seitdem geändert haben",
    session: "diese Sitzung statt der letzten",
  },
  lesson: {
    examples: [
      ["fettle rewind", "vor den letzten Durchgang, nach einem Blick auf das, was sich ändern würde"],
      ["fettle rewind 3 --files", "die Dateien wie vor Durchgang 3; das Gespräch bleibt"],
      ["fettle rewind --json", "nur die Vorschau, für Programme"],
      ["fettle rewind --yes", "ohne Rückfrage; was andere seitdem geändert haben, bleibt ohne --force"],
    ],
    exits: [
      ["0", "zurückgesetzt, oder Vorschau gezeigt"],
      ["1", "die Antwort war Nein, oder es wurde verweigert"],
      ["2", "kein solcher Durchgang, keine solche Sitzung, oder niemand da, um Ja zu sagen"],
    ],
  },
  rewindTitle: (turn, prompt) => `Zurück vor Durchgang ${turn}: ${prompt}`,
  rewindConversation: (turns) => `${plural(turns, "Durchgang verlässt", "Durchgänge verlassen")} das Gespräch.`,
  rewindFiles: "Diese Änderungen an Dateien würden gemacht:",
  rewindNoFiles: "Keine Datei unterscheidet sich.",
  rewindNoTree:
    "Seitdem gibt es keinen Checkpoint der Dateien, und fettle hat keine eigene Änderung aufgezeichnet. Nur das Gespräch lässt sich zurücksetzen.",
  rewindForeign: "Seitdem von jemand anderem geändert; bleibt ohne --force, wie es ist:",
  rewindLeftOut: (number) =>
    `${plural(number, "Pfad war", "Pfade waren")} für den Checkpoint zu groß oder nicht lesbar und bleiben, wie sie sind.`,
  rewindNeedsYes: "Zum Zurücksetzen braucht es ein Ja.",
  rewindNeedsYesRemedy: "Wo niemand antworten kann: --yes angeben.",
  rewindAsk: "Zurücksetzen?",
  rewindRefused: "Nichts wurde zurückgesetzt.",
};
