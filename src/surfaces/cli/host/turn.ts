// One turn from its command to its end, told to a reporter.
import type { Client, Command } from "../../../protocol/client.ts";
import type { Event } from "../../../protocol/event.ts";
import { Exit, exitOfStop } from "../../../protocol/exit.ts";
import { failureOf } from "./failure.ts";
import type { CliHost } from "./host.ts";
import { onLeaving } from "./leaving.ts";
import { Unanswered } from "./unanswered.ts";

export type TurnEnded = Extract<Event, { type: "turn.ended" }>;

/** Draws the events of a run; `end` gets the turn's last one. */
export interface Reporter {
  follow(event: Event): Promise<void> | void;
  end(event: TurnEnded): Promise<void> | void;
}

interface Run {
  client: Client;
  host: CliHost;
  start: Command;
  /** Facts up to this number are history. */
  after: number;
  reporter: Reporter;
}

/**
 * One turn from its command to its end. Resolves with the exit code; rejects with the Fault of a refused command.
 * A first interrupt stops the turn, a request to terminate lets what is being done end; a second signal gives up waiting.
 */
export async function runTurn(run: Run): Promise<number> {
  const { client, host } = run;
  const hurried = Promise.withResolvers<number>();
  const signals: number[] = [];
  const release = onLeaving(host, (code) => {
    signals.push(code);
    const ask = () => (code === Exit.interrupted ? client.send({ type: "turn.stop" }) : client.close());
    if (signals.length > 1) hurried.resolve(code);
    else ask().catch(() => hurried.resolve(code));
  });
  try {
    const asked = { elsewhere: false };
    const code = await Promise.race([followTurn(run, asked), hurried.promise]);
    return asked.elsewhere ? Exit.stopped : (signals[0] ?? code);
  } finally {
    release();
  }
}

async function followTurn({ client, start, after, reporter }: Run, asked: { elsewhere: boolean }): Promise<number> {
  const events = client.events(after)[Symbol.asyncIterator]();
  let next = events.next();
  const unanswered = new Unanswered();
  // A turn that a crash left open ends as broken off before the new one starts.
  let begun = start.type === "turn.resume";
  await client.send(start);
  for (;;) {
    const { done, value } = await next;
    if (done) return Exit.failed;
    next = events.next();
    unanswered.follow(value);
    if (value.type === "notice.given" && value.code === "stop.asked") asked.elsewhere = true;
    begun ||= value.type === "turn.started";
    await reporter.follow(value);
    if (value.type === "session.failed") throw failureOf(value);
    if (value.type !== "turn.ended" || !begun) continue;
    await reporter.end(value);
    const code = exitOfStop[value.stop.kind];
    return unanswered.count > 0 && (code === Exit.done || code === Exit.stopped) ? Exit.unanswered : code;
  }
}
