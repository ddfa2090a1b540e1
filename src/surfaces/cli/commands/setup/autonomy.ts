// How much is done without asking, explained by what the gate would say here.
import type { Answer } from "../../../../protocol/query.ts";
import { modeName, parseMode } from "../../host/flags.ts";
import type { Look } from "../../text/style.ts";
import { renderTable } from "../../text/table.ts";
import { verdictPaint } from "../explain.ts";
import { safeLine } from "../../text/safe-text.ts";
import { keep, type Step } from "./step.ts";
import { words } from "./words.ts";

export type Examples = Answer<"gate.examples">;

const levels = [0, 1, 2, 3, 4, 5] as const;
const levelNames: readonly string[] = levels.map((level) => modeName(level, "none"));

export function renderExamples(examples: Examples, look: Look): string[] {
  const columns = [{ title: words.level, flexible: true }, ...levelNames.map((title) => ({ title }))];
  const rows = examples.map(({ text, verdicts }) => [text, ...verdicts.map((each) => words.verdicts[each])]);
  return renderTable(columns, rows, look, (cell, row, column) => {
    const verdict = examples[row]?.verdicts[column - 1];
    return verdict === undefined ? cell : verdictPaint(look.style, verdict)(cell);
  });
}

export const autonomyStep: Step = async (step) => {
  const { context, asker, print, changes } = step;
  const { examples, now } = await context.with({ headless: true }, async (client) => ({
    examples: await client.read("gate.examples", {}),
    now: (await client.read("config.get", { key: "autonomy.level" })).value,
  }));
  context.lines(renderExamples(examples, context.look()));
  print(words.levelNote);
  const usual = levelNames[Number(now)] ?? "standard";
  for (;;) {
    const answer = await asker.line(words.whichLevel, usual);
    const level = parseMode(answer)?.autonomy;
    if (level === undefined) {
      print(words.noSuchLevel(safeLine(answer)));
      continue;
    }
    if (level !== Number(now)) await keep(step, "autonomy.level", String(level));
    print(words.levelNow(modeName(level, "none")));
    changes.push(`fettle config set autonomy.level ${level}`);
    return;
  }
};
