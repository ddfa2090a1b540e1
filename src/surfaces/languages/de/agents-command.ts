import type { words } from "../../cli/commands/agents.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const agentsCommand: Translation<typeof words> = {
  help: {
    list: "jede Definition, und wo sie steht",
    show: "eine Definition im Ganzen",
    check: "ob eine Definitionsdatei brauchbar ist und was davon nichts bewirkt (Exit-Code 1, wenn nicht)",
    running: "die in irgendeinem Terminal dieses Projekts arbeiten",
    cancel: "einen beenden, der in einem anderen Terminal arbeitet, nach Name oder Sitzung",
  },
  lesson: {
    examples: [
      ["fettle agents list", "die von fettle, die eigenen und die des Projekts"],
      ["fettle agents show reviewer", "was einer benutzen darf und was ihm gesagt wird"],
      ["fettle agents check .fettle/agents/tester.md", "vor dem Benutzen einer eigenen Definition"],
      ["fettle agents running", "wer wo arbeitet, zu welchen Kosten"],
      ["fettle agents cancel explorer-1", "einen von hier aus beenden"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["1", "check: die Definition ist nicht brauchbar"],
      ["2", "falscher Aufruf, oder kein solcher Subagent"],
    ],
  },
  broken: (place, problem) => `${place} ${problem}.`,
  colour: "Farbe",
  every: "jedes Werkzeug außer ask",
  good: (place, name) => `${place} definiert ${name}.`,
  inherited: "das des Agenten, der ihn startet",
  model: "Modell",
  name: "Name",
  noneRunning: "In diesem Projekt arbeitet kein Subagent.",
  of: "von",
  origins: { bundled: "fettle", user: "eigener", project: "Projekt" },
  prompt: "was ihm gesagt wird:",
  role: "höchstens",
  shadowed: "nicht benutzt: ein anderer dieses Namens geht vor",
  tools: "Werkzeuge",
  unknown: (name) => `Einen Subagenten ${name} gibt es nicht.`,
  unknownRemedy: "Auflisten: fettle agents list",
  what: "wofür er da ist",
  rounds: "Runden",
};
