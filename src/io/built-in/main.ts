// The entry of a built-in plugin's own process: `plugins.js NAME OPTIONS`; `query` runs one statement of a database that
// reads, `change` one that changes rows.
import { type BuiltInName, builtInTools } from "./definitions.ts";
import type { BrowserOptions } from "./browser/spec.ts";
import type { LanguagesOptions } from "./code/spec.ts";
import type { ChangeQuery, DatabaseOptions, Query } from "./database/spec.ts";
import type { DockerOptions } from "./docker/spec.ts";
import type { DocsOptions } from "./docs/spec.ts";
import type { ImagesOptions } from "./images/spec.ts";
import type { PostgresOptions } from "./postgres/spec.ts";
import { serve } from "./serving/serve.ts";
import { type BuiltInProgram, PluginProblem } from "./serving/spec.ts";

const [name, options = "{}"] = process.argv.slice(2);
const given: unknown = JSON.parse(options);
const again = (way: string) => [process.execPath, process.argv[1] ?? "", way];

const programs: Record<BuiltInName, () => Promise<BuiltInProgram>> = {
  code: async () => (await import("./code/program.ts")).openLanguages(given as LanguagesOptions),
  database: async () => (await import("./database/program.ts")).openDatabases(given as DatabaseOptions, again("query")),
  "database-write": async () =>
    (await import("./database/program.ts")).openDatabaseChanges(given as DatabaseOptions, again("change")),
  browser: async () => (await import("./browser/program.ts")).openBrowser(given as BrowserOptions, process.env),
  docker: async () => (await import("./docker/program.ts")).openDocker(given as DockerOptions),
  "docker-build": async () => (await import("./docker/program.ts")).openDocker(given as DockerOptions),
  docs: async () => (await import("./docs/program.ts")).openDocs(given as DocsOptions),
  images: async () => (await import("./images/program.ts")).openImages(given as ImagesOptions),
  postgres: async () => (await import("./postgres/program.ts")).openPostgres(given as PostgresOptions, process.env),
};

/** For a process of its own: the answer on stdout, or a sentence on stderr. */
const statements: Readonly<Record<string, () => Promise<string>>> = {
  query: async () => (await import("./database/query.ts")).runQuery(given as Query),
  change: async () => JSON.stringify(await (await import("./database/touch.ts")).runChange(given as ChangeQuery)),
};

async function answered(statement: () => Promise<string>): Promise<void> {
  try {
    process.stdout.write(await statement());
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    process.stderr.write(error instanceof PluginProblem ? said : `SQLite refuses: ${said}`);
    process.exitCode = 1;
  }
}

const known = Object.keys(programs).find((each): each is BuiltInName => each === name);
const statement = statements[name ?? ""];
if (known) serve(known, builtInTools(known), programs[known]);
else if (statement) void answered(statement);
else throw new Error(`There is no built-in plugin ${name}.`);
