import type { words } from "../../cli/commands/task/index.ts";
import type { Translation } from "../../phrases/phrases.ts";

const ended = [
  ["0", "gemergt, vorgeschlagen, auf dem Branch gelassen oder beantwortet"],
  ["1", "gescheitert; der Grund wird gesagt"],
  ["2", "falscher Aufruf: kein Repository, kein Modell, keine solche Aufgabe"],
  ["3", "wartet auf eine Antwort: fettle task approve"],
  ["4", "das Budget ist aufgebraucht"],
  ["5", "die Basis hat sich bewegt, oder der Plan reicht zu weit"],
  ["6", "die Zeit ist um"],
  ["130", "mit Strg-C angehalten"],
];

const looked = [
  ["0", "gezeigt"],
  ["2", "keine solche Aufgabe"],
];

export const task: Translation<typeof words> = {
  help: {
    taskFile: "die Aufgabe aus dieser Datei lesen",
    taskIssue: "die Aufgabe ist dieses Issue: seine Adresse, oder JSON mit title und body; gilt als Daten",
    strict: "ablehnen statt fragen, was der Plan nicht enthält",
    noMerge: "die Arbeit auf ihrem Branch lassen",
    pullRequest: "den genehmigten Branch zum Remote schieben und einen Pull-Request öffnen",
    taskCost: "anhalten, bevor die Aufgabe mehr kostet",
    taskWaits: "ohne Terminal: auf eine Antwort von anderswo warten statt zu pausieren, höchstens so lange (SEKUNDEN)",
    taskJson: "ein Ereignis je Zeile",
    taskPlan: "der Plan, genau wie er vorgelegt wurde",
    taskDiff: "was sie committet hat, gegen die Basis ihres Plans",
    evidence: "was zeigt, dass es fertig ist: jede Behauptung mit Befehl, Exit-Code, Ausgabe und Tree",
    withChanges: "nicht so, sondern mit diesen Änderungen: wird neu geplant oder nachgebessert und wieder vorgelegt",
    why: "was dem Modell gesagt wird",
    list: "die neuesten zuerst",
    show: "wie weit eine Aufgabe ist und was aus ihr wurde",
    watch: "jeder Schritt einer Aufgabe in einem anderen Terminal",
    resume: "eine Aufgabe dort fortsetzen, wo sie stehen blieb",
    replay:
      "eine aufgezeichnete Aufgabe noch einmal entscheiden und sagen, was abweicht (Exit-Code 1, wenn etwas abweicht)",
    replan: "sagen, was anders werden soll: die Aufgabe wird neu geplant und fragt wieder",
    abandon: "eine Aufgabe aufgeben; ihr Branch bleibt, wenn etwas auf ihm committet ist",
    answer: "die Frage beantworten, mit der eine Aufgabe pausiert, und fortfahren",
    approve: "den Plan oder das Ergebnis genehmigen, mit dem eine Aufgabe wartet",
    reject: "den Plan oder das Ergebnis zurückweisen, mit einem Grund, mit dem neu geplant wird",
  },
  lesson: {
    examples: [
      [
        'fettle task "der Rundungsfehler: aus 1.5 soll 2 werden"',
        "planen, genehmigen, zuerst ein Test, reparieren, prüfen, mergen",
      ],
      ["fettle task --file ticket.md --no-merge", "die Worte aus einer Datei; die Arbeit bleibt auf ihrem Branch"],
      ["fettle task < ticket.md", "dasselbe aus einer Pipe"],
      ['fettle task "ein Schalter --json" --strict', "alles ablehnen, was der Plan nicht enthält"],
      ["fettle task abandon 3fa2", "beenden, wie zweimal Strg-C; Strg-D und fettle stop heben sie für später auf"],
      ["fettle demo task", "eine sehen, ohne Modell und ohne Schlüssel"],
    ],
    exits: ended,
  },
  lessons: {
    list: {
      examples: [["fettle task list", "wer auf wen wartet und was jede gekostet hat"]],
      exits: [["0", "aufgelistet"]],
    },
    show: {
      examples: [
        ["fettle task show", "die neueste"],
        ["fettle task show 3fa2", "der Anfang einer Kennung genügt"],
        ["fettle task show 3fa2 --plan", "der Plan, genau wie er vorgelegt wurde"],
        ["fettle task show 3fa2 --diff --evidence", "was getan wurde und was es zeigt"],
        ["fettle task show 3fa2 --json | jq .task.evidence", "für Programme"],
      ],
      exits: looked,
    },
    watch: {
      examples: [
        ["fettle task watch", "aus einem anderen Terminal die laufende: Schritte, worauf jeder wartet, Kosten"],
        ["fettle task watch 3fa2 --json | jq .waiting", "ein Objekt je Zeile, wann immer sich etwas ändert"],
      ],
      exits: ended,
    },
    resume: {
      examples: [
        ["fettle task resume", "die neueste, die nicht vorbei ist: nach Absturz, Pause oder Neustart"],
        ["fettle task resume 3fa2", "eine andere"],
      ],
      exits: ended,
    },
    replay: {
      examples: [["fettle task replay 3fa2", "würde wieder so entschieden wie damals?"]],
      exits: [
        ["0", "wie damals"],
        ["1", "etwas weicht ab"],
        ["2", "keine solche Aufgabe"],
      ],
    },
    replan: {
      examples: [
        [
          'fettle task replan 3fa2 "die Schnittstelle bleibt"',
          "bei jedem Schritt; der Planende erfährt, was getan wurde",
        ],
        ['fettle task approve 3fa2 --with "die Schnittstelle bleibt"', "dasselbe, wo ihr Plan auf eine Antwort wartet"],
      ],
      exits: ended,
    },
    abandon: {
      examples: [
        [
          "fettle task abandon 3fa2",
          "ihr Branch bleibt, was nicht committet ist, geht verloren; fettle stop pausiert nur",
        ],
      ],
      exits: [
        ["0", "beendet"],
        ["2", "keine solche Aufgabe, oder sie ist schon zu Ende"],
      ],
    },
    answer: {
      examples: [
        ['fettle task answer 3fa2 "reparieren, nicht umbauen"', "was sie gefragt hat, bevor sie planen konnte"],
      ],
      exits: ended,
    },
    approve: {
      examples: [
        ["fettle task approve", "die einzige, die wartet; sie geht weiter"],
        ['fettle task approve 3fa2 --with "auch im README erwähnen"', "nicht so, sondern damit: wird wieder vorgelegt"],
        ["fettle task approve 3fa2 --as bob", "im Namen einer anderen Identität"],
        [
          "fettle approve 51c0",
          "aus irgendeinem Lauf, irgendeiner Aufgabe: eine Anfrage mit ihrer eigenen Kennung (fettle approvals)",
        ],
      ],
      exits: ended,
    },
    reject: {
      examples: [
        [
          'fettle task reject 3fa2 --why "das ändert die Schnittstelle"',
          "wird damit neu geplant und wartet wieder auf eine Antwort",
        ],
        ['fettle task replan 3fa2 "die Schnittstelle bleibt"', "dasselbe, in jedem Moment der Aufgabe"],
        ["fettle task abandon 3fa2", "sie endet"],
        [
          'fettle deny 51c0 --why "den Cache nehmen"',
          "aus irgendeinem Lauf, irgendeiner Aufgabe: eine Anfrage mit ihrer eigenen Kennung; die Arbeit geht weiter",
        ],
      ],
      exits: [
        ["0", "abgelehnt, wo ein Prozess daran arbeitet"],
        ["3", "zurückgewiesen: mit dem Grund neu geplant, wartet auf eine Genehmigung"],
        ["2", "falscher Aufruf: kein Grund, keine solche Aufgabe, nichts zu beantworten"],
      ],
    },
  },
};
