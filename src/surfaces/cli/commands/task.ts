// `fettle task`: begin one, follow it, answer for it, look at it.
import type { ApprovalAnswer, ApprovalRequest } from "../../../protocol/approval.ts";
import type { Client, Command } from "../../../protocol/client.ts";
import type { Event } from "../../../protocol/event.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../context.ts";
import { asFault, failureOf, usageFault } from "../failure.ts";
import { Log } from "../log.ts";
import { renderApproval } from "../render/approval.ts";
import { safeText } from "../render/safe-text.ts";
import { renderTaskEvent } from "../render/task.ts";
import { wrap } from "../render/width.ts";
import { Lines } from "../session/lines.ts";
import { approvals } from "../words/approvals.ts";
import { tasks as words } from "../words/tasks.ts";

export interface TaskWish {
  words: readonly string[];
  file: string | undefined;
  issue: string | undefined;
  strict: boolean;
  merge: boolean;
}

export async function startTask(context: Context, wish: TaskWish): Promise<number> {
  const said = await requestOf(context, wish);
  if (said.text.trim() === "") throw usageFault(words.nothing, words.nothingRemedy);
  return follow(context, { type: "task.start", ...said, strict: wish.strict, merge: wish.merge });
}

async function requestOf(
  { host }: Context,
  { words: typed, file, issue }: TaskWish,
): Promise<{ text: string; source?: string }> {
  const own = typed.join(" ");
  if (issue !== undefined) return { text: issueText(issue, await host.readText(issue)), source: `issue ${issue}` };
  if (file === undefined) return { text: own };
  return { text: [own, (await host.readText(file)).trim()].filter(Boolean).join("\n\n") };
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

export const resumeTask = (context: Context, task: string): Promise<number> =>
  follow(context, { type: "task.resume", task });

interface Given {
  task: string;
  as: string | undefined;
}

/** A task that a process works on is answered there; any other goes on here with the answer. */
async function answerTask(context: Context, { task, as }: Given, answer: ApprovalAnswer): Promise<number> {
  const by = as === undefined ? {} : { as };
  const view = await context.with({ headless: true }, (client) => client.read("task.show", { task }));
  if (!view.running || !view.waiting) return follow(context, { type: "task.resume", task, answer, ...by });
  const { nonce } = view.waiting;
  return context.with({ headless: true }, async (client) => {
    await client.send({ type: "approval.answer", nonce, answer, ...by });
    if (!context.options.json)
      context.out.line(
        answer.kind === "approve" ? approvals.approved(nonce.slice(0, 8)) : approvals.denied(nonce.slice(0, 8)),
      );
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
  if (!reason) throw usageFault(words.whyNeeded, words.whyRemedy(given.task));
  return answerTask(context, given, { kind: "deny", reason });
}

/** From the command to where the task ends or has to wait; a first interrupt ends the task itself. */
async function follow(context: Context, start: Command): Promise<number> {
  const { host, interactive, options } = context;
  const asks = interactive && !options.json;
  return context.with({ headless: !asks }, async (client) => {
    const hurried = Promise.withResolvers<number>();
    const signals: number[] = [];
    const on = (code: number, ask: () => Promise<void>) => () => {
      signals.push(code);
      if (signals.length > 1) hurried.resolve(code);
      else ask().catch(() => hurried.resolve(code));
    };
    const releases = [
      host.onSignal(
        "SIGINT",
        on(Exit.interrupted, () => client.send({ type: "turn.stop" })),
      ),
      host.onSignal(
        "SIGTERM",
        on(Exit.terminated, () => client.close()),
      ),
      host.onSignal(
        "SIGHUP",
        on(Exit.terminated, () => client.close()),
      ),
    ];
    const follower = new Follower(context, client, asks);
    try {
      const code = await Promise.race([follower.run(start), hurried.promise]);
      // Paused because it was asked to end, not because somebody is awaited.
      return code === Exit.unanswered ? (signals[0] ?? code) : code;
    } finally {
      follower.close();
      for (const release of releases) release();
    }
  });
}

class Follower {
  readonly #context: Context;
  readonly #client: Client;
  readonly #asks: boolean;
  readonly #log: Log;
  readonly #lines: Lines | undefined;

  constructor(context: Context, client: Client, asks: boolean) {
    this.#context = context;
    this.#client = client;
    this.#asks = asks;
    if (asks) this.#lines = new Lines(context.host.stdin, (line) => void this.#say(line));
    this.#log = new Log(
      () => context.look("stderr"),
      (lines) => this.#tell(lines),
    );
  }

  close(): void {
    this.#lines?.close();
  }

  async run(start: Command): Promise<number> {
    const events = this.#client.events(await this.#known(start))[Symbol.asyncIterator]();
    let next = events.next();
    await this.#client.send(start);
    for (;;) {
      const { done, value } = await next;
      if (done) return Exit.terminated;
      next = events.next();
      if (value.type === "session.failed") throw failureOf(value);
      await this.#draw(value);
      if (value.type === "task.paused") return Exit.unanswered;
      if (value.type === "task.ended") {
        if (!this.#context.options.json) this.#context.out.write(`${safeText(value.text)}\n`);
        return value.exit;
      }
    }
  }

  /** Joins the mission that works; where none does, the person is told. */
  async #say(text: string): Promise<void> {
    try {
      await this.#client.send({ type: "prompt.send", prompt: [{ type: "text", text }] });
      this.#tell([words.joins]);
    } catch (error) {
      const fault = asFault(error);
      if (!fault) throw error;
      this.#tell([fault.message]);
    }
  }

  async #line(question: string): Promise<string | undefined> {
    // Whoever sees the question may answer at once.
    const answer = this.#lines?.next();
    this.#context.err.write(question);
    await this.#context.err.flush();
    return answer;
  }

  /** What was told when the task was left is not told again. */
  async #known(start: Command): Promise<number> {
    if (start.type !== "task.resume") return 0;
    const { session } = await this.#client.read("task.show", { task: start.task });
    return (await this.#client.read("session.export", { session })).length;
  }

  async #draw(event: Event): Promise<void> {
    const { options, out } = this.#context;
    if (options.json) {
      out.write(`${JSON.stringify(event)}\n`);
      return out.ready();
    }
    const look = this.#context.look("stderr");
    this.#tell(renderTaskEvent(event, look));
    if (event.type === "round.ended")
      this.#tell(thoughts(event, look.width).map((line) => `    ${look.style.dim(line)}`));
    if (event.type === "approval.asked" && event.request.origin !== "person") return this.#ask(event.request);
    if (event.type === "question.asked" && this.#asks) return this.#question(event);
    if (
      event.type.startsWith("task.") ||
      event.type === "turn.ended" ||
      event.type === "session.cleared" ||
      event.type === "note.added"
    )
      return;
    this.#tell(this.#log.follow(event).map((line) => `    ${line}`));
  }

  async #ask(request: ApprovalRequest): Promise<void> {
    const look = this.#context.look("stderr");
    this.#tell(renderApproval(request, look, Date.now()));
    if (!this.#asks) return;
    const answer = await this.#answer(request);
    if (answer) await this.#client.send({ type: "approval.answer", nonce: request.nonce, answer });
    else await this.#client.close();
  }

  async #question({ call, question, options }: Extract<Event, { type: "question.asked" }>): Promise<void> {
    this.#tell([safeText(question), ...options.map((option) => `  ${safeText(option)}`)]);
    const answer = await this.#line("> ");
    await this.#client.send({ type: "question.answer", call, answer: answer?.trim() ?? "" });
  }

  /** Undefined: later. */
  async #answer(request: ApprovalRequest): Promise<ApprovalAnswer | undefined> {
    const ofTask = request.kind === "plan" || request.action.kind === "task";
    for (;;) {
      const line = (await this.#line(`${ofTask ? words.choices : words.choicesTool}: `))?.trim();
      const [letter = "", ...rest] = line ?? (ofTask ? "l" : "r");
      const said = rest
        .join("")
        .replace(/^\S*\s*/, "")
        .trim();
      if (letter === "a") return { kind: "approve" };
      if (letter === "l" && ofTask) return undefined;
      if (letter === "r") return { kind: "deny", reason: said || ((await this.#line(words.rejectQuestion)) ?? "") };
      if (letter === "c" && ofTask)
        return {
          kind: "deny",
          revise: true,
          reason: said || ((await this.#line(words.changeQuestion)) ?? ""),
        };
    }
  }

  #tell(lines: readonly string[]): void {
    if (lines.length > 0 && !this.#context.options.json) this.#context.err.write(`${lines.join("\n")}\n`);
  }
}

/** What a mission says before it acts; its plans are shown otherwise. */
function thoughts(event: Extract<Event, { type: "round.ended" }>, width: number): string[] {
  const text = event.content
    .map((part) => (part.type === "text" ? part.text : ""))
    .join("")
    .trim();
  return text === "" || /^[{[`]/.test(text) ? [] : wrap(safeText(text), Math.max(20, width - 4));
}
