import type { words } from "../../cli/commands/scan/packages.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const scanPackages: Translation<typeof words> = {
  manifestsNone: "Hier gibt es kein Manifest.",
  manifestsNoneRemedy: "Eines nennen: package.json, requirements.txt, pyproject.toml, Cargo.toml, go.mod oder pom.xml.",
  packages: (count, odd, unknown) => `${plural(count, "Paket", "Pakete")}: ${odd} verdächtig, ${unknown} unbekannt.`,
  typosquat: (near) => `ähnelt dem bekannten ${near}`,
  unknown: "nicht unter den Namen, die fettle kennt; vor dem Installieren ansehen",
  notRead: (problem) => `nicht gelesen: ${problem}`,
};
