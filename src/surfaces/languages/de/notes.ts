import type { words } from "../../cli/commands/notes.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const notes: Translation<typeof words> = {
  help: {
    list: "jede Notiz, wer sie behalten ließ und wann",
    add: "eine Notiz für dieses Projekt behalten; in einer Sitzung: /remember",
    forget: "eine Notiz anhand ihrer Nummer streichen",
    all: "für alle Projekte, nicht nur für dieses",
  },
  lesson: {
    examples: [
      ["fettle notes list", "Ihre und die dieses Projekts"],
      ['fettle notes add "we use no default exports"', "Modelle hören sie in späteren Sitzungen dieses Projekts"],
      ['fettle notes add --all "answer in short sentences"', "in jedem Projekt"],
      ["fettle notes forget 3fa9c1", "und sie wird nicht mehr gesagt"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["2", "keine solche Notiz, oder etwas, das keine sein kann"],
    ],
  },
  none: "Es gibt keine Notizen. So behalten Sie eine: /remember wir benutzen keine Default-Exporte",
  of: { user: "alle Projekte", project: "dieses Projekt" },
  said: (date, by, where) => `${date}, ${by}, ${where}`,
  byHand: "von Hand geschrieben",
  files: "Sie sind einfaches Markdown und lassen sich beliebig bearbeiten:",
  kept: "Behalten. Sie geht mit, wenn ein Prompt davon handelt.",
  like: "Eine Notiz über dasselbe gibt es schon:",
  against:
    "Es gibt eine Notiz, die etwas anderes sagt. Die spätere gilt; streichen Sie die andere, wenn sie nicht mehr stimmt:",
  remedy: (id) => `fettle notes forget ${id}`,
  forgotten: "Vergessen.",
};
