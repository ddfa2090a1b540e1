import type { words } from "../../cli/commands/config.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const config: Translation<typeof words> = {
  help: {
    verbose: "mit dem Zweck von jeder",
    project: "in der Datei dieses Projekts statt in der eigenen",
    show: "jede Einstellung mit ihrer Herkunft; die eines Abschnitts oder eine einzelne, mit ihrem Zweck",
    get: "der Wert einer Einstellung",
    set: "eine Einstellung ändern",
    unset:
      "eine Einstellung oder einen Abschnitt aus der Datei nehmen: es gilt wieder die Voreinstellung, oder was eine andere Datei sagt",
    path: "die Dateien, aus denen Einstellungen kommen",
    schema: "JSON-Schema der Einstellungen",
  },
  lesson: {
    examples: [
      ["fettle config show budget", "die Einstellungen eines Abschnitts: Wert, Herkunft, Zweck"],
      ["fettle config get model.default", "ein Wert, für Skripte"],
      ["fettle config set model.default ollama/qwen3:8b", "die eigene, in ~/.config/fettle/config.toml"],
      ["fettle config unset model.default", "wieder herausnehmen"],
      ["fettle config set limits.rounds 50 --project", "die dieses Repositorys: sie darf nur verschärfen"],
      ["fettle config path", "welche Dateien es gibt und welche fehlen"],
      ["fettle config schema > schema.json", "jeder Schlüssel mit seiner Bedeutung, für einen Editor"],
    ],
    exits: [
      ["0", "gezeigt; gesetzt"],
      ["2", "keine solche Einstellung, oder ein Wert, den sie nicht haben kann"],
    ],
  },
  noProvider: (provider) =>
    `fettle kennt keinen Anbieter ${provider}. Es wird für dieses Modell keinen anderen fragen: fettle models --all`,
  configBroken: (problem) => `Was gezeigt wird, lässt eine kaputte Datei aus: ${problem}`,
  exists: "da",
  key: "Schlüssel",
  layer: "Ebene",
  missing: "noch nicht da",
  notSet: "nicht gesetzt",
  origin: "aus",
  path: "Datei",
  set: (key, value) => `${key} = ${value}`,
  value: "Wert",
};
