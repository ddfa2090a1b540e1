import type { words } from "../../cli/commands/demo/sample.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const demoSample: Translation<typeof words> = {
  title: (title) => `fettle demo  ${title}`,
  scripted:
    "Die Antworten des Modells stehen fest: von Hand geschrieben und über eine lokale Verbindung gegeben. Alles andere ist echt: die Dateien, die Befehle, das Gate, die Tests, das Protokoll.",
  workspace: (folder) => `Eine Kopie des Beispiels arbeitet in ${folder}.`,
  changes: "Was sich geändert hat",
  tests: "Tests",
  red: "rot",
  notRed: "waren nie rot",
  green: "grün",
  stillRed: "nicht grün",
  cost: "Kosten",
  scriptedTokens: "erfundene Zahlen, kein Modell wurde gefragt",
  ledger: "Protokoll",
  verified: "geprüft",
  broken: "nicht heil",
  entries: (number) => plural(number, "Eintrag", "Einträge"),
  failed: "Die Demo ist gescheitert.",
  notFinished: "Der feststehende Durchgang endete nicht wie geschrieben.",
  neverRed: "Die Tests waren von Anfang an grün, also wurde nichts gezeigt.",
  notGreen: (command, folder) => `\`${command}\` ist in ${folder} nicht grün.`,
  ledgerBroken: (problem) => `Das Protokoll ist nicht heil: ${problem}`,
  next: (folder, program) => [
    ["zurückschauen", `cd ${folder} && ${program} sessions list; ${program} audit tail`],
    ["zurücknehmen", `cd ${folder} && ${program} rewind 1`],
    ["eine andere", `${program} demo --list`],
    ["eigenes Modell", "export ANTHROPIC_API_KEY=... (oder OPENAI_API_KEY, GEMINI_API_KEY), oder Ollama starten"],
    ["", `cd eigenes/projekt && ${program} "warum schlägt die Anmeldung fehl?"`],
    ["", `${program} models zeigt, was erreichbar ist, ${program} doctor, was fehlt`],
  ],
};
