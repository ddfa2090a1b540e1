import type { words } from "../../cli/commands/login.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const login: Translation<typeof words> = {
  help: {
    plainFile: "ohne Schlüsselbund: eine Datei, die nur der eigene Benutzer lesen kann",
  },
  lesson: {
    examples: [
      ["fettle login anthropic", "fragt nach dem Schlüssel, ohne ihn zu zeigen, und legt ihn im Schlüsselbund ab"],
      ["pass show openai | fettle login openai", "der Schlüssel von anderswo; er ist nie ein Argument"],
      ["fettle login github", "ein Token für Pull-Requests, Issues und die CI von Aufgaben"],
    ],
    exits: [
      ["0", "abgelegt"],
      ["2", "kein solcher Anbieter, kein Schlüssel, oder kein Schlüsselbund und kein --plain-file"],
      ["130", "mit Strg-C angehalten"],
    ],
  },
  loginDone: (provider) =>
    provider === "github"
      ? "Das Token für github ist abgelegt; Aufgaben benutzen es für Pull-Requests, Issues und die CI."
      : `Der Schlüssel für ${provider} ist abgelegt. „fettle models“ zeigt, was er erreicht.`,
  loginEmpty: "Kein Schlüssel wurde angegeben.",
  loginNoKeychain: "Auf dieser Maschine gibt es keinen Schlüsselbund, den fettle benutzen kann.",
  loginNoProvider: "Kein Anbieter ist genannt.",
  loginPlain:
    "Auf dieser Maschine gibt es keinen Schlüsselbund. Den Schlüssel in einer Datei ablegen, die nur der eigene Benutzer lesen kann?",
  loginPlainRemedy:
    "Noch einmal mit --plain-file, um den Schlüssel in einer Datei abzulegen, die nur der eigene Benutzer lesen kann.",
  loginProviders: (names) => `Den Anbieter nennen, zum Beispiel: fettle login ${names}`,
  loginSecret: (provider) => `Schlüssel für ${provider} (wird nicht gezeigt): `,
  loginWhich: "Für welchen Anbieter ist der Schlüssel?",
};
