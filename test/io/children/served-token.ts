// Makes the tokens of COUNT identities called NAME-1, NAME-2 … with everything that fettle is, and prints them as JSON.
import { openProgram } from "../../../src/app/program/program.ts";
import { servedToken } from "../../../src/app/program/served-tokens.ts";

const [cwd = "", name = "", count = "1"] = process.argv.slice(2);
const program = openProgram({ headless: true, cwd }, process.env, "test");
const made: Record<string, string> = {};
for (let at = 1; at <= Number(count); at += 1)
  made[`${name}-${at}`] = await servedToken(program, { identity: `${name}-${at}` });
console.log(JSON.stringify(made));
program.close();
