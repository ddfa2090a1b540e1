// One language server: started when a file of its language is first asked about, ended when it holds too much memory, and
// started again after a wait that grows with each failure.
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { backoffDelay } from "../../../base/backoff.ts";
import { PluginProblem } from "../serving/spec.ts";
import { residentMb } from "./memory.ts";
import type { Diagnostic, LanguageServer } from "./spec.ts";
import { Wire } from "./wire.ts";

const startMs = 45_000;
const endMs = 1_000;
const watchMs = 2_000;
const backoff = { first: 250, most: 10_000 };
const mostFailures = 5;
const keptErrors = 400;

interface Capabilities {
  diagnosticProvider?: unknown;
}

/** A server that answers. */
export interface Running {
  wire: Wire;
  capabilities: Capabilities;
  /** By URI, as the server sent them last, and how often it has. */
  published: Map<string, { diagnostics: Diagnostic[]; count: number }>;
  /** By URI, the version and text that the server knows. */
  open: Map<string, { version: number; text: string }>;
}

export class Server {
  readonly #of: LanguageServer;
  readonly #workspace: string;
  readonly #memoryMb: number;
  #child: ChildProcess | undefined;
  #running: Promise<Running> | undefined;
  #failures = 0;
  #last = "";

  constructor(of: LanguageServer, { workspace, memoryMb }: { workspace: string; memoryMb: number }) {
    this.#of = of;
    this.#workspace = workspace;
    this.#memoryMb = memoryMb;
  }

  get name(): string {
    return this.#of.command[0]?.split("/").at(-1) ?? this.#of.language;
  }

  get language(): string {
    return this.#of.language;
  }

  /** Rejects with a PluginProblem when it cannot be had. */
  up(): Promise<Running> {
    this.#running ??= this.#begin().catch((error: unknown) => {
      this.#running = undefined;
      throw error;
    });
    return this.#running;
  }

  async close(): Promise<void> {
    const child = this.#child;
    const running = await this.#running?.catch(() => undefined);
    if (!child) return;
    await running?.wire.request("shutdown", null, endMs).catch(() => undefined);
    running?.wire.notify("exit", null);
    await Promise.race([new Promise((resolve) => child.once("exit", resolve)), sleep(endMs)]);
    child.kill("SIGKILL");
  }

  async #begin(): Promise<Running> {
    if (this.#failures >= mostFailures)
      throw new PluginProblem(
        `The language server ${this.name} has failed ${this.#failures} times and is not started again in this session. ${this.#last}`,
      );
    if (this.#failures > 0) await sleep(backoffDelay(backoff, this.#failures + 1, Math.random()));
    const [program = "", ...args] = this.#of.command;
    const child = spawn(program, args, { cwd: this.#workspace, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    let errors = "";
    let ended: string | undefined;
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-keptErrors);
      process.stderr.write(text);
    });
    const published: Running["published"] = new Map();
    const wire = new Wire(child.stdout, child.stdin, {
      told: (method, params) => {
        if (method === "textDocument/publishDiagnostics") keep(published, params);
      },
      asked: answerTo,
      broken: (why) => end(why),
    });
    const end = (why: string) => {
      if (ended !== undefined) return;
      ended = why;
      this.#failed(`${why}${errors.trim() === "" ? "" : ` It said: ${errors.trim().split("\n").at(-1)}`}`);
      wire.end(`The language server ${this.name} has ended. ${this.#last}`);
      child.kill("SIGKILL");
    };
    child.on("error", (error) => end(`It could not be started: ${error.message}.`));
    child.on("exit", (code, signal) => end(signal ? `It was ended by ${signal}.` : `It ended with exit code ${code}.`));
    const watch = setInterval(() => {
      const held = child.pid === undefined ? 0 : residentMb(child.pid);
      if (held > this.#memoryMb) end(`It held ${Math.round(held)} MB of memory; ${this.#memoryMb} are allowed.`);
      if (ended !== undefined) clearInterval(watch);
    }, watchMs);
    watch.unref();
    try {
      const { capabilities = {} } = await wire.request<{ capabilities?: Capabilities }>(
        "initialize",
        greeting(this.#workspace),
        startMs,
      );
      wire.notify("initialized", {});
      return { wire, capabilities, published, open: new Map() };
    } catch (error) {
      end(error instanceof Error ? error.message : String(error));
      throw new PluginProblem(`The language server ${this.name} did not start. ${this.#last}`);
    }
  }

  #failed(why: string): void {
    this.#failures += 1;
    this.#last = why;
    this.#running = undefined;
    this.#child = undefined;
  }
}

function keep(published: Running["published"], params: unknown): void {
  const { uri, diagnostics } = params as { uri: string; diagnostics: Diagnostic[] };
  published.set(uri, { diagnostics, count: (published.get(uri)?.count ?? 0) + 1 });
}

/** What servers ask of an editor. Nothing is changed for them: an edit of theirs is an answer, and fettle's gate writes it. */
function answerTo(method: string, params: unknown): unknown {
  if (method === "workspace/configuration") return (params as { items: unknown[] }).items.map(() => null);
  return method === "workspace/applyEdit" ? { applied: false } : null;
}

const greeting = (workspace: string) => {
  const rootUri = pathToFileURL(workspace).href;
  return {
    processId: process.pid,
    clientInfo: { name: "fettle" },
    ...{ rootUri, rootPath: workspace, workspaceFolders: [{ uri: rootUri, name: "workspace" }] },
    capabilities: {
      general: { positionEncodings: ["utf-16"] },
      textDocument: {
        synchronization: { didSave: true },
        publishDiagnostics: { versionSupport: true },
        diagnostic: { relatedDocumentSupport: false },
        definition: { linkSupport: false },
        references: {},
        rename: { prepareSupport: false },
      },
      workspace: {
        ...{ configuration: true, workspaceFolders: true, symbol: {} },
        workspaceEdit: { documentChanges: true, resourceOperations: [] },
        didChangeWatchedFiles: { dynamicRegistration: true },
      },
    },
  };
};
