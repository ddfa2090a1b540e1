// Integrates the wave of a folder; whoever starts this kills it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { integrate } from "../wave.ts";

const [folder = ""] = process.argv.slice(2);
process.stdout.write("begun\n");
await integrate(JSON.parse(readFileSync(path.join(folder, ".git", "wave.json"), "utf8")));
process.stdout.write("done\n");
