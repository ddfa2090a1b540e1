// Secrets in texts and files: the firewall's own eyes, for people and for measuring.
import path from "node:path";
import { classifyPath } from "../../../guard/command-line/context/sensitive.ts";
import { createFirewall, type Redacted } from "../../../guard/firewall/firewall.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import { FileProblem } from "../../../io/files/problem.ts";
import { findEverything } from "../../../io/files/search.ts";
import type { ScannedFile, SecretAnswer, SecretPlace, TextItem } from "../../../protocol/query.ts";
import { firewallKey } from "../../program/keys.ts";
import { factsOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";

/** A larger file is data of a program, not text that somebody wrote. */
const longest = 20_000_000;
const mostFiles = 50_000;

export function texts(program: Program, items: readonly TextItem[]): SecretAnswer[] {
  const firewall = createFirewall(firewallKey(program.places));
  return items.map(({ id, text }) => {
    const { text: redacted, found } = firewall.redact(text);
    return { id, findings: found.map(({ kind, from, to }) => ({ rule: kind, start: from, end: to })), redacted };
  });
}

/** Hidden files are looked at, too. What is ignored, binary, a link or git's own is told as skipped, unless it is named. */
export async function files(
  program: Program,
  { paths, input }: { paths: string[]; input?: string },
): Promise<ScannedFile[]> {
  const firewall = createFirewall(firewallKey(program.places));
  const facts = factsOf(program);
  const looked = (shown: string, text: string, file?: string): ScannedFile => {
    const isEnvironment = file !== undefined && classifyPath(file, facts) === "env";
    return { path: shown, places: placesOf(text, firewall.redact(text, isEnvironment ? "environment" : "ordinary")) };
  };
  const read = async (file: string): Promise<ScannedFile> => {
    const shown = shownPath(file, program.cwd);
    const { bytes, size } = await readBytes(facts.path(file).real, { limit: longest });
    if (bytes.subarray(0, 8000).includes(0)) return { path: shown, places: [], skipped: "binary" };
    if (size > longest) return { path: shown, places: [], problem: "it is larger than 20 MB" };
    return looked(shown, new TextDecoder().decode(bytes), file);
  };
  const found: ScannedFile[] = [];
  for (const given of paths) {
    if (given === "-" && input !== undefined) {
      found.push(looked("-", input));
      continue;
    }
    const below = await orProblem(given, async () => everythingBelow(program, given));
    if ("places" in below) {
      found.push(below);
      continue;
    }
    found.push(...below.leftOut);
    for (const file of below.files) found.push(await orProblem(shownPath(file, program.cwd), () => read(file)));
  }
  return found;
}

/** What cannot be read is told in its place, and the rest goes on. */
async function orProblem<T>(shown: string, work: () => Promise<T>): Promise<T | ScannedFile> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { path: shown, places: [], problem: error.message };
  }
}

function everythingBelow({ workspace, cwd }: Program, given: string): { files: string[]; leftOut: ScannedFile[] } {
  const { paths, out, more } = findEverything(workspace, path.resolve(cwd, given), mostFiles);
  const leftOut = out.map(({ path: relative, why }): ScannedFile => {
    const shown = shownPath(path.resolve(workspace, relative), cwd) + (relative.endsWith("/") ? "/" : "");
    return why === "unreadable"
      ? { path: shown, places: [], problem: "the folder cannot be read" }
      : { path: shown, places: [], skipped: why };
  });
  if (more) leftOut.push({ path: given, places: [], problem: `only the first ${mostFiles} files are scanned` });
  return { files: paths.map((relative) => path.resolve(workspace, relative)), leftOut };
}

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith("..") ? file : relative;
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
