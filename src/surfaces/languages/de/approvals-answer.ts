import type { words } from "../../cli/commands/approvals/answer.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const approvalsAnswer: Translation<typeof words> = {
  counted: (id, have, need) =>
    `Diese Genehmigung der Anfrage ${id} zählt: ${have} von ${need}, ${need - have} fehlen noch.`,
  denied: (id) => `Die Anfrage ${id} ist abgelehnt.`,
  approvedLike: (id) => `Die Anfrage ${id} ist genehmigt, und in dieser Sitzung auch Ähnliches:`,
  approvedAlways: (id) => `Die Anfrage ${id} ist genehmigt, und dasselbe ab jetzt immer.`,
  alwaysAdded: (file) => `In ${file} geschrieben; zum Zurücknehmen diese Zeilen löschen:`,
  approvedSession: (id) => `Die Anfrage ${id} ist genehmigt, und dasselbe noch einmal in dieser Sitzung.`,
  approved: (id) => `Die Anfrage ${id} ist genehmigt.`,
};
