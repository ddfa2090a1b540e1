import type { words } from "../../cli/commands/skills.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const skills: Translation<typeof words> = {
  help: {
    list: "alle Skills und was an ihnen nicht stimmt",
    show: "ein Skill, seine Dateien und was davon keine Wirkung hat",
    add: "den Ordner eines Skills zu den eigenen kopieren",
    test: "einen Ordner so prüfen, wie es die Referenz von agentskills.io tut (Exit-Code 1 bei einem Fehler)",
    commands: "eigene Befehle und was jeder davon zuerst ausführt",
  },
  lesson: {
    examples: [
      ["fettle skills list", "die eigenen und die des Repositorys"],
      ["fettle skills show pdf", "wofür es gut ist, und seine Dateien"],
      ["fettle skills test ./pdf", "bevor es benutzt oder veröffentlicht wird"],
      ["fettle skills add ./pdf", "nach ~/.config/fettle/skills, für alle Projekte"],
      ["fettle skills commands", "was sich außerdem hinter einem Schrägstrich eingeben lässt"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["1", "test: der Ordner hält sich nicht an das Format"],
      ["2", "falsch benutzt, oder es gibt keinen solchen Skill"],
    ],
  },
  none: "Es gibt keine Skills. Einer gehört nach ~/.config/fettle/skills/NAME/SKILL.md.",
  noCommands: "Es gibt keine eigenen Befehle. Einer gehört nach ~/.config/fettle/commands/NAME.md.",
  broken: (place: string, problem: string) => `${place}: ${problem}.`,
  good: (place: string, name: string) => `${place} ist der Skill ${name}.`,
  added: (name: string) => `Hinzugefügt. Mit /${name} benutzen, oder das Modell wählt ihn selbst.`,
  name: "Name",
  of: "von",
  what: "wofür",
  runs: "führt zuerst aus",
  origins: { user: "eigen", project: "Repository" },
  license: "Lizenz",
  compatibility: "braucht",
  files: "Dateien",
  used: "benutzt von",
  users: (model: boolean, person: boolean) =>
    model && person ? "dem Modell und von Hand" : model ? "dem Modell" : person ? "von Hand" : "niemandem",
  shadowed: "nicht benutzt: ein anderer dieses Namens geht vor",
  unknown: (name: string) => `Es gibt keinen Skill ${name}.`,
  unknownRemedy: "Alle anzeigen: fettle skills list",
  count: (count: number) => plural(count, "file"),
};
