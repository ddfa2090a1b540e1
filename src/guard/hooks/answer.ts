// What a hook's run says. Whatever cannot be understood is a denial where the hook decides.
import { jsonOf } from "../../base/json-text.ts";
import { toldEvents } from "../../io/config/hook-values.ts";
import type { HookSettings } from "../../io/config/setting-kinds.ts";
import type { Json } from "../../protocol/message.ts";
import { failure, type HookRun } from "./run.ts";

/** `failed`: it did not answer as it should; `reason` says how. */
export interface HookAnswer {
  verdict: "abstain" | "ask" | "deny";
  reason: string;
  failed?: true;
  /** Another input for the call. */
  input?: Json;
  /** Words for the model, as data. */
  context?: string;
  /** Words for the person. */
  message?: string;
}

const longest = { reason: 500, context: 10_000 };
const cut = (text: string, most: number): string => {
  const plain = text.toWellFormed().trim();
  return plain.length <= most ? plain : `${plain.slice(0, most - 1)}…`;
};
/** One line for people. */
export const briefly = (text: string): string => cut(text.replace(/\s+/g, " "), longest.reason);
/** What sends the model back to work it reads in full, such as the output of a check. */
const reasonOf = (hook: HookSettings, text: string): string =>
  hook.event === "stop" ? cut(text, longest.context) : briefly(text);

export const abstains: HookAnswer = { verdict: "abstain", reason: "" };

/** `failed` denies where the hook decides and is only told where it does not. */
const failed = (hook: HookSettings, reason: string): HookAnswer => ({
  verdict: hook.deciding ? "deny" : "abstain",
  reason: briefly(reason).replace(/\.$/, ""),
  failed: true,
});

export function answerOf(hook: HookSettings, run: HookRun): HookAnswer {
  const problem = failure(hook, run);
  if (problem !== undefined) return failed(hook, problem);
  // Exit 2 is a refusal in words, as the hooks of other agents give it.
  if (run.code === 2) return refusal(hook, run.stderr || run.stdout);
  if (run.code !== 0) return failed(hook, `it ended with exit code ${run.code}${lastLine(run.stderr)}`);
  if (toldEvents.includes(hook.event)) return abstains;
  const text = run.stdout.trim();
  if (text === "") return silent(hook);
  const value = parsed(text);
  if (value) return read(hook, value);
  // For other agents, too, what a hook prints when a session begins or is compacted is context.
  if (hook.event === "session_start" || hook.event === "before_compaction" || hook.event === "user_prompt")
    return { ...abstains, context: cut(text, longest.context) };
  return failed(hook, "what it printed is no JSON object");
}

function refusal(hook: HookSettings, said: string): HookAnswer {
  const reason = reasonOf(hook, said) || "It gave no reason.";
  if (hook.deciding) return { verdict: "deny", reason };
  return hook.event === "after_tool" || hook.event === "session_start"
    ? { ...abstains, context: cut(said, longest.context) }
    : { ...abstains, failed: true, reason };
}

/** Claude Code takes silence for no opinion, and people's hooks rely on it; fettle's own must say so. */
const silent = (hook: HookSettings): HookAnswer =>
  hook.dialect === "claude" || !hook.deciding ? abstains : failed(hook, "it answered nothing");

function parsed(text: string): { [key: string]: Json } | undefined {
  const value = jsonOf(text) as Json | undefined;
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

const lastLine = (text: string): string => {
  const line = text.trim().split("\n").at(-1)?.trim() ?? "";
  return line === "" ? "" : `: ${line}`;
};

const ownKeys = ["action", "reason", "input", "context", "message"];
const claudeKeys = ["decision", "continue", "stopReason", "suppressOutput", "systemMessage", "hookSpecificOutput"];
const specificKeys = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
];

/** A hook only tightens: allowing is no more than having nothing against it. */
const verdicts: Readonly<Record<string, HookAnswer["verdict"]>> = {
  allow: "abstain",
  approve: "abstain",
  abstain: "abstain",
  transform: "abstain",
  ask: "ask",
  deny: "deny",
  block: "deny",
};
const verdictOf = (word: Json): HookAnswer["verdict"] | undefined =>
  typeof word === "string" && Object.hasOwn(verdicts, word) ? verdicts[word] : undefined;

function read(hook: HookSettings, answer: { [key: string]: Json }): HookAnswer {
  const specific = answer["hookSpecificOutput"] ?? {};
  if (typeof specific !== "object" || specific === null || Array.isArray(specific))
    return failed(hook, "its hookSpecificOutput is no object");
  const unknown = [
    ...Object.keys(answer).filter((key) => !ownKeys.includes(key) && !claudeKeys.includes(key)),
    ...Object.keys(specific).filter((key) => !specificKeys.includes(key)),
  ];
  // A misspelt word must not pass for no opinion.
  if (unknown.length > 0 && hook.dialect === "fettle")
    return failed(hook, `its answer has an unknown key ${unknown[0]}`);
  const words = [answer["action"], answer["decision"], specific["permissionDecision"]].filter(
    (word) => word !== undefined,
  );
  const said = words.map(verdictOf);
  const odd = said.indexOf(undefined);
  if (odd >= 0)
    return failed(hook, `its answer ${JSON.stringify(words[odd])} is not one of ${Object.keys(verdicts).join(", ")}`);
  if (hook.dialect === "fettle" && hook.deciding && words.length === 0 && answer["continue"] === undefined)
    return failed(hook, "its answer has no action");
  const input = answer["input"] ?? specific["updatedInput"];
  if (answer["action"] === "transform" && input === undefined) return failed(hook, "it transforms without an input");
  const stops = answer["continue"] === false;
  const verdict = stops || said.includes("deny") ? "deny" : said.includes("ask") ? "ask" : "abstain";
  return collected({ hook, answer, specific, verdict, input });
}

function collected(found: {
  hook: HookSettings;
  answer: { [key: string]: Json };
  specific: { [key: string]: Json };
  verdict: HookAnswer["verdict"];
  input: Json | undefined;
}): HookAnswer {
  const { hook, answer, specific, verdict, input } = found;
  const text = (...values: (Json | undefined)[]): string =>
    String(values.find((value) => typeof value === "string" && value.trim() !== "") ?? "");
  const why = text(specific["permissionDecisionReason"], answer["reason"], answer["stopReason"]);
  const reason = reasonOf(hook, why);
  const said = text(specific["additionalContext"], answer["context"]);
  // What happened cannot be refused any more: the words of the refusal reach the model.
  const late = hook.event === "after_tool" && verdict === "deny" ? why : "";
  const context = cut([said, late].filter(Boolean).join("\n"), longest.context);
  const message = briefly(text(answer["systemMessage"], answer["message"]));
  return {
    verdict: hook.deciding ? verdict : "abstain",
    reason: reason || (verdict === "abstain" ? "" : "It gave no reason."),
    ...(input !== undefined && { input }),
    ...(context !== "" && { context }),
    ...(message !== "" && { message }),
  };
}
