// `fettle task`: begin one, go on with it, answer for it.
import { tasks } from "../../words/tasks.ts";
import type { ApprovalAnswer } from "../../../../protocol/approval.ts";
import type { Command } from "../../../../protocol/client.ts";
import { Exit } from "../../../../protocol/exit.ts";
import { readLine } from "../../host/ask.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import { nearestCommand } from "../../../../base/edit-distance.ts";
import { gatherPrompt } from "../../host/prompt.ts";
import { meantTask } from "../../task/meant.ts";
import { streamTask } from "../../task/stream.ts";
import { phrases } from "../../../phrases/phrases.ts";

export const words = phrases("taskStart", {
  brokenIssue: (file: string) => `${file} is no issue: it needs JSON with a title or a body.`,
  likely: (word: string, near: string) => `There is no command 'task ${word}'; did you mean 'fettle task ${near}'?`,
  likelyRemedy: (text: string) => `To begin a task with these words: fettle task -- ${text}`,
  nothing: "The task says nothing.",
  nothingRemedy: 'Say it: fettle task "fix the rounding bug", or --file FILE, or pipe it: fettle task < ticket.md',
  question: "What is to be done? ",
  twoOutcomes: "A task is proposed or left on its branch, not both.",
  twoOutcomesRemedy: "Give --pr or --no-merge.",
  whichRemedy: (ids: readonly string[]) => ids.map((id) => `fettle task show ${id}`).join("\n"),
  whyNeeded: "A rejection needs a reason.",
  whyRemedy: (id: string) => `Give it: fettle task reject ${id} --why "it changes the interface"`,
  answered: (id: string) => `Task ${id} has your answer and goes on.`,
  approved: (id: string) => `Request ${id} is approved.`,
  denied: (id: string) => `Request ${id} is denied.`,
});

export interface TaskFlags {
  file?: string;
  issue?: string;
  strict?: true;
  merge: boolean;
  /** It is proposed as a pull request. */
  pr?: true;
}

const taskCommandNames = [
  "list",
  "show",
  "watch",
  "resume",
  "replay",
  "replan",
  "abandon",
  "answer",
  "approve",
  "reject",
] as const;

export async function startTask(context: Context, typed: readonly string[], flags: TaskFlags): Promise<number> {
  const { strict = false, merge, pr: propose } = flags;
  if (propose && !merge) throw usageFault(words.twoOutcomes, words.twoOutcomesRemedy);
  const said = await requestOf(context, typed, flags);
  if (said.text.trim() === "" && said.issue === undefined) throw usageFault(words.nothing, words.nothingRemedy);
  return follow(context, { type: "task.start", ...said, strict, merge, ...(propose && { propose }) });
}

