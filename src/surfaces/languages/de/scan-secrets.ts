import type { words } from "../../cli/commands/scan/secrets.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const scanSecrets: Translation<typeof words> = {
  noSecrets: (files) => `Keine Geheimnisse in ${plural(files, "Datei", "Dateien")}.`,
  secrets: (count, files) => `${plural(count, "Geheimnis", "Geheimnisse")} in ${plural(files, "Datei", "Dateien")}.`,
  secretsNothing: "Keine Datei ist genannt.",
  secretsNothingRemedy: "Dateien oder Ordner nennen, oder - für die Standardeingabe: fettle scan secrets src .env",
  notRead: (problem) => `nicht gelesen: ${problem}`,
};
