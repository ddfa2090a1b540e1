// Secrets in texts and files: the firewall's own eyes, for people and for measuring.
import { classifyPath } from "../../../guard/command-line/context/sensitive.ts";
import { createFirewall, type Redacted } from "../../../guard/firewall/firewall.ts";
import type { ScannedFile, SecretAnswer, SecretPlace, TextItem } from "../../../protocol/query.ts";
import { firewallKey } from "../../program/keys.ts";
import { factsOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";
import { scanFiles } from "./scan-files.ts";

export function texts(program: Program, items: readonly TextItem[]): SecretAnswer[] {
  const firewall = createFirewall(firewallKey(program.places));
  return items.map(({ id, text }) => {
    const { text: redacted, found } = firewall.redact(text);
    return { id, findings: found.map(({ kind, from, to }) => ({ rule: kind, start: from, end: to })), redacted };
  });
}

export async function files(program: Program, given: { paths: string[]; input?: string }): Promise<ScannedFile[]> {
  const firewall = createFirewall(firewallKey(program.places));
  const facts = factsOf(program);
  return scanFiles<ScannedFile>(program, given, {
    look(shown, text, file) {
      const isEnvironment = file !== undefined && classifyPath(file, facts) === "env";
      return { path: shown, places: placesOf(text, firewall.redact(text, isEnvironment ? "environment" : "ordinary")) };
    },
    leave: (left) => ({ places: [], ...left }),
  });
}

const widest = 100;

/** The redacted line has no other secret in it either; marks are shortened to what they hide. */
function placesOf(text: string, { found }: Redacted): SecretPlace[] {
  let line = 1;
  let at = 0;
  return found.map(({ kind, from, to }, index) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < from; next = text.indexOf("\n", at)) {
      line++;
      at = next + 1;
    }
    const before = text.slice(Math.max(at, found[index - 1]?.to ?? 0, from - widest / 2), from);
    const end = text.indexOf("\n", to);
    const until = Math.min(end < 0 ? text.length : end, found[index + 1]?.from ?? text.length, to + widest / 2);
    return { line, rule: kind, excerpt: `${before}${masked(text.slice(from, to))}${text.slice(to, until)}`.trim() };
  });
}

/** Enough to recognise which secret it is, too little to use it. */
function masked(secret: string): string {
  const [first = ""] = secret.split("\n");
  return secret.length >= 20 && !secret.includes("\n")
    ? `${first.slice(0, 4)}…(${secret.length})`
    : `…(${secret.length})`;
}
