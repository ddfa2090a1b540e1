// What the firewall sees in an action before it is judged: secrets, or the placeholders of secrets.
import type { Action, FileChange } from "../../protocol/action.ts";
import type { Assessment, Risk } from "../../protocol/effect.ts";
import type { Json } from "../../protocol/message.ts";
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
      return action.argv.some(carries) || carries(action.argv.join(" "))
        ? raised(assessment, secretInArguments, "L2", "an argument holds a secret")
        : assessment;
    case "fetch":
      return carries(spellings(action.url).join("\n"))
        ? raised(assessment, secretInArguments, "L3", "the URL holds a secret, which would be sent away")
        : assessment;
    case "mcp":
      return carries(JSON.stringify([action.input, action.inputs ?? null])) ||
        [...textsIn(action.input), ...textsIn(action.inputs ?? null)].some(carries) ||
        (action.op !== "call" && carries(spellings(action.what).join("\n")))
        ? raised(assessment, secretInArguments, "L2", "an argument holds a secret, which the server would get")
        : assessment;
    case "change":
      return action.changes.some((change) => addsSecret(change, firewall))
        ? raised(assessment, secretInContent, "L2", "the new text holds what looks like a secret")
        : assessment;
    default:
      return assessment;
  }
}

function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
}

/** Servers decode once, what stands behind them perhaps again. */
const mostDecodings = 3;

/** A URL as it is written and as it is read; one letter that cannot be decoded hides nothing of the others. */
function spellings(url: string): string[] {
  const found = [url];
  for (let at = 0; at < mostDecodings; at++) {
    const last = found[at] ?? "";
    const next = last.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString());
    if (next === last) break;
    found.push(next);
  }
  return found;
}

/** Placeholders are no secrets here: the fence puts them back into the file they came from, or refuses. */
function addsSecret(change: FileChange, firewall: Firewall): boolean {
  if (change.op === "delete") return false;
  if (change.op === "write") return firewall.redact(change.content).found.length > 0;
  return change.edits.some(({ old, new: text }) =>
    firewall.redact(text).found.some(({ from, to }) => !old.includes(text.slice(from, to))),
  );
}

export function raised(assessment: Assessment, tag: string, risk: Risk, text: string): Assessment {
  return {
    ...assessment,
    risk: higherRisk(assessment.risk, risk),
    tags: [...assessment.tags, tag],
    reasons: [...assessment.reasons, { code: `firewall.${tag}`, risk, text }],
  };
}
