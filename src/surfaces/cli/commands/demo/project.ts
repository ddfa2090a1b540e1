// `fettle demo project`: from an idea to a phase that is proposed, with scripted replies, and a check of what it claims.
import type { Client } from "../../../../protocol/client.ts";
import type { ProjectDemoPlan } from "../../../../protocol/demo.ts";
import type { Event } from "../../../../protocol/event.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ProjectView, StepArguments } from "../../../../protocol/project.ts";
import { failureOf } from "../../host/failure.ts";
import type { CliHost } from "../../host/host.ts";
import { Output } from "../../host/output.ts";
import { StepLog } from "../../project/log.ts";
import { StepProgress } from "../../project/progress.ts";
import { renderApproval } from "../../render/approval.ts";
import { duration } from "../../text/amounts.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { renderPairs, whole } from "../../text/table.ts";
import { wrap } from "../../text/width.ts";
import { phrases, told } from "../../../phrases/phrases.ts";
import { lookOf, testOnceMore } from "./sample.ts";

export const words = phrases("demoProject", {
  title: "fettle demo project  from an idea to a pull request",
  scripted:
    "The model's replies are scripted: written by hand and served over a local connection. Everything else is real: the planning files, the checks of the plans, two plans at work at once in worktrees of their own, the tests first, the signatures, the integration, the evidence, the push, the ledger. The forge is a small server on this machine.",
  workspace: (folder: string) => `The repository is ${folder}.`,
  approves: "The demo approves here, as you; in your own repository you would be asked.",
  idea: "The idea",
  failed: "The demo failed.",
  refusal: "the demo did not foresee this",
  outcome: {
    requirements: "requirements",
    done: (done: number, all: number) => `${done} of ${all} done, each by a check that ran on the committed files`,
    waves: "waves",
    signed: (waves: number, plans: number) => `${plans} plans in ${waves} waves, each wave approved once`,
    pull: "pull request",
    proposed: (title: string, branch: string) => `"${title}" from ${branch}, pushed and opened after a yes each`,
    tests: "tests",
    green: "green",
    ledger: "ledger",
    verified: "verified",
    time: "time",
    took: (time: string) => `${time}, without what a real model would take`,
  },
  problems: {
    step: (step: string, text: string) => `\`fettle project ${step}\` did not end as written: ${text}`,
    asked: (what: string) => `It asked for something that the demo did not foresee: ${what}`,
    requirements: "Not every requirement is done by evidence.",
    waves: "It was not two waves with three plans, each approved once.",
    pull: "No pull request was opened for the commit that was verified.",
    tests: (command: string, folder: string) => `\`${command}\` is not green in ${folder}.`,
    ledger: (problem: string) => `The ledger does not verify: ${problem}`,
  },
  next: (folder: string, program: string) =>
    [
      ["look back", `cd ${folder} && git log --graph --oneline && cat .planning/ROADMAP.md`],
      ["", "cat .planning/phases/01-units/01-VERIFICATION.md"],
      ["your own", `cd your/project && ${program} project new`],
    ] as const,
});

const steps: readonly { typed: string; step: string; args: (plan: ProjectDemoPlan) => StepArguments }[] = [
  { typed: "new --auto @idea.md", step: "new", args: ({ idea }) => ({ words: [idea], options: { auto: true } }) },
  { typed: "discuss 1 --auto", step: "discuss", args: () => ({ words: ["1"], options: { auto: true } }) },
  { typed: "plan 1 --auto", step: "plan", args: () => ({ words: ["1"], options: { auto: true } }) },
  { typed: "execute 1", step: "execute", args: () => ({ words: ["1"], options: {} }) },
  { typed: "ship 1", step: "ship", args: () => ({ words: ["1"], options: {} }) },
];

/** Resolves with the exit code: 0 only when all that it shows is really so. Rejects with a Fault. */
export async function runProjectDemo(host: CliHost, noColour: boolean): Promise<number> {
  const out = new Output(host.stdout);
  const plan = await (await host.demos()).prepareProject();
  try {
    return await new ProjectDemo(plan, host, { out, look: lookOf({ noColour }, host) }).perform();
  } finally {
    await plan.close();
    await out.flush();
  }
}

interface Proof {
  green: boolean;
  /** The commit that was verified is what is proposed. */
  shipped: boolean;
  ledger: { ok: boolean; problem?: string };
}

class ProjectDemo {
  readonly #plan: ProjectDemoPlan;
  readonly #host: CliHost;
  readonly #out: Output;
  readonly #look: Look;
  #unforeseen: string | undefined;
  /** Approved as a whole. */
  #waves = 0;

  constructor(plan: ProjectDemoPlan, host: CliHost, { out, look }: { out: Output; look: Look }) {
    this.#plan = plan;
    this.#host = host;
    this.#out = out;
    this.#look = look;
  }

