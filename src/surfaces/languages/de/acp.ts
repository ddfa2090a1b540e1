import type { words } from "../../cli/commands/acp.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const acp: Translation<typeof words> = {
  help: { login: "den Schlüssel eines Anbieters ablegen: das, was ein Editor dafür in einem Terminal startet" },
  lesson: {
    examples: [
      ["fettle acp", "was ein Editor starten soll; docs/guide/editors.md sagt, wo das steht"],
      ["fettle acp --model anthropic/claude-sonnet-5 --mode plan", "womit neue Sitzungen beginnen"],
      ["fettle acp --login", "den Schlüssel eines Anbieters ablegen"],
    ],
    exits: [
      ["0", "der Editor hat die Verbindung geschlossen"],
      ["1", "die Verbindung ist abgebrochen: eine Nachricht war zu groß"],
      ["2", "in einem Terminal gestartet statt von einem Editor"],
    ],
  },
  terminal: "fettle acp spricht mit einem Editor, nicht mit einem Terminal.",
  terminalRemedy: "Im Editor als Agent eintragen: docs/guide/editors.md. In einem Terminal starten: fettle",
};
