import type { words } from "../../cli/commands/router/index.ts";
import type { Translation } from "../../phrases/phrases.ts";

const done = [
  ["0", "gezeigt"],
  ["2", "falscher Aufruf"],
];

export const router: Translation<typeof words> = {
  help: {
    resetArm: "nur von diesem Modell",
    resetType: "nur in dieser Art von Arbeit",
    ratedSession: "der letzte Durchgang dieser Sitzung",
    routedModel: "auto, oder eine Größe oder ein Wort von router.tiers: small, medium, large, best",
    mission: "wie dieser Auftrag einer Aufgabe, oder dieser Subagent",
    planOnly: "wie im Modus plan",
    simulatedRounds: "Stücke Arbeit",
    simulatedArms: "Modelle, 2 bis 12",
    seed: "dieselbe Zahl macht dieselben Welten",
    scenario: "nur dieses: steady, drift, shifts, decay oder newcomer",
    stats: "was gelernt wurde: jedes Modell in jeder Art von Arbeit",
    reset: "vergessen, was gelernt wurde",
    good: "der letzte Durchgang war gut: der Router lernt daraus (/good in einer Sitzung)",
    bad: "der letzte Durchgang war schlecht (/bad in einer Sitzung)",
    explain: "was für eine Art Arbeit eine Eingabe ist und wie ihr Modell gewählt würde; nichts wird gefragt",
    simulate: "wie der Router in erdachten, sich ändernden Welten abschneidet, gegen andere Arten zu wählen",
  },
  lesson: {
    examples: [
      ['fettle -m auto "repariere den Test"', "den Router das Modell wählen lassen; er sagt, welches und warum"],
      ['fettle router explain "repariere den Test"', "dasselbe, ohne jemanden zu fragen"],
      ["fettle router stats", "was er über jedes Modell gelernt hat und woraus"],
      ['fettle router good "sofort gefunden"', "ihm sagen, dass der letzte Durchgang gut war"],
      ['fettle router bad "die Tests sind noch rot"', "oder dass er es nicht war"],
      ["fettle router reset --arm ollama/qwen3:8b", "mit einem Modell neu anfangen"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["1", "explain: kein Modell kann es; reset: die Antwort war Nein"],
      ["2", "falscher Aufruf"],
    ],
  },
  lessons: {
    stats: {
      examples: [
        ["fettle router stats", "eine Zeile für jedes Modell und jede Art von Arbeit"],
        ["fettle router stats --json | jq .arms", "für Programme"],
      ],
      exits: done,
    },
    reset: {
      examples: [
        ["fettle router reset", "alles, nach einer Frage"],
        ["fettle router reset --arm ollama/qwen3:8b --yes", "ein Modell, ohne Rückfrage"],
        ["fettle router reset --type debug", "eine Art von Arbeit, von jedem Modell"],
      ],
      exits: [
        ["0", "vergessen"],
        ["1", "die Antwort war Nein"],
        ["2", "falscher Aufruf, oder niemand da, um Ja zu sagen"],
      ],
    },
    explain: {
      examples: [
        [
          'fettle router explain "repariere den Test"',
          "die Art von Arbeit, die Punkte jedes Modells, wie wahrscheinlich jedes gefragt wird",
        ],
        ['fettle router explain --profile budget "benenne das um"', "dasselbe, wo Kosten mehr wiegen"],
        ["fettle router explain --mission verifier check the claims", "wie ein Subagent sein Modell bekäme"],
      ],
      exits: [
        ["0", "ein Modell würde gefragt"],
        ["1", "keines kann es; der Grund von jedem wird gezeigt"],
        ["2", "falscher Aufruf"],
      ],
    },
    simulate: {
      examples: [
        ["fettle router simulate", "fünf erdachte Welten: weniger Bedauern ist besser; oracle weiß alles"],
        ["fettle router simulate --scenario drift --rounds 300", "eine Welt, kürzer"],
      ],
      exits: done,
    },
  },
};