  async perform(): Promise<number> {
    const since = Date.now();
    this.#banner();
    for (const { typed, step, args } of steps) {
      const { exit, text } = await this.#step(typed, { step, args: args(this.#plan) });
      if (this.#unforeseen !== undefined) return this.#failed(words.problems.asked(this.#unforeseen), Exit.failed);
      if (exit !== Exit.done) return this.#failed(words.problems.step(typed, safeLine(told(text))), exit);
    }
    return this.#prove(since);
  }

  async #step(typed: string, about: { step: string; args: StepArguments }): Promise<{ exit: number; text: string }> {
    const { style, width } = this.#look;
    this.#lines(["", `${style.cyan("$")} ${style.bold(`fettle project ${typed}`)}`]);
    const client = await this.#host.open(this.#plan.flags, this.#plan.env);
    const stop = Promise.withResolvers<never>();
    const end = () => {
      client.send({ type: "turn.stop" }).catch((error: unknown) => stop.reject(error));
    };
    const releases = [this.#host.onSignal("SIGINT", end), this.#host.onSignal("SIGTERM", end)];
    try {
      const ended = await Promise.race([this.#follow(client, about), stop.promise]);
      if (ended.text !== "") this.#lines(wrap(safeLine(told(ended.text)), width).map((line) => style.green(line)));
      return ended;
    } finally {
      await client.close();
      for (const release of releases) release();
    }
  }

  async #follow(client: Client, about: { step: string; args: StepArguments }): Promise<{ exit: number; text: string }> {
    const progress = new StepProgress();
    const log = new StepLog(
      () => this.#look,
      (lines) => this.#lines(lines),
    );
    const events = client.events(0)[Symbol.asyncIterator]();
    let next = events.next();
    await client.send({ type: "project.run", ...about });
    for (;;) {
      const { done, value } = await next;
      if (done) return { exit: Exit.terminated, text: "" };
      next = events.next();
      if (value.type === "session.failed") throw failureOf(value);
      this.#lines(log.lines(value, progress));
      progress.follow(value);
      await this.#answer(client, value);
      await this.#out.ready();
      if (progress.end) return progress.end;
    }
  }

  /** The person of the demo: says yes to waves, push and pull request, visibly, and to nothing else. */
  async #answer(client: Client, event: Event): Promise<void> {
    const inner = event.type === "agent.event" ? event.event : event;
    if (inner.type === "question.asked") {
      this.#unforeseen ??= safeLine(inner.question);
      return client.send({ type: "question.answer", call: inner.call, answer: "" });
    }
    if (inner.type !== "approval.asked" || inner.request.origin === "person") return;
    const { request } = inner;
    const { nonce, action } = request;
    const foreseen = action.kind === "task" || action.kind === "forge";
    if (!foreseen) {
      this.#unforeseen ??= action.kind;
      return client.send({ type: "approval.answer", nonce, answer: { kind: "deny", reason: words.refusal } });
    }
    if (action.kind === "task") this.#waves += 1;
    const { style, width } = this.#look;
    this.#lines([
      "",
      ...renderApproval(request, this.#look, Date.now()),
      ...wrap(words.approves, width).map((line) => style.bold(style.yellow(line))),
      "",
    ]);
    return client.send({ type: "approval.answer", nonce, answer: { kind: "approve" } });
  }

  /** Asked as anybody could do it later; the tests run once more, by the person's own command through the gate. */
  async #prove(since: number): Promise<number> {
    const client = await this.#host.open(this.#plan.flags, this.#plan.env);
    try {
      const view = await client.read("project.view", {});
      const green = await testOnceMore(this.#plan, client, { host: this.#host, after: 0 });
      const ledger = await client.read("audit.verify", {});
      const [pull] = this.#plan.forge.pulls();
      const shipped = pull !== undefined && (await this.#plan.forge.holds(pull.head));
      const problem = this.#problem(view, { green, shipped, ledger });
      if (problem !== undefined) return this.#failed(problem, ledger.ok ? Exit.failed : Exit.integrity);
      this.#outcome(view, Date.now() - since);
      return Exit.done;
    } finally {
      await client.close();
    }
  }

  #problem(view: ProjectView, { green, shipped, ledger }: Proof): string | undefined {
    const { problems } = words;
    const { workspace, testCommand } = this.#plan;
    if (view.requirements.length === 0 || view.requirements.some(({ state }) => state !== "done"))
      return problems.requirements;
    if (this.#waves !== 2 || plansOf(view) !== 3) return problems.waves;
    if (!shipped) return problems.pull;
    if (!green) return problems.tests(testCommand, workspace);
    return ledger.ok ? undefined : problems.ledger(safeLine(ledger.problem ?? ""));
  }

  #outcome(view: ProjectView, ms: number): void {
    const { style } = this.#look;
    const { outcome } = words;
    const all = view.requirements.length;
    const [pull] = this.#plan.forge.pulls();
    const pairs: [string, string][] = [
      [outcome.requirements, style.green(outcome.done(all, all))],
      [outcome.waves, style.green(outcome.signed(this.#waves, plansOf(view)))],
      [outcome.pull, style.green(outcome.proposed(safeLine(pull?.title ?? ""), safeLine(pull?.head ?? "")))],
      [outcome.tests, `${style.green(outcome.green)}  ${style.dim(this.#plan.testCommand)}`],
      [outcome.ledger, style.green(outcome.verified)],
      [outcome.time, outcome.took(duration(ms))],
    ];
    const { workspace, program } = this.#plan;
    this.#lines([
      "",
      ...renderPairs(pairs, this.#look),
      "",
      ...renderPairs(words.next(workspace, program), whole(this.#look)),
    ]);
  }

  #banner(): void {
    const { style, width } = this.#look;
    const { workspace, note, idea } = this.#plan;
    this.#lines([
      style.bold(words.title),
      ...wrap(words.scripted, width).map(style.yellow),
      ...wrap(words.workspace(workspace), width).map(style.dim),
      ...(note === undefined ? [] : wrap(note, width).map(style.yellow)),
      "",
      style.bold(words.idea),
      ...idea.split("\n").map((line) => `  ${safeLine(line)}`),
    ]);
  }

  #failed(sentence: string, code: number): number {
    this.#lines(["", ...wrap(`${words.failed} ${sentence}`, this.#look.width).map(this.#look.style.red)]);
    return code;
  }

  #lines(lines: readonly string[]): void {
    if (lines.length > 0) this.#out.write(`${lines.join("\n")}\n`);
  }
}

const plansOf = ({ phases }: ProjectView): number => phases.flatMap(({ plans }) => plans).length;
