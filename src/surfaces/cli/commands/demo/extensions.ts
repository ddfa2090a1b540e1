// `fettle demo extensions`: a plugin, a skill, a command, a hook and an MCP server, shown before any of them is used.
import { renderPlugin, usable } from "../plugin.ts";
import { renderTrust } from "../trust.ts";
import type { Client } from "../../../../protocol/client.ts";
import type { ExtensionsDemoPlan } from "../../../../protocol/demo.ts";
import type { Event, FactOf } from "../../../../protocol/event.ts";
import type { Result } from "../../../../protocol/result.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { CliHost } from "../../host/host.ts";
import { Output } from "../../host/output.ts";
import { runTurn } from "../../host/turn.ts";
import { renderApproval } from "../../render/approval.ts";
import { safeLine } from "../../text/safe-text.ts";
import type { Look } from "../../text/style.ts";
import { renderPairs } from "../../text/table.ts";
import { wrap } from "../../text/width.ts";
import { phrases } from "../../../phrases/phrases.ts";
import { DemoScreen, lookOf } from "./sample.ts";

export const words = phrases("demoExtensions", {
  title: "fettle demo extensions  what others bring",
  scripted:
    "The model's replies are scripted. Everything else is real: the plugin, the hook, the MCP server and their sandbox, the gate, the ledger.",
  plugin: "1  A plugin is shown part by part before anything of it is used",
  granted: (parts: string) => `The demo grants, as you: ${parts}. What cannot be used is named with its reason.`,
  trust: "2  So is what the repository brings",
  trusted: "The demo trusts exactly this, as you.",
  session: "3  A session uses all of them behind the gate",
  changed: "4  The MCP server describes its tool otherwise a day later",
  asked: "The demo says no here, as you; in your own session you would be asked:",
  refusal: "the demo does not want the changed tool",
  outcome: {
    plugin: "plugin",
    hook: "hook",
    server: "MCP server",
    changed: "changed tool",
    ledger: "ledger",
  },
  pinned: (granted: number, all: number) =>
    `${granted} of ${all} parts granted and pinned, the other named with its reason`,
  refused: "refused to remove stock.csv",
  answered: "started when it was first needed; both calls answered",
  notCalled: "asked with the difference, and not called",
  verified: "verified",
  failed: "The demo failed.",
  problems: {
    plugin: "The plugin's broken skill was not named.",
    turn: "A scripted turn did not end as written.",
    hook: "The hook did not keep stock.csv.",
    server: "The server did not answer.",
    changed: "The changed tool was not asked about.",
    ledger: (problem: string) => `The ledger does not verify: ${problem}`,
  },
  noSandbox: (why: string) =>
    `This machine has no kernel sandbox (${why}): a repository's hooks and servers do not run here, so there is nothing to show.`,
  next: (folder: string) =>
    `Everything lies in ${folder}, with a home of its own: nothing of it is in your configuration.`,
});

/** Resolves with the exit code: 0 only when all that it shows is really so. Rejects with a Fault. */
export async function runExtensionsDemo(host: CliHost, noColour: boolean): Promise<number> {
  const out = new Output(host.stdout);
  const look = lookOf({ noColour }, host);
  const plan = await (await host.demos()).prepareExtensions();
  try {
    return await new ExtensionsDemo(plan, host, { out, look }).perform();
  } finally {
    await out.flush();
  }
}

/** What came of a turn. */
interface Shown {
  code: number;
  ended: FactOf<"call.ended">[];
  asked: boolean;
}

const textOf = ({ parts }: Result): string => JSON.stringify(parts);

class ExtensionsDemo {
  readonly #plan: ExtensionsDemoPlan;
  readonly #host: CliHost;
  readonly #out: Output;
  readonly #look: Look;

  constructor(plan: ExtensionsDemoPlan, host: CliHost, { out, look }: { out: Output; look: Look }) {
    this.#plan = plan;
    this.#host = host;
    this.#out = out;
    this.#look = look;
  }

