import type { words } from "../../cli/commands/scan/injection.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const scanInjection: Translation<typeof words> = {
  injectionNothing: "Keine Datei ist genannt.",
  injectionNothingRemedy: "Dateien oder Ordner nennen, oder - für die Standardeingabe: fettle scan injection docs",
  injections: (flagged, files) =>
    `${flagged} von ${plural(files, "Datei", "Dateien")} versuchen vielleicht, einem Assistenten Anweisungen zu geben.`,
  noInjections: (files) => `Keine Anweisungen an einen Assistenten in ${plural(files, "Datei", "Dateien")}.`,
  notRead: (problem) => `nicht gelesen: ${problem}`,
};
