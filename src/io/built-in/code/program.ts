// Answers questions about code by the language servers of the machine.
import { type BuiltInProgram, type BuiltInReply, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { diagnosticsOf, type FileDiagnostics } from "./diagnostics.ts";
import { fileIn, firstFileOf, positionOf, show, showAgain, shownPath, textOfFile, uriOf } from "./files.ts";
import { languageOf } from "./known.ts";
import { changesOf } from "./rename.ts";
import { type Running, Server } from "./server.ts";
import type { Diagnostic, LanguagesOptions, Location, WorkspaceEdit } from "./spec.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const answerMs = 20_000;
const most = { locations: 100, symbols: 100, lines: 30, files: 30, line: 240 };

type Input = { [name: string]: unknown };

export function openLanguages(options: LanguagesOptions): BuiltInProgram {
  const { workspace } = options;
  const servers = new Map(options.servers.map((each) => [each.language, new Server(each, options)]));
  const serverFor = (file: string): Server => {
    const language = languageOf(file)?.language;
    const server = language === undefined ? undefined : servers.get(language);
    if (server) return server;
    throw new PluginProblem(
      `No language server is set up for ${shownPath(workspace, uriOf(file))}; there are: ${[...servers.keys()].join(", ") || "none"}.`,
    );
  };
  const at = async (input: Input) => {
    const file = fileIn(workspace, textOf(input, "path"));
    const position = positionOf(file, textOf(input, "symbol"), lineOf(input["line"]));
    const running = await serverFor(file).up();
    showAgain(running);
    show(running, file);
    return { running, params: { textDocument: { uri: uriOf(file) }, position } };
  };
  const tools: Record<string, (input: Input) => Promise<BuiltInReply>> = {
    async diagnostics(input) {
      const files = pathsOf(input).map((each) => fileIn(workspace, each));
      const waitMs = Math.min(Number(input["wait_ms"] ?? answerMs) || answerMs, answerMs);
      const byServer = Map.groupBy(files, serverFor);
      const found = await Promise.all([...byServer].map(([server, own]) => inTime(server, own, waitMs)));
      return textReply(diagnosticsText(found.flat(), workspace, input["errors_only"] === true));
    },
    async definition(input) {
      const { running, params } = await at(input);
      const found = await running.wire.request<Location | Location[] | null>(
        "textDocument/definition",
        params,
        answerMs,
      );
      return textReply(locationsText(found, workspace));
    },
    async references(input) {
      const { running, params } = await at(input);
      const context = { includeDeclaration: true };
      const found = await running.wire.request<Location[] | null>(
        "textDocument/references",
        { ...params, context },
        answerMs,
      );
      return textReply(locationsText(found, workspace));
    },
    async symbols(input) {
      return textReply(await symbolsText([...servers.values()], textOf(input, "query"), workspace));
    },
    async rename(input) {
      const { running, params } = await at(input);
      const newName = textOf(input, "new_name");
      const edit = await running.wire.request<WorkspaceEdit | null>(
        "textDocument/rename",
        { ...params, newName },
        answerMs,
      );
      const changes = changesOf(edit, workspace);
      if (changes.length === 0) throw new PluginProblem("The language server renames nothing here.");
      return textReply(JSON.stringify(changes));
    },
  };
  return {
    async call(tool, input) {
      const run = tools[tool];
      if (!run) throw new PluginProblem(`There is no tool ${tool}.`);
      return run(input);
    },
    close: async () => void (await Promise.all([...servers.values()].map((server) => server.close()))),
  };
}

/** A server that is still starting is late like any other; it goes on starting. */
function inTime(server: Server, files: readonly string[], waitMs: number): Promise<FileDiagnostics[]> {
  const none = files.map((file): FileDiagnostics => ({ file, diagnostics: [], late: true }));
  const found = server.up().then((running) => diagnosticsOf(running, files, waitMs));
  return Promise.race([found, sleep(waitMs, none, { ref: false })]);
}

async function symbolsText(servers: readonly Server[], query: string, workspace: string): Promise<string> {
  const asked = await Promise.allSettled(servers.map((server) => symbolsOf(server, query, workspace)));
  const answered = asked.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
  const refused = asked.find((each) => each.status === "rejected");
  if (answered.every((found) => found === undefined) && refused) throw refused.reason;
  const lines = answered
    .flatMap((found) => found ?? [])
    .map(({ name, containerName, location }) => {
      const inside = containerName ? ` in ${containerName}` : "";
      return `${placeText(location, workspace)} ${name}${inside}`;
    });
  return bounded(lines, most.symbols) || "Nothing is called so.";
}

interface Symbol {
  name: string;
  containerName?: string;
  location: Location;
}

/** Many servers know the symbols of a project only when a file of it is open. Undefined: there is no file of its language. */
async function symbolsOf(server: Server, query: string, workspace: string): Promise<Symbol[] | undefined> {
  const first = firstFileOf(workspace, server.language);
  if (first === undefined) return undefined;
  const running: Running = await server.up();
  showAgain(running);
  if (running.open.size === 0) show(running, first);
  return (await running.wire.request<Symbol[] | null>("workspace/symbol", { query }, answerMs)) ?? [];
}

const lineOf = (given: unknown): number | undefined => {
  const line = Number(given);
  return given === undefined || given === null || !Number.isInteger(line) || line < 1 ? undefined : line;
};

function pathsOf(input: Input): string[] {
  const given = input["paths"] ?? (input["path"] === undefined ? [] : [input["path"]]);
  const paths = (Array.isArray(given) ? given : [given]).map(String).slice(0, most.files);
  if (paths.length === 0) throw new PluginProblem('"paths" is missing.');
  return paths;
}

const placeText = ({ uri, range }: Location, workspace: string): string =>
  `${shownPath(workspace, uri)}:${range.start.line + 1}:${range.start.character + 1}`;

function locationsText(found: Location | Location[] | null, workspace: string): string {
  const all = found === null ? [] : Array.isArray(found) ? found : [found];
  const texts = new Map<string, string[]>();
  const lines = all.slice(0, most.locations).map((each) => {
    const place = placeText(each, workspace);
    if (!each.uri.startsWith("file:")) return place;
    const known = texts.get(each.uri) ?? linesOf(fileURLToPath(each.uri));
    texts.set(each.uri, known);
    return `${place} ${(known[each.range.start.line] ?? "").trim().slice(0, most.line)}`;
  });
  if (lines.length === 0) return "The language server finds nothing.";
  return bounded(lines, most.locations, all.length);
}

function linesOf(file: string): string[] {
  try {
    return textOfFile(file).split("\n");
  } catch {
    return [];
  }
}

const bounded = (lines: readonly string[], limit: number, all = lines.length): string =>
  [...lines.slice(0, limit), ...(all > limit ? [`(${all - limit} more)`] : [])].join("\n");

const severities = ["", "error", "warning", "information", "hint"];

function diagnosticsText(found: readonly FileDiagnostics[], workspace: string, errorsOnly: boolean): string {
  const lines = found.flatMap(({ file, diagnostics }) =>
    diagnostics
      .filter(({ severity = 1 }) => severity <= (errorsOnly ? 1 : 2))
      .toSorted((left, right) => (left.severity ?? 1) - (right.severity ?? 1))
      .map((each) => `${placeText({ uri: uriOf(file), range: each.range }, workspace)} ${sayingOf(each)}`),
  );
  const late = found.filter((each) => each.late).map(({ file }) => shownPath(workspace, uriOf(file)));
  return [
    ...(lines.length === 0 && late.length === 0 ? ["No errors or warnings."] : [bounded(lines, most.lines)]),
    ...(late.length === 0 ? [] : [`(the language server has not answered yet for ${late.join(", ")})`]),
  ]
    .filter((line) => line !== "")
    .join("\n");
}

const sayingOf = ({ severity = 1, code, message }: Diagnostic): string =>
  `${severities[severity] ?? "error"}${typeof code === "string" || typeof code === "number" ? ` ${code}` : ""}: ${message
    .replace(/\s+/g, " ")
    .slice(0, most.line)}`;
