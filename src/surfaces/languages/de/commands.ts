import type { words } from "../../cli/commands.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const commands: Translation<typeof words> = {
  headings: {
    work: "Arbeiten:",
    setUp: "Einrichten:",
    answer: "Antworten:",
    lookBack: "Zurückschauen:",
    understand: "Verstehen:",
  },
  summaries: {
    task: "eine Änderung vom Satz bis zum Merge: ein Plan, der bindet, zuerst ein Test, Nachweise",
    project:
      "was die Planungsdateien in .planning sagen: Phasen, Wellen, Probleme, nächster Schritt; Phasen und Todos ändern",
    agents: "Subagenten: welche es geben kann und welche gerade arbeiten",
    acp: "fettle in einem Editor, über das Agent Client Protocol: das, was der Editor startet",
    setup:
      "die erste Einrichtung, Frage für Frage: Sprache, Modell, Schlüssel, Testanfrage, Sandbox, wie viel gefragt wird",
    models: "eingerichtete Modelle: ob sie antworten, was sie können und kosten, wie voll ihre Kontingente sind",
    router: "welches Modell mit --model auto wofür gefragt wird, und was über jedes gelernt wurde",
    login: "den Schlüssel eines Anbieters oder das Token von github im Schlüsselbund ablegen",
    logout: "den Schlüssel eines Anbieters entfernen",
    doctor: "prüfen, was fettle hier braucht, mit einer Abhilfe für jedes Problem",
    update: "was neuer ist als dieses fettle, soweit sein Ordner es weiß; kein Server wird gefragt",
    config: "Einstellungen ansehen und ändern",
    trust: "was dieses Repository mitbringt und nur ein Mensch erlauben kann",
    skills: "Anleitungen für eine Art von Arbeit und eigene Befehle: welche es gibt und was daran nicht stimmt",
    hooks: "eigene Programme, die vor und nach Aufrufen gefragt werden",
    mcp: "MCP-Server, deren Werkzeuge ein Modell hinter dem Gate findet und aufruft",
    plugin: "Plugins: Skills, Befehle, Subagenten, Hooks und Server, die zusammen kommen, jeder Teil einzeln gewährt",
    approvals: "was in diesem Projekt auf eine Antwort wartet; mit einer Kennung eine Anfrage im Ganzen",
    approve: "die Anfrage eines Laufs in einem anderen Terminal oder einer Aufgabe genehmigen",
    deny: "eine Anfrage ablehnen, mit einem Grund für das Modell; bei Plan oder Ergebnis fragt die Aufgabe, was anders werden soll",
    stop: "anhalten, was in anderen Terminals läuft: eine Sitzung oder alles in diesem Projekt",
    identity: "wer sonst noch antworten kann",
    sessions: "frühere Sitzungen dieses Projekts",
    rewind: "zurück vor einen Durchgang (den letzten), zuerst mit Vorschau",
    cost: "was die letzte Sitzung gekostet hat, oder alle Aufrufe nach Modell, Aufgabe, Werkzeug, Tag, Sitzung, Agent oder einzeln",
    audit: "das Protokoll von allem, was getan wurde",
    explain: "wie das Gate einen Befehl beurteilt; nichts wird ausgeführt",
    policy: "was niemand überschreiten darf: prüfen, erproben, vergleichen",
    notes: "was von einer Sitzung zur nächsten behalten werden soll",
    daemon: "ein Prozess, der die Indexe von Projekten frisch hält; alles geht auch ohne ihn",
    map: "was jede Datei des Projekts ist, bietet und braucht: als Text, Daten, Bild oder sieben Dokumente",
    index: "um welche Dateien und Definitionen es in einer Frage geht, ohne Modell gefunden",
    scan: "nach Geheimnissen, untergeschobenen Anweisungen und verdächtigen Paketnamen suchen",
    record:
      "arbeiten wie sonst und den Verkehr mit dem Modell in eine Datei schreiben, die der Anbieter „recorded“ abspielt",
    demo: "zusehen, wie fettle ein Beispiel-Repository repariert, (task) ein Ticket zum gemergten Commit macht oder (extensions) Erweiterungen benutzt, ganz ohne Modell",
    completions: "was bash, zsh oder fish hinter fettle ergänzt, für deren eigene Dateien",
    schema: "veröffentlichte Formate",
  },
};
