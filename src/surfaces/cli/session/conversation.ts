// A prompt or none: an interactive session, or one turn that nobody watches.
import type { Client, Command } from "../../../protocol/client.ts";
import type { StoredFact } from "../../../protocol/event.ts";
import { Exit } from "../../../protocol/exit.ts";
import { factsOf } from "../host/history.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { JsonReporter, TextReporter } from "./headless.ts";
import { runTurn } from "../host/turn.ts";
import { gatherPrompt } from "../host/prompt.ts";
import { general } from "../words/general.ts";

export async function runPrompt(context: Context, typed: string): Promise<number> {
  const { options, interactive } = context;
  if (interactive && !options.print && !options.json) {
    const { runInteractive } = await import("./interactive.ts");
    try {
      return await runInteractive(context, typed);
    } catch (error) {
      const { offerSetup } = await import("./offer-setup.ts");
      const offered = await offerSetup(context, error);
      if (offered === undefined) throw error;
      return offered ? runInteractive(context, typed) : Exit.usage;
    }
  }
  return runHeadless(context, typed);
}

function runHeadless(context: Context, typed: string): Promise<number> {
  const { host, options } = context;
  return context.with({ headless: true }, async (client) => {
    const warn = (text: string) => context.err.line(text);
    const prompt = await gatherPrompt({ typed, stdin: host.stdin, warn });
    const resumes = options.continue === true || options.resume !== undefined;
    const view = resumes ? await client.read("session.view", {}) : undefined;
    if (prompt.length === 0 && !view?.interrupted) throw usageFault(general.nothingToDo, general.nothingToDoRemedy);
    const told = view ? await toldBefore(client, view.id, prompt.length === 0) : [];
    const start: Command = prompt.length > 0 ? { type: "prompt.send", prompt } : { type: "turn.resume" };
    const follows = reporter(context, client, told);
    try {
      const code = await runTurn({ client, host, start, after: told.length, reporter: follows });
      const asked = code === Exit.interrupted || code === Exit.terminated;
      if (asked && follows instanceof TextReporter) follows.tellKept();
      return code;
    } catch (error) {
      // Who reads events hears of it, too, where nothing could begin.
      if (follows instanceof JsonReporter) follows.fail(error);
      throw error;
    }
  });
}

/** An answer that was stored last may never have been shown: going on with its turn shows it. */
async function toldBefore(client: Client, session: string, goesOn: boolean): Promise<StoredFact[]> {
  const facts = await factsOf(client, session);
  return goesOn && facts.at(-1)?.type === "round.ended" ? facts.slice(0, -1) : facts;
}

function reporter(context: Context, client: Client, told: readonly StoredFact[]) {
  const { options, out, err, host } = context;
  if (options.json) return new JsonReporter(out);
  return new TextReporter({
    client,
    told,
    out,
    err,
    look: () => context.look("stderr"),
    quiet: options.quiet === true,
    schema: options.outputSchema !== undefined,
    outIsTerminal: host.stdout.isTTY === true,
    kept: options.incognito !== true,
    waits: options.waitApprovals !== undefined,
  });
}
