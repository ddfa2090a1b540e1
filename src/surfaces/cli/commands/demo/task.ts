// `fettle demo task`: a governed task from the words to the merged commit, with scripted replies, and a check of what it claims.
import type { Client } from "../../../../protocol/client.ts";
import type { TaskDemoPlan } from "../../../../protocol/demo.ts";
import type { Event } from "../../../../protocol/event.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { AuditReport } from "../../../../protocol/query.ts";
import type { SignatureCheck, TaskView } from "../../../../protocol/task.ts";
import { lookOf, testOnceMore, verifyLedger } from "./sample.ts";
import { failureOf } from "../../host/failure.ts";
import type { CliHost } from "../../host/host.ts";
import { Output } from "../../host/output.ts";
import { describeAction } from "../../render/action.ts";
import { duration } from "../../text/amounts.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { renderPairs, whole } from "../../text/table.ts";
import { renderTaskApproval } from "../../render/task-approval.ts";
import { padEnd, padStart, wrap } from "../../text/width.ts";
import { TaskLog } from "../../task/log.ts";
import { TaskProgress } from "../../task/progress.ts";
import { wayText } from "../../task/steps.ts";
import { tasks } from "../../words/tasks.ts";
import { phrases } from "../../../phrases/phrases.ts";

export const words = phrases("demoTask", {
  title: (title: string) => `fettle demo task  ${title}`,
  scripted:
    "The model's replies are scripted: written by hand and served over a local connection. Everything else is real: the states, the plan that binds, the gate, the branch and its worktree, the tests, the signatures, the merge, the ledger.",
  workspace: (folder: string) => `A copy of the sample works in ${folder}.`,
  approves: "The demo approves here, as you; in your own repository you would be asked:",
  choices: "(a)pprove   (c)hange …   (r)eject …   (l)ater",
  times: "Time per step",
  total: "in all",
  timesNote: "without what a real model would take, and without waiting for you",
  tests: "tests",
  red: (failed: number) => `${failed} red by an assertion`,
  green: "green on main",
  notGreen: "not green on main",
  evidence: "evidence",
  signatures: "signatures",
  signed: (entries: readonly number[]) =>
    `both in the ledger, bound to plan and result (entries ${entries.join(" and ")})`,
  unsigned: "not borne out by the ledger",
  replay: "replay",
  same: (transitions: number, acts: number) =>
    `${transitions} transitions and ${acts} acts decided again, all as they were`,
  ledger: "ledger",
  verified: "verified",
  broken: "does not verify",
  failed: "The demo failed.",
  problems: {
    end: (state: string, text: string) => `The task stopped at ${state}: ${text}`,
    asked: (what: string) => `It asked for something that is not in the plan: ${what}`,
    red: "The test was never red by an assertion.",
    evidence: "Not everything is shown.",
    signatures: (problem: string) => `Plan or result is not signed in the ledger. ${problem}`,
    replay: (what: string) => `Decided again, it differs: ${what}`,
    tests: (command: string, folder: string) => `\`${command}\` is not green in ${folder}.`,
    ledger: (problem: string) => `The ledger does not verify: ${problem}`,
  },
  next: (folder: string, program: string, id: string, name: string) =>
    [
      ["look back", `cd ${folder} && git log --graph --oneline`],
      ["", `${program} task show ${id} --plan (or --diff, --evidence)`],
      ["", `${program} audit query ${id}`],
      ["another", name === "python" ? `${program} demo task` : `${program} demo task python`],
      ["your own", `cd your/project && ${program} task "fix the rounding bug: 1.5 should become 2"`],
    ] as const,
});

/** Resolves with the exit code: 0 only when all that it shows is really so. Rejects with a Fault. */
export async function runTaskDemo(name: string | undefined, host: CliHost, noColour: boolean): Promise<number> {
  const out = new Output(host.stdout);
  const plan = await (await host.demos()).prepareTask(name);
  const demo = new TaskDemo(plan, host, { out, look: lookOf({ noColour }, host) });
  try {
    return await demo.perform();
  } finally {
    await out.flush();
  }
}

/** What came of it, asked of the program anew when the task had ended. */
interface Proof {
  view: TaskView;
  replay: { transitions: number; acts: number; differences: string[] };
  green: boolean;
  ledger: AuditReport;
}

