// `fettle task watch`: live progress of a task that another process works on.
import type { Client } from "../../../../protocol/client.ts";
import type { StoredFact } from "../../../../protocol/event.ts";
import { Exit, exitOfTask } from "../../../../protocol/exit.ts";
import { finished, type TaskView } from "../../../../protocol/task.ts";
import type { Context } from "../../host/context.ts";
import { onLeaving } from "../../host/leaving.ts";
import { safeText } from "../../text/safe-text.ts";
import { renderTaskApproval } from "../../render/task-approval.ts";
import { wrap } from "../../text/width.ts";
import { Repainted } from "../../host/repainted.ts";
import { TaskLog } from "../../task/log.ts";
import { meantTask } from "../../task/meant.ts";
import { type Step, TaskProgress, type Wait } from "../../task/progress.ts";
import { costText, progressLines, waitText } from "../../task/steps.ts";
import { tasks as words } from "../../words/tasks.ts";

const lookMs = 200;

/** Ends with the task's own exit code; 3 when nobody works on it and somebody is awaited. */
export async function watchTask(context: Context, named: string | undefined): Promise<number> {
  const task = await meantTask(context, named, "watch");
  return context.with({ headless: true }, async (client) => {
    const ended = Promise.withResolvers<number>();
    const release = onLeaving(context.host, ended.resolve);
    const view = displayFor(context);
    try {
      return await watch(client, task, { view, ended: ended.promise });
    } finally {
      await view.close();
      release();
    }
  });
}

interface Display {
  show(progress: TaskProgress, fresh: readonly StoredFact[], view: TaskView): void;
  over(progress: TaskProgress, view: TaskView): void;
  close(): Promise<void>;
}

async function watch(
  client: Client,
  task: string,
  { view: display, ended }: { view: Display; ended: Promise<number> },
): Promise<number> {
  const progress = new TaskProgress();
  let seen = 0;
  for (;;) {
    const view = await client.read("task.show", { task });
    const lines = await client.read("session.export", { session: view.session, after: seen });
    const fresh = lines.map((line) => JSON.parse(line) as StoredFact);
    seen = fresh.at(-1)?.seq ?? seen;
    for (const fact of fresh) progress.follow(fact);
    display.show(progress, fresh, view);
    const over = finished(view.task);
    if (over || !view.running) {
      display.over(progress, view);
      return over ? exitOfTask(view) : Exit.unanswered;
    }
    const pause = new Promise<undefined>((resolve) => {
      setTimeout(() => resolve(undefined), lookMs);
    });
    const code = await Promise.race([ended, pause]);
    if (code !== undefined) return code;
  }
}

function displayFor(context: Context): Display {
  const { host, options } = context;
  if (options.json) return new JsonDisplay(context);
  return host.stdout.isTTY === true && host.env["TERM"] !== "dumb"
    ? new LiveDisplay(context)
    : new LineDisplay(context);
}

/** The steps drawn anew at the bottom, a question in full above them. */
class LiveDisplay implements Display {
  readonly #context: Context;
  readonly #screen: Repainted;

  constructor(context: Context) {
    this.#context = context;
    const { stdout } = context.host;
    this.#screen = new Repainted(context.out, () => ({ columns: stdout.columns || 80, rows: stdout.rows || 24 }));
  }

  show(progress: TaskProgress, fresh: readonly StoredFact[], view: TaskView): void {
    const look = this.#context.look();
    const now = Date.now();
    const open = fresh.flatMap((fact) =>
      fact.type === "approval.asked" && fact.request.nonce === view.waiting?.nonce ? [fact.request] : [],
    );
    const page = open.flatMap((request) =>
      request.action.kind === "task"
        ? [
            "",
            ...renderTaskApproval(request, request.action, look, { now, whole: false }),
            ...words.answerIt(view.id),
            "",
          ]
        : [],
    );
    const steps = [...progressLines(progress, look, now), look.style.dim(costText(progress, look, now))];
    if (page.length > 0) this.#screen.draw(steps, page);
    else this.#screen.draw(steps);
  }

  over(progress: TaskProgress, view: TaskView): void {
    const look = this.#context.look();
    this.#screen.draw([], [...progressLines(progress, look, Date.now()), "", ...overLines(view, look.width)]);
    this.#context.out.write("\x1b[?25h");
  }

  async close(): Promise<void> {
    this.#context.out.write("\x1b[?25h");
    await this.#context.out.flush();
  }
}

/** A line for everything that happens, as the process that works on it tells it. */
class LineDisplay implements Display {
  readonly #context: Context;
  readonly #log: TaskLog;
  readonly #told = new TaskProgress();
  #waits = "";

  constructor(context: Context) {
    this.#context = context;
    this.#log = new TaskLog(
      () => context.look(),
      () => undefined,
    );
  }

  show(progress: TaskProgress, fresh: readonly StoredFact[]): void {
    for (const fact of fresh) {
      this.#told.follow(fact);
      if (fact.type.startsWith("task.")) this.#context.lines(this.#log.lines(fact, this.#told));
    }
    const { wait } = progress;
    const text = wait?.for === "approval" || wait?.for === "answer" ? waitText(wait, Date.now()) : "";
    if (text !== this.#waits && text !== "") this.#context.lines([`    ${text}`]);
    this.#waits = text;
  }

  over(_progress: TaskProgress, view: TaskView): void {
    this.#context.lines(overLines(view, this.#context.look().width));
  }

  close(): Promise<void> {
    return this.#context.out.flush();
  }
}

const waitOf = ({ for: kind, what, since, until }: Wait): Wait => ({
  for: kind,
  ...{ what, since },
  ...(until !== undefined && { until }),
});

interface Snapshot {
  task: string;
  state: string;
  steps: Step[];
  waiting?: Wait;
  cost: number | null;
  outcome?: TaskView["outcome"];
}

/** One object a line whenever a step, a wait or the cost is another. */
class JsonDisplay implements Display {
  readonly #context: Context;
  #last = "";

  constructor(context: Context) {
    this.#context = context;
  }

  show(progress: TaskProgress, _fresh: readonly StoredFact[], view: TaskView): void {
    const { wait, cost } = progress;
    const state = {
      state: view.state,
      ...(wait && { waiting: waitOf(wait) }),
      cost,
      ...(view.outcome && { outcome: view.outcome }),
    };
    const steps = progress.steps(Date.now());
    const key = JSON.stringify([state, steps.map(({ mark, detail, visits }) => [mark, detail, visits])]);
    if (key === this.#last) return;
    this.#last = key;
    const snapshot: Snapshot = { task: view.id, ...state, steps };
    this.#context.out.line(JSON.stringify(snapshot));
  }

  over(): void {
    // The last snapshot has said it.
  }

  close(): Promise<void> {
    return this.#context.out.flush();
  }
}

function overLines({ id, outcome, unsigned, asks }: TaskView, width: number): string[] {
  if (outcome) return wrap(safeText(outcome.text), width);
  if (asks !== undefined) return wrap(`${safeText(asks)} ${words.answerQuestion(id)}`, width);
  return wrap(unsigned ? `${words.unsigned[unsigned]}: ${words.answerIt(id).join("   ")}` : words.goOn(id), width);
}
