// A step of a project without a terminal: lines on standard error and what it came to on standard output, or its events.
import type { Client, Command } from "../../../protocol/client.ts";
import type { Event } from "../../../protocol/event.ts";
import { Exit } from "../../../protocol/exit.ts";
import { told } from "../../phrases/phrases.ts";
import type { Context } from "../host/context.ts";
import { failureOf } from "../host/failure.ts";
import { renderApproval } from "../render/approval.ts";
import { safeText } from "../text/safe-text.ts";
import { StepLog, sumText } from "./log.ts";
import { StepProgress } from "./progress.ts";

/** From the command to where the step ends or has to wait; a first interrupt stops it, and what is done is kept. */
export function streamStep(context: Context, start: Command): Promise<number> {
  const { host } = context;
  return context.with({ headless: true }, async (client) => {
    const hurried = Promise.withResolvers<number>();
    let signals = 0;
    const on = (code: number, ask: () => Promise<void>) => () => {
      signals += 1;
      if (signals > 1) hurried.resolve(code);
      else ask().catch(() => hurried.resolve(code));
    };
    const stop = on(Exit.interrupted, () => client.send({ type: "turn.stop" }));
    const close = on(Exit.terminated, () => client.close());
    const releases = [host.onSignal("SIGINT", stop), host.onSignal("SIGTERM", close), host.onSignal("SIGHUP", close)];
    try {
      return await Promise.race([follow(context, client, start), hurried.promise]);
    } finally {
      for (const release of releases) release();
    }
  });
}

async function follow(context: Context, client: Client, start: Command): Promise<number> {
  const { options, out, err } = context;
  const progress = new StepProgress();
  const tell = (lines: readonly string[]) => {
    if (lines.length > 0 && !options.json) err.write(`${lines.join("\n")}\n`);
  };
  const log = new StepLog(() => context.look("stderr"), tell);
  const draw = async (event: Event) => {
    if (options.json) out.write(`${JSON.stringify(event)}\n`);
    else tell([...log.lines(event, progress), ...asked(event, context)]);
    progress.follow(event);
    await out.ready();
  };
  const events = client.events()[Symbol.asyncIterator]();
  let next = events.next();
  const since = Date.now();
  await client.send(start);
  // A session that goes on tells first what it has told before.
  let begun = false;
  for (;;) {
    const { done, value } = await next;
    if (done) return Exit.terminated;
    next = events.next();
    if (value.type === "session.failed") throw failureOf(value);
    begun ||= isBegin(value, since);
    if (!begun) continue;
    await draw(value);
    const { end } = progress;
    if (!end) continue;
    const look = context.look("stderr");
    tell([look.style.dim(sumText(progress, look, Date.now()))]);
    if (!options.json && end.text !== "") {
      if (end.exit === Exit.done) out.write(`${safeText(told(end.text))}\n`);
      else tell([look.style.yellow(safeText(told(end.text)))]);
    }
    return end.exit;
  }
}

export const isBegin = (event: Event, since: number): boolean => event.type === "project.begun" && event.at >= since;

/** What nobody here can answer, with how it is answered from elsewhere. */
function asked(event: Event, context: Context): string[] {
  const inner = event.type === "agent.event" ? event.event : event;
  if (inner.type !== "approval.asked" || inner.request.origin === "person") return [];
  return renderApproval(inner.request, context.look("stderr"), Date.now());
}
