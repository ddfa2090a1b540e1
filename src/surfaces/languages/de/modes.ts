import type { modes as english } from "../../cli/words/modes.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const modes: Translation<typeof english> = {
  mode: [
    ["ask", "alles wird gefragt"],
    ["cautious", "Lesen läuft, alles andere wird gefragt"],
    ["standard", "Lesen und umkehrbare Änderungen im Arbeitsbereich laufen, alles andere wird gefragt"],
    ["trusted", "lokale Commits, Verschieben, Überschreiben und deklarierte Builds laufen auch"],
    ["autonomous", "was in der Sandbox läuft und umkehrbar ist, auch, selbst unbekannte Programme"],
    ["full", "alles läuft, außer was nie oder nach der Richtlinie nicht erlaubt ist"],
    ["plan", "nur Lesen, auf jeder Stufe"],
    ["deny", "nur was eine Regel erlaubt, auf jeder Stufe"],
    ["none", "nimmt plan oder deny zurück"],
  ],
  role: [
    ["read-only", "Lesen"],
    ["standard", "auch Bearbeiten, deklarierte Prüfungen und lokales git"],
    ["privileged", "auch jedes Programm, Netz, Installationen und Subagenten"],
  ],
  strategy: [
    ["single", "das gewählte Modell erledigt es"],
    ["cascade", "das billigste, das genügt, arbeitet; das beste prüft und macht weiter, wo es einen Fehler findet"],
    ["ensemble", "zwei oder drei arbeiten nebeneinander; eines der Ergebnisse wird genommen"],
    ["synthesis", "zwei oder drei entwerfen, das beste macht daraus eine Antwort; nur für Antworten"],
    ["auto", "wie router.strategies sagt"],
  ],
  effort: [
    ["off", "antwortet sofort, wo das Modell das kann"],
    ["minimal", "so wenig wie möglich"],
    ["low", "denkt ein wenig nach"],
    ["medium", "denkt nach, wie es die meiste Arbeit braucht"],
    ["high", "denkt lange nach: für Schwieriges; teurer und langsamer"],
    ["xhigh", "noch länger, wo das Modell das kennt"],
    ["max", "so lange es kann"],
    ["auto", "wie die Einstellungen sagen (model.effort), sonst wie der Anbieter"],
  ],
  pinned: (model) => `${model} wurde genannt, also macht es die Durchgänge allein: mit /model auto wählt der Router.`,
  effortSent: (sent) =>
    sent === null
      ? "Vom Modell der letzten Antwort wurde kein Aufwand verlangt."
      : `Vom Modell der letzten Antwort wurde ${sent} verlangt.`,
};
