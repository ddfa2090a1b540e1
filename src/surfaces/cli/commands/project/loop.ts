// The steps of a project's loop that ask models: `fettle project fast` and its kin.
import type { Command } from "commander";
import type { StepArguments } from "../../../../protocol/project.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Start } from "../../host/grammar.ts";
import { option } from "../../host/options.ts";
import { runStep } from "./step.ts";

export const words = phrases("project-loop", {
  help: {
    fast: "a change too small for a plan: one governed task, and a line in STATE.md",
  },
  noMerge: "leave the work on its branch",
  examples: {
    fast: [
      ['fettle project fast "fix the typo in the help of --json"', "plan, approve, test first, mend, verify, merge"],
    ],
  },
  exits: [
    ["0", "done"],
    ["1", "failed; it says why"],
    ["2", "wrong usage: no repository, no model, no such phase"],
    ["3", "waits for you; it says what to run"],
    ["4", "the budget is used up"],
    ["130", "stopped with Ctrl-C; the same command goes on"],
  ],
});

export function defineLoop(project: Command, start: Start): void {
  start<{ merge: boolean }>(
    withModel(project.command("fast <text...>").description(words.help.fast)).option("--no-merge", words.noMerge),
    (context, said, { merge }) => runStep(context, "fast", argumentsOf(said, { merge })),
    { lesson: { examples: words.examples.fast, exits: words.exits } },
  );
}

/** What every step that asks a model takes. */
export const withModel = (command: Command): Command =>
  command
    .option("-m, --model <provider/model>", option.model)
    .option("--effort <level>", option.effort)
    .option("--max-cost <usd>", option.maxCost)
    .option("--wait-approvals [seconds]", option.waitApprovals);

/** Without those that were not given. */
export function argumentsOf(
  said: readonly string[],
  options: Record<string, string | number | boolean | undefined>,
): StepArguments {
  const given = Object.entries(options).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return { words: [...said], options: Object.fromEntries(given) };
}
