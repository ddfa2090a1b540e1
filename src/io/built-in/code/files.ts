// The files of the workspace as a language server knows them: read anew before each question.
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { hasCode, systemError, withFallback } from "../../../base/fallback.ts";
import { PluginProblem } from "../serving/spec.ts";
import { languageOf } from "./known.ts";
import type { Running } from "./server.ts";
import type { Position } from "./spec.ts";

const largest = 4 * 1024 * 1024;

export const uriOf = (file: string): string => pathToFileURL(file).href;

/** The real file that a model means; it lies in the workspace. */
export function fileIn(workspace: string, given: string): string {
  const full = path.resolve(workspace, given);
  const real = withFallback(undefined, hasCode("ENOENT", "ENOTDIR"), () => realpathSync(full));
  if (real === undefined || !statSync(real).isFile()) throw new PluginProblem(`${given} is no file.`);
  if (!real.startsWith(`${workspace}/`)) throw new PluginProblem(`${given} lies outside the workspace.`);
  return real;
}

/** As the workspace names it; of a library, the whole path. */
export function shownPath(workspace: string, uri: string): string {
  if (!uri.startsWith("file:")) return uri;
  const file = fileURLToPath(uri);
  return file.startsWith(`${workspace}/`) ? file.slice(workspace.length + 1) : file;
}

export function textOfFile(file: string): string {
  if (statSync(file).size > largest) throw new PluginProblem(`${file} is too large for a language server.`);
  return readFileSync(file, "utf8");
}

/** Tells the server the file as it is now; answers whether it knew another text. */
export function show({ wire, open }: Running, file: string): boolean {
  const uri = uriOf(file);
  const text = textOfFile(file);
  const known = open.get(uri);
  if (known?.text === text) return false;
  const version = (known?.version ?? 0) + 1;
  open.set(uri, { version, text });
  if (known) wire.notify("textDocument/didChange", { textDocument: { uri, version }, contentChanges: [{ text }] });
  else {
    const languageId = languageOf(file)?.id ?? "plaintext";
    wire.notify("textDocument/didOpen", { textDocument: { uri, languageId, version, text } });
  }
  return true;
}

/** What is open was perhaps changed by somebody else, or is gone. */
export function showAgain(running: Running): void {
  const { wire, open } = running;
  for (const uri of open.keys()) {
    const file = fileURLToPath(uri);
    if (withFallback(false, hasCode("ENOENT", "ENOTDIR"), () => statSync(file).isFile())) show(running, file);
    else {
      open.delete(uri);
      wire.notify("textDocument/didClose", { textDocument: { uri } });
      wire.notify("workspace/didChangeWatchedFiles", { changes: [{ uri, type: 3 }] });
    }
  }
}

/** Where `symbol` stands: on the line (from 1) if one is given, else at its first place in the file, as a whole word. */
export function positionOf(file: string, symbol: string, line: number | undefined): Position {
  const lines = textOfFile(file).split("\n");
  const word = /^[\p{L}\p{N}_$]+$/u.test(symbol);
  const escaped = symbol.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
  const pattern = new RegExp(word ? `(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])` : escaped, "u");
  const among = line === undefined ? lines.entries() : [[line - 1, lines[line - 1] ?? ""] as const];
  for (const [at, text] of among) {
    const found = pattern.exec(text);
    if (found) return { line: at, character: found.index };
  }
  throw new PluginProblem(
    `${path.basename(file)} has no ${JSON.stringify(symbol)}${line === undefined ? "" : ` in line ${line}`}.`,
  );
}

const lookedAt = 2_000;

/** A file of the language, the nearest to the top. */
export function firstFileOf(workspace: string, language: string): string | undefined {
  const folders = [workspace];
  for (let looked = 0; looked < lookedAt; looked += 1) {
    const folder = folders.shift();
    if (folder === undefined) return undefined;
    const entries = withFallback([], systemError, () => readdirSync(folder, { withFileTypes: true }));
    const file = entries.find((entry) => entry.isFile() && languageOf(entry.name)?.language === language);
    if (file) return path.join(folder, file.name);
    for (const entry of entries)
      if (entry.isDirectory() && !/^(?:\.|node_modules$|target$|dist$|build$)/.test(entry.name))
        folders.push(path.join(folder, entry.name));
  }
  return undefined;
}
