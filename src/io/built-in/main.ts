// The entry of a built-in plugin's own process: `plugins.js NAME OPTIONS`.
import { type BuiltInName, builtInTools } from "./definitions.ts";
import type { LanguagesOptions } from "./code/spec.ts";
import { serve } from "./serving/serve.ts";
import type { BuiltInProgram } from "./serving/spec.ts";

const [name, options = "{}"] = process.argv.slice(2);
const given: unknown = JSON.parse(options);

const programs: Record<BuiltInName, () => Promise<BuiltInProgram>> = {
  code: async () => (await import("./code/program.ts")).openLanguages(given as LanguagesOptions),
};

const known = Object.keys(programs).find((each): each is BuiltInName => each === name);
if (!known) throw new Error(`There is no built-in plugin ${name}.`);
serve(known, builtInTools(known), programs[known]);
