import type { words } from "../../cli/program.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const program: Translation<typeof words> = {
  titles: { "Usage:": "Aufruf:", "Arguments:": "Argumente:", "Options:": "Optionen:", "Commands:": "Befehle:" },
  choices: (names) => `eines von ${names}`,
  usual: (value) => `Voreinstellung: ${value}`,
  promptArgument: "was zu tun ist; ohne Angabe beginnt eine interaktive Sitzung",
  whichCommand: (where, names) => `Welcher Befehl von „${where}“ ist gemeint: ${names.join(", ")}?`,
};
