// Reads SQLite databases that the person has named. Each statement runs in a process of its own, which is ended when it
// takes too long.
import { spawn } from "node:child_process";
import { anyChange } from "../rows/change.ts";
import { type BuiltInProgram, type BuiltInReply, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import type { ChangeQuery, DatabaseOptions, Query } from "./spec.ts";

const longestMs = 10_000;

type Input = { [name: string]: unknown };

const schemaSql =
  "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type DESC, name";

const fileIn = ({ databases }: DatabaseOptions, input: Input): string => {
  const name = input["database"] ?? (databases.length === 1 ? databases[0]?.name : undefined);
  const found = databases.find((each) => each.name === name);
  if (found) return found.file;
  throw new PluginProblem(`"database" is one of: ${databases.map((each) => each.name).join(", ")}.`);
};

/** `program`: the words that start one query. */
export function openDatabases(options: DatabaseOptions, program: readonly string[]): BuiltInProgram {
  return {
    async call(tool, input) {
      const file = fileIn(options, input);
      if (tool === "schema") return textReply(await asked(program, { file, sql: schemaSql }));
      const sql = textOf(input, "sql");
      const explain = tool === "explain" ? "EXPLAIN QUERY PLAN " : "";
      return textReply(await asked(program, { file, sql: `${explain}${sql}` }));
    },
    close: async () => undefined,
  };
}

/** `program`: the words that start one change. */
export function openDatabaseChanges(options: DatabaseOptions, program: readonly string[]): BuiltInProgram {
  return {
    async call(tool, input) {
      if (!anyChange(tool)) throw new PluginProblem(`There is no tool ${tool}.`);
      const file = fileIn(options, input);
      const late = () => asked(program, { file, tool: "settle", input: {} }).then(() => undefined);
      return JSON.parse(await asked(program, { file, tool, input }, late)) as BuiltInReply;
    },
    close: async () => undefined,
  };
}

/** `late` is waited for when it took too long and was ended. */
function asked(
  [runtime = "", ...words]: readonly string[],
  query: Query | ChangeQuery,
  late?: () => Promise<void>,
): Promise<string> {
  const child = spawn(runtime, [...words, JSON.stringify(query)], { stdio: ["ignore", "pipe", "pipe"] });
  const timer = setTimeout(() => child.kill("SIGKILL"), longestMs);
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0) resolve(output);
      else if (signal === "SIGKILL")
        (late?.() ?? Promise.resolve())
          .catch(() => undefined)
          .finally(() =>
            reject(new PluginProblem(`The statement took longer than ${longestMs / 1000} seconds and was ended.`)),
          );
      else reject(new PluginProblem(errors.trim().slice(0, 500)));
    });
  });
}
