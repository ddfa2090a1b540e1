// `fettle setup`: what a first session needs, question by question, or what is there and what is missing.
import { Exit } from "../../../../protocol/exit.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import { wholeNumber } from "../../host/flags.ts";
import type { Define } from "../../host/grammar.ts";
import { safeLine } from "../../text/safe-text.ts";
import { wrap } from "../../text/width.ts";
import { Asker, Left } from "./ask.ts";
import { autonomyStep } from "./autonomy.ts";
import { languageStep } from "./language.ts";
import { modelStep } from "./model.ts";
import { found, renderFound } from "./found.ts";
import { sandboxStep } from "./sandbox.ts";
import { testStep } from "./test-call.ts";
import type { Step, StepContext } from "./step.ts";
import { words } from "./words.ts";

const usualWaitSecs = 60;

export const define: Define = (command, start) =>
  start<{ wait?: string }>(
    command.option("--wait <seconds>", words.help.wait, String(usualWaitSecs)),
    (context, _words, { wait }) => setup(context, wholeNumber("--wait", wait ?? String(usualWaitSecs))),
    { lesson: words.lesson },
  );

const steps: readonly { title: keyof typeof words.titles; run: Step }[] = [
  { title: "language", run: languageStep },
  { title: "models", run: modelStep },
  { title: "test", run: testStep },
  { title: "sandbox", run: sandboxStep },
  { title: "autonomy", run: autonomyStep },
];

export async function setup(context: Context, waitSecs = usualWaitSecs): Promise<number> {
  const problem = await context.with({ headless: true }, (client) => client.read("config.problem", {}));
  if (problem !== null) throw usageFault(words.broken, safeLine(problem));
  return context.interactive && !context.options.json ? guided(context, waitSecs) : told(context);
}

/** Where nobody can answer: what was found, and what is missing. */
async function told(context: Context): Promise<number> {
  const all = await found(context);
  context.show(all, (look) => [...renderFound(all, look), "", ...wrap(words.needsTerminal, look.width)]);
  return all.ready ? Exit.done : Exit.failed;
}

async function guided(context: Context, waitSecs: number): Promise<number> {
  const asker = new Asker(context);
  const release = context.host.onSignal("SIGINT", () => asker.leave());
  const { style, width } = context.look();
  const print = (...lines: string[]) => context.lines(lines.flatMap((line) => wrap(line, width)));
  const changes: string[] = [];
  const step: StepContext = { context, asker, print, waitSecs, changes, model: undefined };
  try {
    print(style.bold(words.begin));
    for (const [at, { title, run }] of steps.entries()) {
      print("", style.bold(words.step(at + 1, steps.length, words.titles[title])));
      await run(step);
    }
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    print("", words.stopped);
    return Exit.interrupted;
  } finally {
    release();
  }
  const look = context.look();
  context.lines(["", ...wrap(words.changeLater, look.width), ...changes.map((line) => `  ${line}`)]);
  print("", step.model === undefined ? words.noneLeft : words.startWith);
  return step.model === undefined ? Exit.failed : Exit.done;
}
