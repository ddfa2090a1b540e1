// A small shell that starts contained commands and makes pipes: a fork of fettle copies the map of all its memory, which
// takes as long as the sandbox. It has a session of its own, and takes what it started with it when fettle is gone.
import { type ChildProcess, spawn } from "node:child_process";
import { Socket } from "node:net";
import { coverLeaks } from "./leaks.ts";

export interface StartRequest {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  /** Words for a shell, before the command; may be empty. */
  limits: string;
  /** Files for descriptors 3, 4, … */
  inherit: readonly string[];
  /** Descriptor of this process that takes the output. */
  output: number;
}

export interface Begun {
  pid: number;
  /** 128 and the signal's number where a signal ended it. */
  ended: Promise<number>;
}

const programs = { PATH: "/usr/bin:/bin:/run/current-system/sw/bin" };
/** Bytes of words; more is for the system to refuse, in its own words. */
const longest = 100_000;
const firstWordMs = 2_000;
const killed = 128 + 9;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

// The end of its input is the end of fettle. What runs beside a shell ignores interrupts; `env` takes that back.
const opening = "trap 'kill -KILL 0' EXIT; env --default-signal=INT,QUIT true && echo able; echo ready\n";

/** Descriptor 9 is the way back, and closed before the command runs. */
function words(id: number, { argv, cwd, env, limits, inherit, output }: StartRequest): string {
  const files = inherit.map((file, index) => ` ${index + 3}<${quoted(file)}`).join("");
  const variables = Object.entries(env).map(([name, value]) => quoted(`${name}=${value}`));
  const command = ["env", "-i", "--default-signal=INT,QUIT", ...variables, ...argv.map(quoted)].join(" ");
  const opened = `cd ${quoted(cwd)} && exec >/proc/${process.pid}/fd/${output} 2>&1 </dev/null${files}`;
  const child = `( ${opened} && echo begun ${id} 0 >&9 && ${limits}exec 9>&- ${command} )`;
  return `{ ${child} & p=$!; echo pid ${id} $p; wait $p; echo end ${id} $?; } 9>&1 &\n`;
}

/** What is known of one that was asked for. */
class Started {
  readonly begun = Promise.withResolvers<Begun | undefined>();
  readonly #ended = Promise.withResolvers<number>();
  #runs = false;
  #pid: number | undefined;

  hear(word: string, value: number): void {
    if (word === "pid") this.#pid = value;
    if (word === "begun") this.#runs = true;
    if (this.#runs && this.#pid !== undefined) this.begun.resolve({ pid: this.#pid, ended: this.#ended.promise });
  }

  end(code: number): void {
    this.begun.resolve(undefined);
    this.#ended.resolve(code);
  }
}

class Starter {
  readonly ready = Promise.withResolvers<boolean>();
  /** Whether interrupts can be given back to what it starts. */
  able = false;
  readonly #shell: ChildProcess;
  readonly #started = new Map<number, Started>();
  #last = 0;
  #rest = "";

  constructor() {
    this.#shell = spawn("/bin/sh", ["-s"], {
      ...{ cwd: "/", env: programs, detached: true },
      stdio: coverLeaks(["pipe", "pipe", "ignore"]),
    });
    const timer = setTimeout(() => this.ready.resolve(false), firstWordMs);
    void this.ready.promise.then(() => {
      clearTimeout(timer);
      this.#rested();
    });
    this.#shell.once("error", () => this.#gone());
    this.#shell.once("exit", () => this.#gone());
    this.#shell.stdin?.on("error", () => this.#shell.kill("SIGKILL"));
    this.#shell.stdout?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    this.#shell.stdin?.write(opening);
  }

  get alive(): boolean {
    return this.#shell.pid !== undefined && this.#shell.exitCode === null && this.#shell.signalCode === null;
  }

  async start(request: StartRequest): Promise<Begun | undefined> {
    const id = ++this.#last;
    const started = new Started();
    this.#started.set(id, started);
    this.#keep(true);
    this.#shell.stdin?.write(words(id, request));
    return started.begun.promise;
  }

  /** True when all of them were made. */
  async makePipes(names: readonly string[]): Promise<boolean> {
    const id = ++this.#last;
    const started = new Started();
    this.#started.set(id, started);
    this.#keep(true);
    const made = `mkfifo -m 600 -- ${names.map(quoted).join(" ")}`;
    this.#shell.stdin?.write(`${made} </dev/null && echo pid ${id} 1 && echo begun ${id} 0; echo end ${id} 0\n`);
    return (await started.begun.promise) !== undefined;
  }

  #hear(text: string): void {
    const lines = `${this.#rest}${text}`.split("\n");
    this.#rest = lines.pop() ?? "";
    for (const line of lines) {
      const [word = "", id = "", value = ""] = line.split(" ");
      if (word === "able") this.able = true;
      else if (word === "ready") this.ready.resolve(true);
      else if (word === "end") this.#end(Number(id), Number(value));
      else this.#started.get(Number(id))?.hear(word, Number(value));
    }
  }

  #end(id: number, code: number): void {
    this.#started.get(id)?.end(code);
    this.#started.delete(id);
    this.#rested();
  }

  /** What it had started ends with it, also when it could not see to that itself. */
  #gone(): void {
    this.ready.resolve(false);
    if (this.#shell.pid !== undefined) endGroup(this.#shell.pid);
    for (const id of [...this.#started.keys()]) this.#end(id, killed);
  }

  /** fettle goes on while something runs, and does not wait for the shell itself. */
  #rested(): void {
    if (this.#started.size === 0) this.#keep(false);
  }

  #keep(running: boolean): void {
    for (const each of [this.#shell, this.#shell.stdin, this.#shell.stdout]) {
      if (!(each instanceof Socket) && each !== this.#shell) continue;
      if (running) each.ref();
      else each.unref();
    }
  }
}

function endGroup(leader: number): void {
  try {
    process.kill(-leader, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}

let starter: Starter | undefined;
let impossible = process.platform !== "linux";

async function usable(): Promise<Starter | undefined> {
  if (impossible) return undefined;
  if (!starter?.alive) starter = new Starter();
  if (await starter.ready.promise) return starter;
  impossible = true;
  return undefined;
}

/** Undefined where the command has to be started by fettle itself. */
export async function startSmall(request: StartRequest): Promise<Begun | undefined> {
  const bytes = [...request.argv, ...Object.values(request.env)].reduce((sum, text) => sum + text.length, 0);
  if (bytes > longest) return undefined;
  const found = await usable();
  return found?.able ? found.start(request) : undefined;
}

export const makePipeFiles = async (names: readonly string[]): Promise<boolean> =>
  (await (await usable())?.makePipes(names)) ?? false;
