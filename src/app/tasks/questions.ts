// What a task asks is answered where it runs, or from another terminal; the first answer counts.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Assembly } from "../agents/assembly.ts";
import type { Program } from "../program/program.ts";
import { namedTask } from "./look.ts";

const lookMs = 150;
const takenMs = 3_000;

interface Asked {
  call: string;
  question: string;
}

/** Undefined when nobody can or does answer. */
export async function awaitAnswer(
  program: Program,
  { session, people }: Pick<Assembly, "session" | "people">,
  { call, question }: Asked,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { flags } = program;
  const store = program.store();
  const over = new AbortController();
  const either = AbortSignal.any([signal, over.signal]);
  const own = people.question(call, either);
  if (flags.headless && flags.waitApprovals === undefined) return own;
  store.askQuestion({ session: session.id, call, text: question });
  try {
    const elsewhere = answeredElsewhere(() => store.answerOf(session.id, call), either, flags.waitApprovals);
    // Headless, this process has nobody of its own.
    const here = flags.headless ? ((await own) ?? elsewhere) : Promise.race([own, elsewhere]);
    return await here;
  } finally {
    over.abort();
    store.dropQuestion(session.id);
  }
}

/** Never resolves without an answer, unless it is stopped or the time is over. */
function answeredElsewhere(
  look: () => string | undefined,
  signal: AbortSignal,
  seconds: number | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const until = seconds === undefined || seconds === 0 ? Infinity : Date.now() + seconds * 1000;
    const timer = setInterval(() => {
      const answer = look();
      if (answer !== undefined || signal.aborted || Date.now() > until) settle(answer);
    }, lookMs);
    const settle = (answer: string | undefined) => {
      clearInterval(timer);
      signal.removeEventListener("abort", stopped);
      resolve(answer);
    };
    const stopped = () => settle(undefined);
    signal.addEventListener("abort", stopped, { once: true });
  });
}

/** For a task that another process works on. Throws a Fault where it asks nothing, or does not take the answer. */
export async function answerTaskElsewhere(program: Program, id: string, text: string): Promise<void> {
  const task = namedTask(program, id);
  const store = program.store();
  if (!store.answerQuestion(task.session, text))
    throw new Fault("task.not-asking", Exit.usage, `Task ${task.id} asks nothing.`, `fettle task show ${task.id}`);
  const until = Date.now() + takenMs;
  while (Date.now() < until) {
    if (!store.hasQuestion(task.session)) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Fault(
    "task.answer-not-taken",
    Exit.failed,
    "The answer is stored, but the process that asked has not taken it yet; it may be suspended.",
    `fettle task show ${task.id}`,
  );
}
