// Keys and passwords have no place in a configuration file: what looks like one is refused, with the way to keep it.
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { keyText } from "./keys.ts";

const tokenShapes: readonly RegExp[] = [
  /\bsk-[\w-]{16,}/,
  /\bAIza[\w-]{30,}/,
  /\bgh[pousr]_\w{20,}/,
  /\bgithub_pat_\w{20,}/,
  /\bglpat-[\w-]{16,}/,
  /\bxox[abprs]-[\w-]{10,}/,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/,
  /\bhf_\w{20,}/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  /^Bearer\s+\S{8,}/i,
  /-----BEGIN [A-Z ]*PRIVATE KEY-----/,
];
const secretNames =
  /^(?:api[_-]?key|key|secret|token|password|passphrase|authorization|x-api-key|x-goog-api-key|cookie)$/i;
const addressWithPassword = /^[a-z][\w+.-]*:\/\/[^/\s:@]*:[^/\s@]+@/i;

/** Throws a Fault when `value`, or a text inside it, looks like a key or stands under a name of one. */
export function refuseSecret(path: readonly string[], value: unknown, place: () => string): void {
  const name = path.at(-1) ?? "";
  if (typeof value === "string" && !isReference(value) && (isSecret(value) || secretNames.test(name)))
    throw secretFault(path, place());
  if (!isHeaders(path) || typeof value !== "object" || value === null) return;
  for (const [header, text] of Object.entries(value)) refuseSecret([...path, header], text, place);
}

const isHeaders = (path: readonly string[]) =>
  (path[0] === "providers" && path[2] === "headers") ||
  (path[0] === "mcp" && (path[3] === "set" || path[3] === "headers"));
/** It stands for a variable of the environment. */
const isReference = (text: string) => /^(?:(?:Bearer|Basic|token) )?\$\{\w+\}$/i.test(text);

/** Whether a variable's value is better not written down. */
export const looksSecret = (name: string, value: string): boolean =>
  isSecret(value) || secretNames.test(name) || /(?:_|^)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/i.test(name);

const isSecret = (text: string) => addressWithPassword.test(text) || tokenShapes.some((shape) => shape.test(text));

function secretFault(path: readonly string[], place: string): Fault {
  if (path[0] === "mcp")
    return new Fault(
      "config.secret",
      Exit.usage,
      `${place}: ${keyText(path)} looks like a secret, and secrets never stand in a configuration file.`,
      `Keep it in your environment, and name the variable: mcp.servers.${path[2] ?? "NAME"}.env (fettle mcp add --env NAME).`,
    );
  const provider = path[0] === "providers" && path[1] ? path[1] : "PROVIDER";
  return new Fault(
    "config.secret",
    Exit.usage,
    `${place}: ${keyText(path)} looks like a secret, and secrets never stand in a configuration file.`,
    `Remove the line, then run \`fettle login ${provider}\`, or put the key into an environment variable named by providers.${provider}.api_key_env.`,
  );
}
