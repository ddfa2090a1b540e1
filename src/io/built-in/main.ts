// The entry of a built-in plugin's own process: `plugins.js NAME OPTIONS`; `query` runs one statement of a database.
import { type BuiltInName, builtInTools } from "./definitions.ts";
import type { LanguagesOptions } from "./code/spec.ts";
import type { DatabaseOptions, Query } from "./database/spec.ts";
import { serve } from "./serving/serve.ts";
import type { BuiltInProgram } from "./serving/spec.ts";

const [name, options = "{}"] = process.argv.slice(2);
const given: unknown = JSON.parse(options);

const programs: Record<BuiltInName, () => Promise<BuiltInProgram>> = {
  code: async () => (await import("./code/program.ts")).openLanguages(given as LanguagesOptions),
  database: async () =>
    (await import("./database/program.ts")).openDatabases(given as DatabaseOptions, [
      process.execPath,
      process.argv[1] ?? "",
      "query",
    ]),
};

async function query(): Promise<void> {
  try {
    const { runQuery } = await import("./database/query.ts");
    process.stdout.write(runQuery(given as Query));
  } catch (error) {
    process.stderr.write(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

const known = Object.keys(programs).find((each): each is BuiltInName => each === name);
if (known) serve(known, builtInTools(known), programs[known]);
else if (name === "query") void query();
else throw new Error(`There is no built-in plugin ${name}.`);
