// `fettle login`: stores a provider's key.
import type { Client } from "../../../protocol/client.ts";
import { Exit } from "../../../protocol/exit.ts";
import { confirm, readLine, readSecret } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { gatherPrompt } from "../host/prompt.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define } from "../host/grammar.ts";

export const words = phrases("login", {
  help: {
    plainFile: "without a keychain: a file that only you can read",
  },
  lesson: {
    examples: [
      ["fettle login anthropic", "asks for the key, without showing it, and keeps it in the keychain"],
      ["pass show openai | fettle login openai", "the key from elsewhere; it is never an argument"],
      ["fettle login github", "a token for pull requests, issues and the CI of tasks"],
    ],
    exits: [
      ["0", "stored"],
      ["2", "no such provider, no key, or no keychain and no --plain-file"],
      ["130", "stopped with Ctrl-C"],
    ],
  },
  loginDone: (provider: string) =>
    provider === "github"
      ? "The token for github is stored; tasks use it for pull requests, issues and the CI."
      : `The key for ${provider} is stored. 'fettle models' shows what it can reach.`,
  loginEmpty: "No key was given.",
  loginNoKeychain: "This machine has no keychain that fettle can use.",
  loginNoProvider: "No provider is named.",
  loginPlain: "There is no keychain on this machine. Store the key in a file that only you can read?",
  loginPlainRemedy: "Run it again with --plain-file to store the key in a file that only you can read.",
  loginProviders: (names: string) => `Name the provider, for example: fettle login ${names}`,
  loginSecret: (provider: string) => `Key for ${provider} (it is not shown): `,
  loginWhich: "Which provider is the key for?",
});

export const define: Define = (command, start) =>
  start<{ plainFile?: true }>(
    command.option("--plain-file", words.help.plainFile),
    (context, [provider], { plainFile }) => login(context, provider, plainFile === true),
    { lesson: words.lesson },
  );

/** Nobody is asked for a key that could not be stored. */
async function chooseProvider(context: Context, client: Client, named: string | undefined): Promise<string> {
  const names = await client.read("login.names", named === undefined ? {} : { wanted: named });
  if (named !== undefined) return named;
  const remedy = words.loginProviders(names[0] ?? "anthropic");
  if (!context.interactive) throw usageFault(words.loginNoProvider, remedy);
  const chosen = (await readLine(context, `${words.loginWhich} [${names.join(", ")}] `))?.trim();
  if (!chosen) throw usageFault(words.loginNoProvider, remedy);
  return chooseProvider(context, client, chosen);
}

/**
 * From the terminal without echo, else the first line of standard input: never from the command line. Undefined when the
 * person gave up.
 */
async function takeKey(context: Context, provider: string): Promise<string | undefined> {
  const { stdin } = context.host;
  if (stdin.isTTY) return (await readSecret(context, words.loginSecret(provider)))?.trim();
  const [part] = await gatherPrompt({ typed: "", stdin, warn: (text) => context.err.line(text) });
  return part?.type === "text" ? (part.text.trim().split(/\s/)[0] ?? "") : "";
}

interface Key {
  provider: string;
  secret: string;
  plainFile: boolean;
}

/** Where there is no keychain, the person is asked whether a file will do. */
export async function storeKey(
  client: Client,
  key: Key,
  agrees: (question: string) => Promise<boolean>,
): Promise<void> {
  try {
    await client.send({ type: "login.set", ...key });
  } catch (error) {
    const fault = asFault(error);
    if (!fault?.code.startsWith("keychain") || key.plainFile) throw error;
    if (!(await agrees(words.loginPlain))) throw error;
    await client.send({ type: "login.set", ...key, plainFile: true });
  }
}

const store = (context: Context, client: Client, key: Key): Promise<void> =>
  storeKey(client, key, async (question) => {
    if (context.interactive) return confirm(context, question);
    throw usageFault(words.loginNoKeychain, words.loginPlainRemedy);
  });

export const login = (context: Context, named: string | undefined, plainFile: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const provider = await chooseProvider(context, client, named);
    const secret = await takeKey(context, provider);
    if (secret === undefined) return Exit.interrupted;
    if (secret === "") throw usageFault(words.loginEmpty);
    await store(context, client, { provider, secret, plainFile });
    context.out.line(words.loginDone(provider));
    return Exit.done;
  });
