// Programs that a plan leaves running: started in the task's own network, waited for, watched, and ended again.
import { setTimeout as sleep } from "node:timers/promises";
import { sha256 } from "../../../base/digest.ts";
import type { Grant } from "../../../guard/contract/grant.ts";
import type { JobLook } from "../../../io/process/spec.ts";
import { textResult } from "../../../protocol/outcome.ts";
import { type CommandRun, passed, succeeded, textOf } from "../world/commands.ts";
import { Repository } from "../world/git.ts";
import { lookAt } from "../stacks/list.ts";
import { type HealthStep, healthPlan, healthStep, portIn, portOf, serverOf } from "./servers.ts";
import { profileIn } from "./settle.ts";
import { textIn } from "../world/texts.ts";
import type { Work } from "../work/work.ts";

interface Running {
  command: string;
  job: string;
}

interface Wanted {
  /** Where it is expected to answer; none when nobody can tell. */
  ports: readonly number[];
  /** The command says so itself: another port is not the one. */
  certain: boolean;
  /** Where others listened before it. */
  taken: ReadonlySet<number>;
  mostMs: number;
}

/** How a program that was waited for came out. */
interface ProgramOutcome {
  look: JobLook;
  /** That it was looked for at. */
  ports: readonly number[];
  step: Exclude<HealthStep, { kind: "wait" }>;
}

export class Programs {
  readonly #work: Work;
  #running: Running[] = [];
  readonly #taken = new Set<number>();

  constructor(work: Work) {
    this.#work = work;
  }

  /** `running` when it is up; else what is wrong with it, with what it said. */
  async start(command: string): Promise<CommandRun> {
    const { place, signal } = this.#work;
    const wanted = await this.#wanted(command);
    let came: ProgramOutcome | undefined;
    const action = { kind: "shell" as const, command, background: true };
    const result = await passed(
      place,
      action,
      async (grant, call) => {
        const { id } = await grant.process.start();
        this.#running.push({ command, job: id });
        came = await waitFor(grant, wanted, (text) => place.session.publish({ type: "output.delta", call, text }));
        return textResult(howText(came));
      },
      signal,
    );
    this.#work.check();
    if (!came) return { command, exit: null, ended: "refused", output: textOf(result), digest: sha256("") };
    const up = came.step.kind === "up";
    for (const port of came.look.listening) this.#taken.add(port);
    this.#work.tell(`${command}: ${howText(came)}`, up);
    return up ? upRun(command, came) : this.#downRun(command, came);
  }

  /** A step of the plan: run to its end, or left running when it is one that serves and does not end. */
  async step(command: string): Promise<CommandRun> {
    const serves = serverOf(command, await worktreeLook(this.#work.place.folder)) !== undefined;
    return serves ? this.start(command) : this.#run(command);
  }

  /** Run while all of them live: when it fails and one of them has died, that is said, too. */
  async #run(command: string): Promise<CommandRun> {
    const run = await this.#work.run(command);
    const dead = succeeded(run) ? undefined : await this.dead();
    return dead ? { ...run, output: `${run.output}\n${dead.command} has ended meanwhile:\n${dead.output}` } : run;
  }

  /** The first that has ended by itself, and not well. */
  async dead(): Promise<CommandRun | undefined> {
    const { place, signal } = this.#work;
    for (const { command, job } of this.#running) {
      let said = "";
      let ended: number | null | undefined;
      await passed(
        place,
        { kind: "job", job, op: "read" },
        async (grant) => {
          const { state, code = null, output } = await grant.jobs.read(job);
          if (state !== "running") ended = code;
          said = place.firewall.redact(output).text;
          return textResult(state);
        },
        signal,
      );
      if (ended !== undefined && ended !== 0)
        return { command, exit: ended, ended: "exited", output: said, digest: sha256(said) };
    }
    return undefined;
  }

  async stop(): Promise<void> {
    const { place, signal } = this.#work;
    for (const { command, job } of this.#running.splice(0).toReversed()) {
      // What was stopped from outside has taken them with it.
      if (signal.aborted) return;
      const kill = async (grant: Grant) => {
        const { state, written } = await grant.jobs.kill(job);
        this.#work.tellWritten(command, written);
        return textResult(state);
      };
      await passed(place, { kind: "job", job, op: "kill" }, kill, signal);
    }
  }

  async #wanted(command: string): Promise<Wanted> {
    const { place, task } = this.#work;
    const server = serverOf(command, await worktreeLook(place.folder));
    const port = server?.port ?? portOf(command);
    const mostMs = profileIn(task)?.upMs ?? healthPlan.mostMs;
    this.#work.extend(mostMs, command);
    const certain = portOf(command) !== undefined || server?.by === "flag";
    return { ports: port !== undefined && port > 0 ? [port] : [], certain, taken: this.#taken, mostMs };
  }

  #downRun(command: string, came: ProgramOutcome): CommandRun {
    const { look } = came;
    const said = this.#work.place.firewall.redact(look.output).text;
    const output = `${said}\n${howText(came)}`.trim();
    const exit = look.job.state === "running" ? null : (look.job.code ?? null);
    return { command, exit, ended: exit === null ? "timeout" : "exited", output, digest: sha256(output) };
  }
}

const worktreeLook = async (folder: string) =>
  lookAt(await new Repository(folder).files(), (name) => textIn(folder, name));

/** One that names no port anywhere is up when it has lived for this long. */
const livesMs = 3_000;

async function waitFor(grant: Grant, wanted: Wanted, show: (text: string) => void): Promise<ProgramOutcome> {
  const began = performance.now();
  let shown = 0;
  for (let looks = 1; ; looks += 1) {
    await sleep(looks === 1 ? healthPlan.settleMs : 0);
    const before = await grant.process.look([]);
    const told = portIn(before.output);
    const found = wanted.certain ? [] : before.listening.filter((port) => !wanted.taken.has(port));
    const ports = [...new Set([...(told === undefined ? [] : [told]), ...wanted.ports, ...found])];
    const look = ports.length > 0 ? await grant.process.look(ports) : before;
    if (look.output.length > shown) show(look.output.slice(shown));
    shown = look.output.length;
    const sinceMs = performance.now() - began;
    const alive = look.job.state === "running";
    if (ports.length === 0 && !alive && look.job.code === 0) return { look, ports, step: { kind: "up" } };
    const answered = ports.length > 0 ? look.answering !== undefined : sinceMs >= livesMs;
    const step = healthStep({ looks, sinceMs, alive, answered }, { ...healthPlan, mostMs: wanted.mostMs });
    if (step.kind !== "wait") return { look, ports, step };
    await sleep(step.ms);
  }
}

function upRun(command: string, came: ProgramOutcome): CommandRun {
  const output = howText(came);
  const { state, code = null } = came.look.job;
  return {
    command,
    output,
    digest: sha256(output),
    ...(state === "running" ? staying : { exit: code, ended: "exited" }),
  };
}

const staying = { exit: null, ended: "running" } as const;

function howText({ look, ports, step }: ProgramOutcome): string {
  const at = look.job.state === "running" && ports.length > 0 ? `; looked for at port ${ports.join(", ")}` : "";
  if (step.kind === "down") return `${step.why}${at}`;
  if (look.answering !== undefined) return `answers at port ${look.answering}`;
  return look.job.state === "running" ? "runs; it names no port" : "has done its work";
}
