import type { words } from "../../cli/commands/project/reviews.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectReviews: Translation<typeof words> = {
  help: {
    "code-review":
      "Fehler in den Dateien suchen, die eine Phase änderte; mit --fix wird jeder als eigene Aufgabe behoben",
    secure: "die Bedrohungen, die die Pläne einer Phase nennen, gegen den Code halten",
    validate:
      "für jede Anforderung einer Phase sagen, welcher Test scheitert, wenn sie verletzt ist; mit --fix werden die fehlenden geschrieben",
    "add-tests": "die Tests planen, die einer Phase fehlen, aus Anforderungen, Abnahmetests und Plänen",
    "ui-review": "was eine Phase baute, in sechs Punkten bewerten, aus dem Code",
    "eval-review": "die für eine Phase geplante Evaluation gegen den Code halten",
    learnings: "Entscheidungen, Lehren und Muster aus den Dokumenten einer Phase nehmen",
    "ui-phase": "den Vertrag schreiben, nach dem die Oberfläche einer Phase gebaut wird, und ihn prüfen lassen",
    "ai-phase":
      "ein Framework wählen und schreiben, wonach eine Funktion, die ein Modell fragt, gebaut und beurteilt wird",
    "audit-milestone": "was Nachweise von allen Phasen zeigen, ob ihre Teile verbunden sind, und die Lücken",
    "plan-gaps": "eine Phase für die Lücken anlegen, die die Prüfung eines Meilensteins nennt",
    debug: "die Ursache eines Fehlers durch Hypothesen finden, die in einer Datei stehen; auch list, status, continue",
    "docs-update":
      "Aussagen von Dokumenten am Repository prüfen und falsche berichtigen lassen, je Dokument eine Aufgabe",
    "ingest-docs":
      "zusammenführen, was vorhandene Dokumente entscheiden und wollen; Widersprüche werden genannt und gefragt",
    review: "die Pläne einer Phase von Programmen anderer Agenten lesen lassen und REVIEWS.md schreiben",
    "plan-review-convergence": "planen, die Pläne lesen lassen und neu planen, bis kein Einwand schwer wiegt",
    spike: "durch Wegwerf-Code, der in einer Kopie läuft, herausfinden, ob etwas geht",
    "spike-wrap-up": "sammeln, was Versuche gezeigt haben, für spätere Recherche und Pläne",
    sketch: "eine Oberfläche als Seiten zeichnen, die sich unterscheiden, und eine wählen",
    "sketch-wrap-up": "sammeln, was Skizzen entschieden haben, für spätere Recherche und Pläne",
    explore: "über eine Idee sprechen, bis sie klar ist, und sie dann als das aufschreiben, was sie ist",
  },
  options: {
    answer: "die Antwort auf eine Frage, in deren Reihenfolge; mehrfach möglich",
    depth: "quick, standard (die Dateien für sich) oder deep (mit ihren Aufrufern)",
    files: "diese Dateien statt derer ihrer Pläne, durch Kommas getrennt",
    verifyOnly: "nichts berichtigen",
    claude: "Claude Code fragen",
    codex: "Codex fragen",
    gemini: "Gemini CLI fragen",
    all: "jedes fragen, das installiert ist; so auch, wenn keines genannt ist",
    maxCycles: "wie oft Pläne höchstens gelesen werden; sonst dreimal",
    quick: "ein Versuch, oder zwei Varianten",
    fix: "aufgreifen, was gefunden wurde: je eine Aufgabe und damit ein Commit",
    wrong: "die gefundene Ursache ist es nicht: warum, oder was stattdessen zu sehen ist",
    auto: "nichts fragen, was eine Vorgabe hat",
  },
  examples: {
    "code-review": [
      ["fettle project code-review 3", "die Funde in 03-REVIEW.md, jeder mit Pfad und Zeile"],
      ["fettle project code-review 3 --depth deep --fix", "und jeder durch eine eigene Aufgabe behoben"],
    ],
    secure: [["fettle project secure 3", "geschlossen nur, wo Pfad und Zeile es zeigen"]],
    validate: [["fettle project validate 3 --fix", "Anforderungen und Tests, und die fehlenden Tests geschrieben"]],
    "add-tests": [["fettle project add-tests 3 negative amounts", "ein Plan, der auch das enthält"]],
    "ui-review": [["fettle project ui-review 3", "sechs Noten, und was am meisten hilft"]],
    "eval-review": [["fettle project eval-review 3", "abgedeckt, teilweise oder fehlend, mit dem, was es zeigt"]],
    learnings: [["fettle project learnings 3", "was spätere Phasen wissen sollten"]],
    "ui-phase": [["fettle project ui-phase 3", "03-UI-SPEC.md, mit dem, was der Prüfer sagt"]],
    "ai-phase": [["fettle project ai-phase 3", "03-AI-SPEC.md"]],
    "audit-milestone": [["fettle project audit-milestone v1.0", "Exit-Code 1, wo es Lücken gibt"]],
    "plan-gaps": [["fettle project plan-gaps v1.0", "fragt, bevor die Phase angelegt wird"]],
    debug: [
      ['fettle project debug "1.5 becomes 1"', "Hypothesen, bis eine bestätigt ist"],
      ["fettle project debug continue 1-5-becomes-1 --fix", "damit weitermachen und die Ursache beheben"],
      ['fettle project debug continue 1-5-becomes-1 --wrong "1.9, too"', "weitersuchen"],
      ["fettle project debug list", "was offen, gefunden und behoben ist"],
    ],
    "docs-update": [
      ["fettle project docs-update", "README und docs/: Aussagen werden geprüft, falsche berichtigt"],
      ["fettle project docs-update README.md --verify-only", "Exit-Code 1 für eine falsche Aussage"],
    ],
    "ingest-docs": [["fettle project ingest-docs docs/adr docs/prd.md", "eine Zusammenfassung in .planning/intel"]],
    review: [["fettle project review 3 --codex", "was Codex zu den Plänen sagt"]],
    "plan-review-convergence": [["fettle project plan-review-convergence 3", "höchstens drei Durchgänge"]],
    spike: [
      ['fettle project spike "does the parser hold 1 GB?"', "Versuche mit ihren Läufen in .planning/spikes"],
      ['fettle project spike --quick "is sqlite fast enough?"', "ein Versuch, und keine Liste davor"],
    ],
    "spike-wrap-up": [["fettle project spike-wrap-up", "spikes/FINDINGS.md, das Planer bekommen"]],
    sketch: [['fettle project sketch "orders on a phone"', "drei Seiten in .planning/sketches; du wählst"]],
    "sketch-wrap-up": [["fettle project sketch-wrap-up", "sketches/FINDINGS.md, das Planer bekommen"]],
    explore: [['fettle project explore "offline mode"', "am Ende ein Todo, ein Samen, eine Notiz oder eine Phase"]],
  },
  exits: [
    ["0", "fertig"],
    ["1", "gescheitert, oder es gibt Lücken; es wird gesagt, welche"],
    ["2", "falscher Aufruf: kein Repository, kein Modell, keine solche Phase"],
    ["3", "wartet auf Sie; was zu tun ist, wird gesagt"],
    ["4", "das Budget ist aufgebraucht"],
    ["5", "Sie haben nein gesagt; nichts wurde geändert"],
  ],
};
