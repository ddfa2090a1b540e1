// `npm run conformance`: every pair of scenario and revision, with fettle itself under test. Words narrow it down.
import { buildOnce } from "../../support/program.ts";
import { judge, ownPairs } from "./suite.ts";

const words = process.argv.slice(2);
const pairs = ownPairs().filter((pair) =>
  words.every((word) => `${pair.revision} ${pair.leg} ${pair.scenario}`.includes(word)),
);
const scored = { passed: 0, all: 0 };

async function work(queue: Iterator<(typeof pairs)[number]>): Promise<void> {
  for (let next = queue.next(); !next.done; next = queue.next()) {
    const { revision, leg, scenario, unscored } = next.value;
    const { passed, good, all, problems } = await judge(next.value);
    if (unscored === undefined) {
      scored.all += 1;
      scored.passed += passed ? 1 : 0;
    }
    const note = unscored === undefined ? "" : `  (not scored: ${unscored})`;
    const lines = [`${passed ? "passed" : "FAILED"}  ${revision}  ${leg}  ${scenario}  ${good}/${all}${note}`];
    process.stdout.write(`${[...lines, ...problems.map((each) => `        ${each}`)].join("\n")}\n`);
  }
}

await buildOnce();
const queue = pairs[Symbol.iterator]();
await Promise.all([work(queue), work(queue)]);
process.stdout.write(`${scored.passed} of ${scored.all} scored pairs passed\n`);
process.exitCode = scored.passed === scored.all ? 0 : 1;
