// What there is to see of tasks: which there are, how far one is, what it came to.
import { escapeLine } from "../../../base/escape.ts";
import { Exit } from "../../../protocol/exit.ts";
import { finished } from "../../../protocol/task.ts";
import type { Context } from "../context.ts";
import { safeText } from "../render/safe-text.ts";
import { renderEvidence, renderTask, renderTasks, renderTransition } from "../render/task.ts";
import { tasks as words } from "../words/tasks.ts";

export const listTasks = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("task.list", { limit: 50 });
    if (context.options.json) context.json(rows);
    else context.lines(rows.length === 0 ? [words.none, words.begin] : renderTasks(rows, context.look(), Date.now()));
    return Exit.done;
  });

export const showTask = (context: Context, task: string, evidence: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("task.show", { task });
    const look = context.look();
    if (context.options.json) context.json(evidence ? (view.task.evidence ?? []) : view);
    else context.lines(evidence ? renderEvidence(view.task.evidence ?? [], look) : renderTask(view, look));
    return Exit.done;
  });

const watchMs = 250;

/** Each step as it happens, until the task ends or nobody works on it. */
export const watchTask = (context: Context, task: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const ended = Promise.withResolvers<number>();
    const releases = [context.host.onSignal("SIGINT", () => ended.resolve(Exit.interrupted))];
    let seen = 0;
    let told = "";
    try {
      for (;;) {
        const view = await client.read("task.show", { task });
        const fresh = view.transitions.filter(({ seq }) => seq > seen);
        for (const each of fresh) tellTransition(context, each, view.transitions);
        seen = view.transitions.at(-1)?.seq ?? 0;
        if (finished(view.task)) {
          if (!context.options.json) context.out.line(safeText(view.outcome?.text ?? ""));
          return Exit.done;
        }
        const waits = view.waiting ? words.waitsFor(view.waiting.kind, view.id) : "";
        if (waits !== told && waits !== "" && !context.options.json) context.out.line(waits);
        told = waits;
        if (!view.running) return Exit.unanswered;
        await context.out.flush();
        const code = await Promise.race([
          ended.promise,
          new Promise<undefined>((resolve) => {
            setTimeout(() => resolve(undefined), watchMs);
          }),
        ]);
        if (code !== undefined) return code;
      }
    } finally {
      for (const release of releases) release();
    }
  });

function tellTransition(
  context: Context,
  each: { seq: number } & Parameters<typeof renderTransition>[0],
  all: readonly Parameters<typeof renderTransition>[0][],
): void {
  if (context.options.json) context.out.line(JSON.stringify(each));
  else {
    const before = all.findLast(({ seq, from, to }) => seq < each.seq && from !== to)?.at ?? each.at;
    context.lines(renderTransition(each, before, context.look()));
  }
}

export const cancelTask = (context: Context, task: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const { id } = await client.read("task.show", { task });
    await client.send({ type: "task.cancel", task: id });
    if (!context.options.json) context.out.line(words.cancelled(id));
    return Exit.done;
  });

export const replayTask = (context: Context, task: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const replay = await client.read("task.replay", { task });
    const { differences, transitions, acts } = replay;
    if (context.options.json) context.json(replay);
    else {
      const { style } = context.look();
      const lines = differences.flatMap(({ about, what, was, is }) => [
        `${style.red(style.symbols.failed)} ${about}: ${escapeLine(what)}`,
        `    ${words.was} ${escapeLine(was)}`,
        `    ${words.is} ${escapeLine(is)}`,
      ]);
      const sum = words.replayed(transitions, acts);
      context.lines(
        differences.length === 0 ? [`${style.green(style.symbols.done)} ${sum}: ${words.same}`] : [...lines, sum],
      );
    }
    return differences.length === 0 ? Exit.done : Exit.failed;
  });
