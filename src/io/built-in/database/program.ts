// Reads SQLite databases that the person has named. Each statement runs in a process of its own, which is ended when it
// takes too long.
import { spawn } from "node:child_process";
import { type BuiltInProgram, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import type { DatabaseOptions, Query } from "./spec.ts";

const longestMs = 10_000;

type Input = { [name: string]: unknown };

const schemaSql =
  "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY type DESC, name";

/** `program`: the words that start one query. */
export function openDatabases({ databases }: DatabaseOptions, program: readonly string[]): BuiltInProgram {
  const fileOf = (input: Input): string => {
    const name = input["database"] ?? (databases.length === 1 ? databases[0]?.name : undefined);
    const found = databases.find((each) => each.name === name);
    if (found) return found.file;
    throw new PluginProblem(`"database" is one of: ${databases.map((each) => each.name).join(", ")}.`);
  };
  return {
    async call(tool, input) {
      const file = fileOf(input);
      if (tool === "schema") return textReply(await asked(program, { file, sql: schemaSql }));
      const sql = textOf(input, "sql");
      const explain = tool === "explain" ? "EXPLAIN QUERY PLAN " : "";
      return textReply(await asked(program, { file, sql: `${explain}${sql}` }));
    },
    close: async () => undefined,
  };
}

function asked([runtime = "", ...words]: readonly string[], query: Query): Promise<string> {
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
        reject(new PluginProblem(`The query took longer than ${longestMs / 1000} seconds and was ended.`));
      else reject(new PluginProblem(`SQLite refuses: ${errors.trim().slice(0, 500)}`));
    });
  });
}
