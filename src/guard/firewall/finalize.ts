// What comes back from a call before anybody sees it: without secrets, marked as data, with its diff.
import type { Action, GateCall } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { Part } from "../../protocol/message.ts";
import type { Diff, Result } from "../../protocol/result.ts";
import { isWholeLabel, suspicions, wrapAsData } from "./data.ts";
import type { Firewall } from "./firewall.ts";
import { withoutSecrets } from "./without-secrets.ts";

interface Passed {
  call: GateCall;
  assessment: Assessment;
  diff: Diff | undefined;
}

export interface Taint {
  source: string;
  why: string;
}

export interface Finalized {
  result: Result;
  taints: Taint[];
}

export async function finalize(
  raw: Result,
  { call, assessment, diff }: Passed,
  firewall: Firewall,
): Promise<Finalized> {
  const reading = assessment.tags.includes("sensitive-read") ? "environment" : "ordinary";
  const source = sourceOf(call.action);
  const isData = source !== undefined && (raw.status === "done" || bringsOutput(call.action));
  const taints: Taint[] = [];
  if (call.action.kind === "fetch" && raw.status === "done")
    taints.push({ source: source ?? "", why: "text from the web" });
  if (call.action.kind === "mcp" && answersOf.has(call.action.op) && !assessment.tags.includes("mcp-built-in"))
    taints.push({ source: source ?? "", why: "text from an MCP server" });
  const parts: Part[] = [];
  for (const [index, part] of raw.parts.entries()) {
    if (part.type === "image") {
      taints.push({ source: source ?? call.tool, why: "an image, whose text cannot be checked" });
      parts.push(part);
      continue;
    }
    if (part.note) {
      parts.push(await ownNote(part, firewall, source ?? call.tool));
      continue;
    }
    const from = isData ? source : index > 0 ? (part.source ?? excerptSource(call)) : undefined;
    const { text } = firewall.redact(part.text, from === undefined ? "ordinary" : reading);
    if (from === undefined) {
      parts.push(text === part.text ? part : { ...part, text });
      continue;
    }
    const found = await suspicions(text);
    if (found.length > 0) taints.push({ source: taintSource(call.action) ?? from, why: found.join(", ") });
    const { source: _told, ...rest } = part;
    // The call names its own source; only a warning is better understood with it.
    const label = from === source && found.length === 0 ? undefined : from;
    parts.push({ ...rest, text: wrapAsData(text, label, found) });
  }
  const shown = raw.diff ?? (raw.status === "done" && diff && diff.files.length > 0 ? diff : undefined);
  const whole = raw.whole === undefined ? {} : { whole: withoutSecrets(raw.whole, firewall) };
  return { result: { ...raw, parts, ...(shown && { diff: shown }), ...whole }, taints };
}

/** What a server itself says. */
const answersOf: ReadonlySet<string> = new Set(["list", "call", "read", "prompt", "complete"]);

/** fettle's own words stand outside of the data, unless a name in them gives orders. */
async function ownNote(part: Extract<Part, { type: "text" }>, firewall: Firewall, source: string): Promise<Part> {
  const { text } = firewall.redact(part.text, "ordinary");
  const found = await suspicions(text);
  return { ...part, text: found.length > 0 ? wrapAsData(text, source, found) : text };
}

/** A change that does not fit says so in its first part and shows the text of the file in the next. */
function excerptSource({ action, tool }: GateCall): string | undefined {
  if (action.kind !== "change") return undefined;
  return action.changes.length === 1 ? action.changes[0]?.path : tool;
}

/** A process that failed has still printed what it read; other failures are fettle's own words. */
const bringsOutput = ({ kind }: Action): boolean =>
  kind === "shell" || kind === "program" || kind === "job" || kind === "mcp";

/** Where the text of a result comes from; undefined when it is fettle's own. */
function sourceOf(action: Action): string | undefined {
  switch (action.kind) {
    case "read":
      return action.path;
    case "search":
      return action.contents ? `grep ${action.path}` : `list ${action.path}`;
    case "shell":
      return action.background ? undefined : commandLabel(action.command, "command");
    case "program":
      return commandLabel(action.argv.join(" "), action.argv[0] ?? "command");
    case "job":
      return action.job;
    case "fetch":
      return action.url;
    case "mcp":
      return action.op === "find" ? "mcp tools" : `mcp ${action.server}`;
    case "spill":
      return `spill:${action.handle}`;
    default:
      return undefined;
  }
}

/** The whole command or none of it: a part would say something else. */
function commandLabel(command: string, otherwise: string): string {
  const label = `$ ${command}`;
  return isWholeLabel(label) ? label : otherwise;
}

/** For the person, who is told what raised the taint: its command, as much of it as a line takes. */
function taintSource(action: Action): string | undefined {
  if (action.kind !== "shell" && action.kind !== "program") return undefined;
  const command = action.kind === "shell" ? action.command : action.argv.join(" ");
  return `$ ${command.length > longestTold ? `${command.slice(0, longestTold - 1)}…` : command}`;
}

const longestTold = 100;
