// What the firewall sees in an action before it is judged: secrets, or the placeholders of secrets.
import type { Action, FileChange } from "../../protocol/action.ts";
import type { Assessment, Risk } from "../../protocol/effect.ts";
import { higherRisk } from "../../protocol/risk.ts";
import { type Firewall, holdsMark } from "./firewall.ts";
import { secretInArguments, secretInContent } from "./tags.ts";

/** The assessment, raised where the action itself carries a secret. Its digest stays: it binds the action already. */
export function withSecretFindings(action: Action, assessment: Assessment, firewall: Firewall): Assessment {
  const carries = (text: string) => holdsMark(text) || firewall.redact(text).found.length > 0;
  switch (action.kind) {
    case "shell":
      return carries(action.command)
        ? raised(assessment, secretInArguments, "L2", "the command holds a secret")
        : assessment;
    case "program":
      return action.argv.some(carries)
        ? raised(assessment, secretInArguments, "L2", "an argument holds a secret")
        : assessment;
    case "fetch":
      return carries(safeDecoded(action.url))
        ? raised(assessment, secretInArguments, "L3", "the URL holds a secret, which would be sent away")
        : assessment;
    case "change":
      return action.changes.some((change) => addsSecret(change, firewall))
        ? raised(assessment, secretInContent, "L2", "the new text holds what looks like a secret")
        : assessment;
    default:
      return assessment;
  }
}

function safeDecoded(url: string): string {
  try {
    return `${url}\n${decodeURIComponent(url)}`;
  } catch (error) {
    if (error instanceof URIError) return url;
    throw error;
  }
}

/** Placeholders are no secrets here: the fence puts them back into the file they came from, or refuses. */
function addsSecret(change: FileChange, firewall: Firewall): boolean {
  if (change.op === "delete") return false;
  if (change.op === "write") return firewall.redact(change.content).found.length > 0;
  return change.edits.some((edit) => firewall.redact(edit.new).found.length > firewall.redact(edit.old).found.length);
}

export function raised(assessment: Assessment, tag: string, risk: Risk, text: string): Assessment {
  return {
    ...assessment,
    risk: higherRisk(assessment.risk, risk),
    tags: [...assessment.tags, tag],
    reasons: [...assessment.reasons, { code: `firewall.${tag}`, risk, text }],
  };
}
