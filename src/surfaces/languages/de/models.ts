import type { words } from "../../cli/commands/models/index.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const models: Translation<typeof words> = {
  help: {
    allModels: "auch die, die niemand eingerichtet hat, und was jedes braucht",
    probeCost: "keine Anfrage senden, die die Kosten darüber bringen könnte",
    noWindow: "nicht ausprobieren, wie viel es liest; das braucht die langen Anfragen",
    price: "setzen, was ein Modell kostet, in US-Dollar je Million Tokens Eingabe und Ausgabe",
    probe:
      "mit echten Anfragen ausprobieren, was ein Modell kann und wie viel es wirklich liest; sagt vorher, was das kostet",
  },
  lesson: {
    examples: [
      ["fettle models", "was eingerichtet ist und ob es antwortet"],
      ["fettle models --all", "was fettle sonst kennt und was jedes braucht"],
      ["fettle models anthropic", "die eines Anbieters"],
      ["fettle models probe ollama/qwen3:8b", "echte Anfragen zeigen, was es kann und liest; das wird gemerkt"],
      ["fettle models price openai/NEW 1.25 10", "was es kostet: US-Dollar je Million Tokens, Eingabe und Ausgabe"],
      ["fettle config set model.default auto", "den Router für jeden Durchgang unter ihnen wählen lassen"],
    ],
    exits: [
      ["0", "gezeigt; der Preis gesetzt"],
      ["2", "kein solches Modell, oder falscher Aufruf"],
    ],
  },
  lessons: {
    price: {
      examples: [
        [
          "fettle models price openai/NEW 1.25 10",
          "1,25 Dollar für eine Million Tokens Eingabe, 10 für ebenso viele Ausgabe",
        ],
        ["fettle models price my-server/qwen3 0 0", "es kostet nichts"],
      ],
      exits: [
        ["0", "in die eigene Konfiguration geschrieben"],
        ["2", "kein solches Modell, oder kein solcher Preis"],
      ],
    },
    probe: {
      examples: [
        ["fettle models probe ollama/qwen3:8b", "sagt, was gesendet würde und was es kostet, und fragt"],
        ["fettle models probe openai/NEW --yes --max-cost 0.50", "ohne Rückfrage, für höchstens einen halben Dollar"],
        ["fettle models probe openai/NEW --no-window", "nur drei kleine Anfragen: Werkzeuge, Bilder, Nachdenken"],
        ["fettle models probe openai/NEW --yes --json | jq .[0].contextTokens", "für Programme"],
      ],
      exits: [
        ["0", "ausprobiert; „fettle models“ und der Router richten sich nach dem Gezeigten"],
        ["1", "eines ließ sich nicht ausprobieren, oder die Antwort war Nein"],
        ["2", "kein solches Modell, oder niemand da, um Ja zu sagen"],
      ],
    },
  },
};
