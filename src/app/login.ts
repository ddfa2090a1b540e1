// Keys of providers: taken from the person once, kept in the keychain, never in a configuration file.
import { Fault } from "../base/fault.ts";
import { removeSecret, setSecret } from "../io/keychain.ts";
import { nearest } from "../io/config/spelling.ts";
import { Exit } from "../protocol/exit.ts";
import type { Program } from "./program.ts";

const withKeys = ["anthropic", "google", "openai"];

/** Rejects with a Fault: unknown provider, empty secret, or no keychain (see io/keychain.ts). */
export async function setLogin(
  program: Pick<Program, "config">,
  provider: string,
  secret: string,
  options: { plainFile: boolean },
): Promise<void> {
  requireProvider(program, provider);
  const key = secret.trim();
  if (key === "" || /\s/.test(key)) {
    throw new Fault(
      "login.secret",
      Exit.usage,
      "That is no key: it is empty or has a space in it.",
      "Paste the key alone.",
    );
  }
  await setSecret(provider, key, options);
}

export async function removeLogin(program: Pick<Program, "config">, provider: string): Promise<void> {
  requireProvider(program, provider);
  if (await removeSecret(provider)) return;
  throw new Fault(
    "login.none",
    Exit.usage,
    `No key of ${provider} is stored.`,
    "Keys in environment variables are not fettle's to remove.",
  );
}

function requireProvider(program: Pick<Program, "config">, provider: string): void {
  const configured = program.config().settings.providers;
  const type = configured[provider]?.type ?? (withKeys.includes(provider) ? provider : undefined);
  if (type === "ollama" || provider === "ollama" || type === "recorded") {
    throw new Fault("login.keyless", Exit.usage, `${provider} needs no key.`);
  }
  if (type !== undefined) return;
  const names = [...new Set([...withKeys, ...Object.keys(configured)])];
  const meant = nearest(provider, names);
  throw new Fault(
    "login.unknown",
    Exit.usage,
    `There is no provider called ${provider}${meant ? `; did you mean ${meant}?` : "."}`,
    `Known are ${names.join(", ")}; others are added to the configuration ([providers.NAME], see \`fettle config path\`).`,
  );
}