async function requestOf(
  context: Context,
  typed: readonly string[],
  { file, issue }: TaskFlags,
): Promise<{ text: string; source?: string; issue?: string }> {
  const { host, interactive, options } = context;
  const own = typed.join(" ");
  if (issue !== undefined && /^https?:\/\//i.test(issue)) return { text: own, issue };
  if (issue !== undefined) return { text: issueText(issue, await host.readText(issue)), source: `issue ${issue}` };
  if (file !== undefined) return { text: [own, (await host.readText(file)).trim()].filter(Boolean).join("\n\n") };
  if (own !== "") return { text: refuseTypos(typed) };
  if (interactive && !options.json) return { text: (await readLine(context, words.question)) ?? "" };
  const warn = (text: string) => context.err.line(text);
  const [piped] = await gatherPrompt({ typed: "", stdin: host.stdin, warn });
  return { text: piped?.type === "text" ? piped.text : "" };
}

/** What people say for a command that has another name; ID where the task's belongs. */
const otherWords: Readonly<Record<string, string>> = {
  ...{
    diff: "show ID --diff",
    plan: "show ID --plan",
    evidence: "show ID --evidence",
    status: "show ID",
    log: "show ID",
  },
  ...{
    stop: "abandon ID",
    abort: "abandon ID",
    kill: "abandon ID",
    revise: 'replan ID "…"',
    deny: 'reject ID --why "…"',
    continue: "resume ID",
  },
};

/** A word that is nearly a command of its own, alone or before what looks like a task's name, was hardly meant as a task. */
function refuseTypos(typed: readonly string[]): string {
  const [first = "", second, ...more] = typed;
  const text = typed.join(" ");
  const alone = second === undefined || (more.length === 0 && /^[0-9a-f]{3,8}$/.test(second));
  if (!alone || first.includes(" ")) return text;
  const other = Object.hasOwn(otherWords, first) ? otherWords[first]?.replace("ID", second ?? "ID") : undefined;
  const near = other ?? nearestCommand(first, taskCommandNames);
  if (near === undefined) return text;
  throw usageFault(words.likely(first, near), words.likelyRemedy(text));
}

/** As GitHub's API tells of one; what others wrote is data. */
function issueText(file: string, text: string): string {
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const { title, body } =
    typeof read === "object" && read !== null ? (read as { title?: unknown; body?: unknown }) : {};
  const parts = [title, body].filter((part): part is string => typeof part === "string" && part.trim() !== "");
  if (parts.length === 0) throw usageFault(words.brokenIssue(file));
  return parts.join("\n\n");
}

export async function resumeTask(context: Context, named: string | undefined): Promise<number> {
  return follow(context, { type: "task.resume", task: await meantTask(context, named, "resume") });
}

export async function answerQuestion(context: Context, task: string, said: string): Promise<number> {
  const view = await context.with({ headless: true }, (client) => client.read("task.show", { task }));
  if (!view.running || view.asks === undefined) return follow(context, { type: "task.resume", task, said });
  await context.with({ headless: true }, (client) => client.send({ type: "task.answer", task: view.id, text: said }));
  if (!context.options.json) context.out.line(words.answered(view.id));
  return Exit.done;
}

export const replanTask = (context: Context, task: string, otherwise: string): Promise<number> =>
  follow(context, { type: "task.resume", task, otherwise });

interface Given {
  /** Undefined: the only one that waits. */
  task: string | undefined;
  as: string | undefined;
  /** Of the plan or the result that was shown. */
  digest?: string;
}

/** Throws a Fault when none waits, or several do. */
const waitingTask = (context: Context): Promise<string> =>
  context.with({ headless: true }, async (client) => {
    const waiting = (await client.read("task.list", { limit: 100 })).filter(({ unsigned }) => unsigned !== undefined);
    const [only] = waiting;
    if (only && waiting.length === 1) return only.id;
    if (!only) throw usageFault(tasks.noneWaits, tasks.listThem);
    throw usageFault(tasks.severalWait(waiting.length), words.whichRemedy(waiting.map(({ id }) => id)));
  });

/** A task that a process works on is answered there; any other goes on here with the answer. */
export async function answerTask(context: Context, given: Given, answer: ApprovalAnswer): Promise<number> {
  const { as, digest } = given;
  const by = { ...(as !== undefined && { as }), ...(digest !== undefined && { digest }) };
  const task = given.task ?? (await waitingTask(context));
  const view = await context.with({ headless: true }, (client) => client.read("task.show", { task }));
  if (!view.running || !view.waiting) return follow(context, { type: "task.resume", task: view.id, answer, ...by });
  const { nonce } = view.waiting;
  return context.with({ headless: true }, async (client) => {
    await client.send({ type: "approval.answer", nonce, answer, ...(as !== undefined && { as }) });
    if (!context.options.json)
      context.out.line(answer.kind === "approve" ? words.approved(nonce.slice(0, 8)) : words.denied(nonce.slice(0, 8)));
    return Exit.done;
  });
}

export const approveTask = (context: Context, given: Given & { changes: string | undefined }): Promise<number> =>
  answerTask(
    context,
    given,
    given.changes === undefined ? { kind: "approve" } : { kind: "deny", reason: given.changes, revise: true },
  );

export function rejectTask(context: Context, given: Given & { why: string | undefined }): Promise<number> {
  const reason = given.why?.trim();
  if (!reason) throw usageFault(words.whyNeeded, words.whyRemedy(given.task ?? "ID"));
  return answerTask(context, given, { kind: "deny", reason });
}

/** In a terminal its steps are drawn and its questions asked; else it is told as lines. */
async function follow(context: Context, start: Command): Promise<number> {
  if (!context.interactive || context.options.json) return streamTask(context, start);
  const { followInTerminal } = await import("../../terminal/alone.ts");
  return followInTerminal(context, start);
}
