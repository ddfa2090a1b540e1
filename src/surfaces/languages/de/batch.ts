import type { batchWords } from "../../cli/host/batch.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const batch: Translation<typeof batchWords> = {
  batchNothing: "Es gibt nichts zu durchsuchen.",
  batchRemedy: "JSON-Zeilen durch eine Pipe geben, ein Objekt je Zeile.",
};
