import type { words } from "../../cli/commands/identity.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const identity: Translation<typeof words> = {
  help: {
    role: "als Auftraggeber: read-only, standard, privileged, admin",
    approver: "darf genehmigen als developer, senior, architect, admin",
    list: "alle, die fragen oder antworten dürfen",
    add: "einen Schlüssel für eine Identität machen: bob, token:ci, telegram:42",
    remove: "eine Identität und ihren Schlüssel entfernen",
  },
  lesson: {
    examples: [
      ["fettle identity list", "wer was ausführen und genehmigen darf und wessen Schlüssel hier liegt"],
      ["fettle identity add bob --approver senior", "bob darf genehmigen, was einen senior braucht"],
      ["fettle approve 3f2a --as bob", "in seinem Namen, mit seinem Schlüssel"],
      ["fettle identity remove token:ci", "samt Schlüssel"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["2", "keine solche Identität, oder keine solche Rolle"],
    ],
  },
  identity: "Identität",
  surface: "von",
  runs: "als Auftraggeber",
  approves: "darf genehmigen als",
  key: "Schlüssel",
  you: "diese Person",
  noKey: "kein Schlüssel hier",
  added: (name) => `${name} kann jetzt antworten: fettle approve ID --as ${name}`,
  removed: (name) => `${name} ist entfernt; Antworten von dort zählen nicht mehr.`,
  badRole: (value, roles) => `„${value}“ ist keine Rolle; möglich sind ${roles.join(", ")}.`,
};
