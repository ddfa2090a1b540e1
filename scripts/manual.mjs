// The manual page from the grammar of the command line: `npm i -g` puts it where man finds it.
import { known } from "../src/surfaces/cli/completions/known.ts";
import { manualPage } from "../src/surfaces/cli/completions/manual.ts";
import { wholeProgram } from "../src/surfaces/cli/program.ts";

export const manual = async (version) => manualPage({ version, program: known(await wholeProgram(version)) });
