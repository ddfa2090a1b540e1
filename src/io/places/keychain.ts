// Secrets of the person: in the keychain of the operating system, or, where there is none, in a private file.
import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import type { Entry as KeychainEntry } from "@napi-rs/keyring";
import { isA, withFallback } from "../../base/fallback.ts";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { readRegular } from "../files/regular.ts";
import { makePrivateFolder, places } from "./places.ts";

const service = "fettle";

/** The file beside the keychain: ~/.config/fettle/credentials.json, mode 0600. */
export const credentialsFile = (env?: NodeJS.ProcessEnv): string => path.join(places(env).config, "credentials.json");

/** The file first: it costs no library, and a name stands in only one of the two. */
export async function getSecret(name: string, file = credentialsFile()): Promise<string | undefined> {
  const known = readCredentials(file);
  return known && Object.hasOwn(known, name) ? known[name] : readKeychain(name);
}

/**
 * Into the keychain; without one into the file, if the person agreed (`plainFile`, or the file exists already).
 * Rejects with the Fault `keychain.missing` otherwise.
 */
export async function setSecret(
  name: string,
  value: string,
  options: { plainFile: boolean },
  file = credentialsFile(),
): Promise<"keychain" | "file"> {
  const known = readCredentials(file);
  if (writeKeychain(name, value)) {
    if (known && Object.hasOwn(known, name)) writeCredentials(file, without(known, name));
    return "keychain";
  }
  if (!known && !options.plainFile) {
    throw new Fault(
      "keychain.missing",
      Exit.usage,
      "This machine has no keychain that fettle can use.",
      `Set the provider's environment variable, or repeat with --plain-file to keep the secret in ${file} (mode 0600).`,
    );
  }
  writeCredentials(file, { ...known, [name]: value });
  return "file";
}

/** Answers whether there was one. */
export async function removeSecret(name: string, file = credentialsFile()): Promise<boolean> {
  const known = readCredentials(file);
  const inFile = known !== undefined && Object.hasOwn(known, name);
  if (inFile) writeCredentials(file, without(known, name));
  return eraseKeychain(name) || inFile;
}

/** Undefined when the keychain does not have it or does not exist. */
export function readKeychain(name: string): string | undefined {
  return attempt(() => entry(name).getPassword() ?? undefined);
}

/** False when there is no keychain, or it did not keep the value. */
export function writeKeychain(name: string, value: string): boolean {
  const kept = attempt(() => {
    entry(name).setPassword(value);
    return entry(name).getPassword();
  });
  return kept === value;
}

export function eraseKeychain(name: string): boolean {
  return attempt(() => entry(name).deletePassword()) ?? false;
}

/** The kernel's keyring would forget everything at the next boot: on Linux only the Secret Service will do. */
function entry(name: string): KeychainEntry {
  const { Entry } = createRequire(import.meta.url)("@napi-rs/keyring") as typeof import("@napi-rs/keyring");
  return new Entry(service, name, { linux: { store: "secret-service" } });
}

/** Every failure of the keychain (no library for this platform, no service, locked, denied) means: not available. */
const attempt = <T>(body: () => T): T | undefined => withFallback(undefined, isA(Error), () => body());

const without = (secrets: Record<string, string>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(secrets).filter(([key]) => key !== name));

function readCredentials(file: string): Record<string, string> | undefined {
  let text: string;
  try {
    if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
    text = readRegular(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw unusable(file, (error as Error).message);
  }
  return parseCredentials(file, text);
}

function parseCredentials(file: string, text: string): Record<string, string> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw unusable(file, "it is not JSON");
  }
  const entries =
    typeof value === "object" && value !== null && !Array.isArray(value) ? Object.entries(value) : undefined;
  if (!entries?.every(([, secret]) => typeof secret === "string")) {
    throw unusable(file, "it must be a JSON object of names and secrets");
  }
  return Object.fromEntries(entries) as Record<string, string>;
}

function writeCredentials(file: string, secrets: Record<string, string>): void {
  const temporary = `${file}.${process.pid}`;
  try {
    makePrivateFolder(path.dirname(file));
    rmSync(temporary, { force: true });
    writeFileSync(temporary, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: "wx", flush: true });
    renameSync(temporary, file);
  } catch (error) {
    throw unusable(file, (error as Error).message);
  }
}

const unusable = (file: string, detail: string): Fault =>
  new Fault("credentials.unusable", Exit.usage, `${file} cannot be used: ${detail}.`, "Mend or delete the file.");