/** Of the plan and of the result. */
const signaturesOf = ({ signatures }: TaskView): SignatureCheck[] =>
  [signatures?.plan, signatures?.merge].map((check) => check ?? { ok: false });

class TaskDemo {
  readonly #plan: TaskDemoPlan;
  readonly #host: CliHost;
  readonly #out: Output;
  readonly #look: Look;
  readonly #progress = new TaskProgress();
  readonly #log: TaskLog;
  /** What it asked besides plan and result. */
  #unplanned: string | undefined;

  constructor(plan: TaskDemoPlan, host: CliHost, { out, look }: { out: Output; look: Look }) {
    this.#plan = plan;
    this.#host = host;
    this.#out = out;
    this.#look = look;
    this.#log = new TaskLog(
      () => look,
      (lines) => this.#lines(lines),
    );
  }

  async perform(): Promise<number> {
    this.#banner();
    const stop = Promise.withResolvers<never>();
    const client = await this.#host.open(this.#plan.flags);
    const end = () => {
      client.send({ type: "turn.stop" }).catch((error: unknown) => stop.reject(error));
    };
    const releases = [this.#host.onSignal("SIGINT", end), this.#host.onSignal("SIGTERM", end)];
    let code: number;
    try {
      code = await Promise.race([this.#follow(client), stop.promise]);
    } finally {
      await client.close();
      for (const release of releases) release();
    }
    const { end: over, failure, state } = this.#progress;
    if (code !== Exit.done)
      return this.#failed(
        words.problems.end(tasks.states[failure ?? state], safeLine(over?.text ?? "")),
        code === Exit.unanswered ? Exit.failed : code,
      );
    const proof = await this.#prove();
    this.#outcome(proof);
    const problem = this.#problem(proof);
    if (problem !== undefined) return this.#failed(problem, proof.ledger.ok ? Exit.failed : Exit.integrity);
    const { workspace, program, name } = this.#plan;
    this.#lines(["", ...renderPairs(words.next(workspace, program, this.#progress.task, name), whole(this.#look))]);
    return Exit.done;
  }

  async #follow(client: Client): Promise<number> {
    const events = client.events(0)[Symbol.asyncIterator]();
    let next = events.next();
    await client.send({ type: "task.start", text: this.#plan.request, strict: true, merge: true });
    for (;;) {
      const { done, value } = await next;
      if (done) return Exit.terminated;
      next = events.next();
      if (value.type === "session.failed") throw failureOf(value);
      this.#progress.follow(value);
      this.#lines(this.#log.lines(value, this.#progress));
      await this.#answer(client, value);
      await this.#out.ready();
      const { end } = this.#progress;
      if (end) return end.exit;
    }
  }

  /** The person of the demo: says yes to plan and result, visibly, and to nothing else. */
  async #answer(client: Client, event: Event): Promise<void> {
    if (event.type === "question.asked") {
      this.#unplanned ??= event.question;
      return client.send({ type: "question.answer", call: event.call, answer: "" });
    }
    if (event.type !== "approval.asked" || event.request.origin === "person") return;
    const { request } = event;
    const { nonce, action } = request;
    if (action.kind !== "task") {
      this.#unplanned ??= describeAction(action);
      return client.send({ type: "approval.answer", nonce, answer: { kind: "deny", reason: words.failed } });
    }
    const { style, width } = this.#look;
    this.#lines([
      "",
      ...renderTaskApproval(request, action, this.#look, { now: Date.now(), whole: false }),
      "",
      ...wrap(words.approves, width).map((line) => style.bold(style.yellow(line))),
      style.dim(words.choices),
      "",
    ]);
    return client.send({ type: "approval.answer", nonce, answer: { kind: "approve" } });
  }

  /** Asked as anybody could do it later; the tests run once more, by the person's own command through the gate. */
  async #prove(): Promise<Proof> {
    const asked = await this.#ask();
    return { ...asked, ledger: await verifyLedger(this.#plan, this.#host) };
  }

  async #ask(): Promise<Omit<Proof, "ledger">> {
    const { flags } = this.#plan;
    const { task } = this.#progress;
    const auditor = await this.#host.open(flags);
    try {
      const view = await auditor.read("task.show", { task });
      const { transitions, acts, differences } = await auditor.read("task.replay", { task });
      const green = await testOnceMore(this.#plan, auditor, { host: this.#host, after: 0 });
      return {
        view,
        replay: { transitions, acts, differences: differences.map(({ about, what }) => `${about}: ${what}`) },
        green,
      };
    } finally {
      await auditor.close();
    }
  }

  #problem({ view, replay, green, ledger }: Proof): string | undefined {
    const { problems } = words;
    const { evidence = [], outcome, locks = [] } = view.task;
    const [difference] = replay.differences;
    if (this.#unplanned !== undefined) return problems.asked(safeLine(this.#unplanned));
    if (outcome?.kind !== "merged") return problems.end(tasks.states[view.state], safeLine(outcome?.text ?? ""));
    if (locks.length === 0 || locks.some(({ red }) => red.result !== "assertion")) return problems.red;
    if (evidence.length === 0 || evidence.some(({ ok }) => !ok)) return problems.evidence;
    const unsigned = signaturesOf(view).find(({ ok }) => !ok);
    if (unsigned) return problems.signatures(safeLine(unsigned.problem ?? ""));
    if (difference !== undefined) return problems.replay(safeLine(difference));
    if (!green) return problems.tests(this.#plan.testCommand, this.#plan.workspace);
    return ledger.ok ? undefined : problems.ledger(safeLine(ledger.problem ?? ""));
  }

  #banner(): void {
    const { style, width } = this.#look;
    const { title, workspace, note, request } = this.#plan;
    this.#lines([
      ...wrap(words.title(title), width).map(style.bold),
      ...wrap(words.scripted, width).map(style.yellow),
      ...wrap(words.workspace(workspace), width).map(style.dim),
      ...(note === undefined ? [] : wrap(note, width).map(style.yellow)),
      "",
      ...wrap(`${style.cyan("$")} ${style.bold(`fettle task "${request}"`)}`, width),
      ...wrap(wayText(this.#look), width).map(style.dim),
      "",
    ]);
  }

  #outcome({ view, replay, green, ledger }: Proof): void {
    const { style } = this.#look;
    const { evidence = [], locks = [] } = view.task;
    const verdict = (good: boolean, text: string) => (good ? style.green(text) : style.red(text));
    const shown = evidence.filter(({ ok }) => ok).length;
    const signatures = signaturesOf(view);
    const signed = signatures.every(({ ok }) => ok);
    const failed = locks.reduce((sum, { red }) => sum + red.failed.length, 0);
    const pairs: [string, string][] = [
      [
        words.tests,
        `${style.red(words.red(failed))} ${style.symbols.arrow} ${verdict(green, green ? words.green : words.notGreen)}  ${style.dim(this.#plan.testCommand)}`,
      ],
      [words.evidence, verdict(shown === evidence.length && shown > 0, tasks.shown(shown, evidence.length))],
      [
        words.signatures,
        verdict(signed, signed ? words.signed(signatures.map(({ entry = 0 }) => entry)) : words.unsigned),
      ],
      [
        words.replay,
        verdict(replay.differences.length === 0, replay.differences[0] ?? words.same(replay.transitions, replay.acts)),
      ],
      [words.ledger, verdict(ledger.ok, ledger.ok ? words.verified : words.broken)],
    ];
    this.#lines([...this.#times(), "", ...renderPairs(pairs, this.#look)]);
  }

  #times(): string[] {
    const { style } = this.#look;
    const now = Date.now();
    const steps = this.#progress.steps(now).map(({ state, ms }) => [tasks.states[state], ms] as const);
    const total = [words.total, this.#progress.spentMs(now)] as const;
    const widest = Math.max(...[...steps, total].map(([name]) => name.length));
    const row = ([name, ms]: readonly [string, number]) => `  ${padEnd(name, widest)}  ${padStart(duration(ms), 8)}`;
    return ["", `${style.bold(words.times)}  ${style.dim(words.timesNote)}`, ...steps.map(row), style.bold(row(total))];
  }

  #failed(sentence: string, code: number): number {
    this.#lines(["", ...wrap(`${words.failed} ${sentence}`, this.#look.width).map(this.#look.style.red)]);
    return code;
  }

  #lines(lines: readonly string[]): void {
    if (lines.length > 0) this.#out.write(`${lines.join("\n")}\n`);
  }
}
