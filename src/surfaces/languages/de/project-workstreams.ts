import type { words } from "../../cli/commands/project/workstreams.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectWorkstreams: Translation<typeof words> = {
  help: {
    workstreams: "das Hauptprojekt und seine Arbeitsstränge, was jeder erledigt hat und was als Nächstes kommt",
    status: "wo ein Arbeitsstrang steht, oder der, an dem gearbeitet wird",
    create:
      "einen Arbeitsstrang mit eigener Roadmap, eigenem Stand und eigenen Anforderungen beginnen und daran arbeiten",
    switch: "an einem anderen Arbeitsstrang arbeiten, oder wieder am Hauptprojekt",
    complete: "einen Arbeitsstrang nach .planning/milestones ablegen; keine seiner Phasen darf offen sein",
  },
  main: "das Hauptprojekt",
  examples: {
    workstreams: [["fettle project workstreams --json", "jeder als JSON"]],
    status: [["fettle project workstreams status auth", "nur dieser"]],
    create: [["fettle project workstreams create auth", "Dateien in .planning/workstreams/auth"]],
    switch: [
      ["fettle project workstreams switch auth", "jeder Befehl des Projekts handelt von da an von auth"],
      ["fettle project workstreams switch --main", "und wieder vom Hauptprojekt"],
    ],
    complete: [["fettle project workstreams complete auth --dry-run", "wohin seine Dateien kämen"]],
  },
  exits: [
    ["0", "gezeigt oder geschrieben"],
    ["2", "falscher Aufruf, kein solcher Arbeitsstrang, oder Phasen von ihm sind offen"],
  ],
  mainRow: "(Hauptprojekt)",
  active: "in Arbeit",
  name: "Arbeitsstrang",
  phases: "Phasen fertig",
  plans: "Pläne fertig",
  next: "was als Nächstes kommt",
  one: "Nennen Sie einen Arbeitsstrang, oder sagen Sie --main.",
  oneRemedy: "Auflisten: fettle project workstreams",
  none: (name: string) => `Es gibt keinen Arbeitsstrang ${name}.`,
};
