import type { words } from "../../cli/commands/project/loop.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectLoop: Translation<typeof words> = {
  help: {
    fast: "eine Änderung, die zu klein für einen Plan ist: eine Aufgabe, und eine Zeile in STATE.md",
  },
  noMerge: "die Arbeit auf ihrem Branch lassen",
  examples: {
    fast: [
      [
        'fettle project fast "fix the typo in the help of --json"',
        "planen, zustimmen, zuerst ein Test, beheben, prüfen, zusammenführen",
      ],
    ],
  },
  exits: [
    ["0", "fertig"],
    ["1", "gescheitert; der Grund wird genannt"],
    ["2", "falscher Aufruf: kein Repository, kein Modell, keine solche Phase"],
    ["3", "wartet auf Sie; was auszuführen ist, wird genannt"],
    ["4", "das Budget ist aufgebraucht"],
    ["130", "mit Strg-C angehalten; derselbe Befehl macht weiter"],
  ],
};
