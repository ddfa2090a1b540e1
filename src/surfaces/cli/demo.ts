// `fettle demo`: the whole program at work on a sample repository, with scripted replies, and a check of what it claims.
import type { Client } from "../../protocol/client.ts";
import type { DemoPlan } from "../../protocol/demo.ts";
import type { Event, FactOf } from "../../protocol/event.ts";
import { Exit } from "../../protocol/exit.ts";
import type { AuditReport } from "../../protocol/query.ts";
import type { Result } from "../../protocol/result.ts";
import { AnswerText } from "./answer.ts";
import { type Reporter, runTurn } from "./headless.ts";
import type { CliHost } from "./host.ts";
import { Log } from "./log.ts";
import { Output } from "./output.ts";
import { money, tokens } from "./render/amounts.ts";
import { diffSummary, renderDiff } from "./render/diff.ts";
import { type Look, createStyle, wantsColour, wantsUnicode } from "./render/style.ts";
import { renderPairs } from "./render/table.ts";
import { wrap } from "./render/width.ts";
import { demoWords } from "./words/demo.ts";

export interface DemoOptions {
  name?: string | undefined;
  list: boolean;
  noColour: boolean;
}

/** Resolves with the exit code: 0 only when the tests are really green and the ledger verifies. Rejects with a Fault. */
export async function runDemo(options: DemoOptions, host: CliHost): Promise<number> {
  const out = new Output(host.stdout);
  const look = lookOf(options, host);
  const demos = await host.demos();
  if (options.list) {
    for (const row of await demos.list()) out.write(`${demoRow(row, look).join("\n")}\n`);
    await out.flush();
    return Exit.done;
  }
  const plan = await demos.prepare(options.name);
  const client = await host.open(plan.flags);
  const show = new DemoScreen(plan, out, look);
  try {
    return await perform({ plan, client, host, show });
  } finally {
    await out.flush();
    await client.close();
  }
}

function lookOf(options: DemoOptions, host: CliHost): Look {
  const colour = wantsColour({ env: host.env, isTTY: host.stdout.isTTY === true, refused: options.noColour });
  return {
    style: createStyle({ colour, unicode: wantsUnicode(host.env) }),
    width: Math.max(40, Math.min(host.stdout.columns ?? 100, 120)),
  };
}

const demoRow = (row: { name: string; title: string; problem?: string }, look: Look): string[] => [
  `${look.style.bold(row.name.padEnd(12))}${row.title}`,
  ...(row.problem ? [`${" ".repeat(12)}${look.style.yellow(row.problem)}`] : []),
];

interface Performance {
  plan: DemoPlan;
  client: Client;
  host: CliHost;
  show: DemoScreen;
}

async function perform({ plan, client, host, show }: Performance): Promise<number> {
  show.banner();
  const prompt = { type: "prompt.send", prompt: [{ type: "text", text: plan.prompt }] } as const;
  const code = await runTurn({ client, host, start: prompt, after: 0, reporter: show });
  if (code !== Exit.done) return show.failed(demoWords.notFinished(show.stopText), code);
  const green = await testOnceMore(plan, client);
  const ledger = await client.read("audit.verify", {});
  const { cost } = await client.read("session.view", {});
  show.outcome({ green, ledger, cost });
  if (!show.wasRed) return show.failed(demoWords.neverRed, Exit.failed);
  if (!isGreen(green)) return show.failed(demoWords.notGreen(plan.testCommand, plan.workspace), Exit.failed);
  if (!ledger.ok) return show.failed(demoWords.ledgerBroken(ledger.problem ?? ""), Exit.integrity);
  show.farewell();
  return Exit.done;
}

/** The person's own command, through the same gate: whether the tests pass is not taken from the agent's word. */
async function testOnceMore(plan: DemoPlan, client: Client): Promise<Result | undefined> {
  const before = await client.read("session.view", {});
  const events = client.events(before.lastSeq)[Symbol.asyncIterator]();
  try {
    await client.send({ type: "shell.send", command: plan.testCommand });
    for (let next = await events.next(); !next.done; next = await events.next()) {
      if (next.value.type === "call.ended") return next.value.result;
    }
    return undefined;
  } finally {
    await events.return?.();
  }
}

const exitOf = (result: Result): unknown => result.params?.["exit"];
const isGreen = (result: Result | undefined): boolean => result?.status === "done" && exitOf(result) === 0;
