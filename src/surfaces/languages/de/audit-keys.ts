import type { words } from "../../cli/commands/audit/keys.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const auditKeys: Translation<typeof words> = {
  againstHint: (place) => `Später vergleichen mit: fettle audit verify --against ${place}`,
  checkpoint: "Checkpoint",
  copiedTo: "kopiert nach",
  copyHint:
    "Mit --to auf eine andere Maschine kopieren: erst dann ist das Protokoll vor dem Besitzer des Schlüssels sicher.",
  fingerprint: "Fingerabdruck",
  head: "Kopf",
  keyBefore: "davor",
  keyRotated:
    "Ab jetzt unterschreibt ein neuer Schlüssel; der alte hat unterschrieben, dass er folgt, und ist vergessen.",
  publicKey: "öffentlicher Schlüssel",
  signer: "Unterzeichner",
};
