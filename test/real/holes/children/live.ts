// After `--import plant.ts`: draws workspaces until the hole that FETTLE_HOLE names is found, and prints after how many.
import { live } from "../../workspaces/live.ts";

const [from = "1", most = "60"] = process.argv.slice(2);
let ran = 0;
let worlds = 0;
let problems: string[] = [];
while (problems.length === 0 && worlds < Number(most)) {
  const lived = await live(Number(from) + worlds);
  ran += lived.ran;
  worlds += 1;
  problems = lived.problems;
}
process.stdout.write(`${JSON.stringify({ worlds, ran, problem: problems[0] })}\n`);
