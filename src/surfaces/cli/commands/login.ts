import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import { confirm, readLine, readSecret } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { gatherPrompt } from "../host/prompt.ts";
import { reports } from "../words/reports.ts";

/** Nobody is asked for a key that could not be stored. */
async function chooseProvider(context: Context, client: Client, named: string | undefined): Promise<string> {
  const names = await client.read("login.names", named === undefined ? {} : { wanted: named });
  if (named !== undefined) return named;
  const remedy = reports.loginProviders(names[0] ?? "anthropic");
  if (!context.interactive) throw usageFault(reports.loginNoProvider, remedy);
  const chosen = (await readLine(context, `${reports.loginWhich} [${names.join(", ")}] `))?.trim();
  if (!chosen) throw usageFault(reports.loginNoProvider, remedy);
  return chooseProvider(context, client, chosen);
}

/**
 * From the terminal without echo, else the first line of standard input: never from the command line. Undefined when the
 * person gave up.
 */
async function takeKey(context: Context, provider: string): Promise<string | undefined> {
  const { stdin } = context.host;
  if (stdin.isTTY) return (await readSecret(context, reports.loginSecret(provider)))?.trim();
  const [part] = await gatherPrompt({ typed: "", stdin, warn: (text) => context.err.line(text) });
  return part?.type === "text" ? (part.text.trim().split(/\s/)[0] ?? "") : "";
}

async function store(context: Context, client: Client, key: { provider: string; secret: string; plainFile: boolean }) {
  try {
    await client.send({ type: "login.set", ...key });
  } catch (error) {
    const fault = asFault(error);
    if (!fault?.code.startsWith("keychain") || key.plainFile) throw error;
    if (!context.interactive) throw usageFault(fault.message, reports.loginPlainRemedy);
    if (!(await confirm(context, reports.loginPlain))) throw error;
    await client.send({ type: "login.set", ...key, plainFile: true });
  }
}

export const login = (context: Context, named: string | undefined, plainFile: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const provider = await chooseProvider(context, client, named);
    const secret = await takeKey(context, provider);
    if (secret === undefined) return Exit.interrupted;
    if (secret === "") throw usageFault(reports.loginEmpty);
    await store(context, client, { provider, secret, plainFile });
    context.out.line(reports.loginDone(provider));
    return Exit.done;
  });

export const logout = (context: Context, provider: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "login.remove", provider });
    context.out.line(reports.logoutDone(provider));
    return Exit.done;
  });