  async perform(): Promise<number> {
    const { problem, report, changed, folder } = this.#plan;
    if (problem !== undefined) return this.#failed(words.noSandbox(safeLine(problem)), Exit.usage);
    const { style, width } = this.#look;
    this.#lines([
      style.bold(words.title),
      ...wrap(words.scripted, width).map(style.yellow),
      ...["", style.bold(words.plugin), ""],
    ]);
    const plugin = await this.#with((client) => this.#addPlugin(client));
    this.#lines(["", this.#look.style.bold(words.trust), ""]);
    await this.#with((client) => this.#trust(client));
    const first = await this.#turn(words.session, report);
    this.#plan.changeTool();
    const second = await this.#turn(words.changed, changed);
    const ledger = await this.#with((client) => client.read("audit.verify", {}));
    const calls = first.ended.filter(({ tool, result }) => tool === "mcp" && result.status === "done").length;
    const hook = first.ended.some(({ tool, result }) => tool === "shell" && result.status === "refused");
    const asked = second.asked && !second.ended.some(({ result }) => textOf(result).includes("12 pens"));
    const { problems, outcome } = words;
    const checks: [boolean, string, string, string][] = [
      [first.code === Exit.done && second.code === Exit.done, "", "", problems.turn],
      [plugin.broken, outcome.plugin, words.pinned(plugin.granted, plugin.all), problems.plugin],
      [calls === 2, outcome.server, words.answered, problems.server],
      [hook, outcome.hook, words.refused, problems.hook],
      [asked, outcome.changed, words.notCalled, problems.changed],
      [ledger.ok, outcome.ledger, words.verified, problems.ledger(safeLine(ledger.problem ?? ""))],
    ];
    const wrong = checks.find(([good]) => !good);
    if (wrong) return this.#failed(wrong[3], ledger.ok ? Exit.failed : Exit.integrity);
    const rows = checks.slice(1).map(([, name, text]): [string, string] => [name, this.#look.style.green(text)]);
    this.#lines(["", ...renderPairs(rows, this.#look), "", ...wrap(words.next(folder), this.#look.width)]);
    return Exit.done;
  }

  async #with<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#host.open({ cwd: this.#plan.workspace, headless: true }, this.#plan.env);
    try {
      return await work(client);
    } finally {
      await client.close();
    }
  }

  async #addPlugin(client: Client): Promise<{ granted: number; all: number; broken: boolean }> {
    const found = await client.read("plugin.look", { source: this.#plan.plugin });
    const parts = usable(found).map(({ kind, name }) => `${kind} ${name}`);
    this.#lines(renderPlugin(found, this.#look));
    this.#note(words.granted(parts.join(", ")));
    await client.send({ type: "plugin.add", digest: found.digest, parts });
    return {
      granted: parts.length,
      all: found.parts.length,
      broken: found.parts.some(({ problem }) => problem !== undefined),
    };
  }

  async #trust(client: Client): Promise<void> {
    const view = await client.read("trust.show", {});
    this.#lines(renderTrust(view, this.#look));
    this.#note(words.trusted);
    await client.send({ type: "trust.accept", digest: view.digest });
  }

  async #turn(title: string, { prompt, flags }: ExtensionsDemoPlan["report"]): Promise<Shown> {
    const { style } = this.#look;
    const { workspace } = this.#plan;
    this.#lines(["", style.bold(title), "", `${style.cyan(style.symbols.prompt)} ${style.bold(prompt)}`, ""]);
    const client = await this.#host.open(flags, this.#plan.env);
    const shown = { name: "", title: "", testCommand: "", program: "", ...{ workspace, prompt, flags } };
    const screen = new DemoScreen(shown, this.#out, this.#look);
    const seen: Omit<Shown, "code"> = { ended: [], asked: false };
    try {
      const code = await runTurn({
        ...{ client, host: this.#host, after: 0 },
        start: { type: "prompt.send", prompt: [{ type: "text", text: prompt }] },
        reporter: {
          follow: async (event) => {
            await screen.follow(event);
            if (event.type === "call.ended") seen.ended.push(event);
            if (event.type !== "approval.asked") return;
            seen.asked = true;
            await this.#refuse(client, event);
          },
          end: (event) => screen.end(event),
        },
      });
      return { code, ...seen };
    } finally {
      await client.close();
    }
  }

  /** The person of the demo says no, visibly. */
  #refuse(client: Client, { request }: Extract<Event, { type: "approval.asked" }>): Promise<void> {
    const { nonce } = request;
    this.#lines(["", ...renderApproval(request, this.#look, Date.now()), ""]);
    this.#note(words.asked);
    return client.send({ type: "approval.answer", nonce, answer: { kind: "deny", reason: words.refusal } });
  }

  #note(text: string): void {
    const { style, width } = this.#look;
    this.#lines(["", ...wrap(text, width).map((line) => style.yellow(line))]);
  }

  #failed(sentence: string, code: number): number {
    this.#lines(["", ...wrap(`${words.failed} ${sentence}`, this.#look.width).map(this.#look.style.red)]);
    return code;
  }

  #lines(lines: readonly string[]): void {
    this.#out.write(`${lines.join("\n")}\n`);
  }
}
