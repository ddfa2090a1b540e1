// `fettle doctor`: whether all is there that fettle needs.
import { Exit } from "../../../protocol/exit.ts";
import type { Check } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { padEnd, textWidth, wrap } from "../text/width.ts";
import { phrases, told } from "../../phrases/phrases.ts";
import type { Define } from "../host/grammar.ts";

export const words = phrases("doctor", {
  lesson: {
    examples: [
      ["fettle doctor", "whether all is there that fettle needs, and what to do if not"],
      ["fettle doctor --json | jq '.[] | select(.status != \"ok\")'", "only what is wrong, for programs"],
    ],
    exits: [
      ["0", "fettle can work; warnings are told"],
      ["1", "something keeps fettle from working"],
    ],
  },
});

export const define: Define = (command, start) => start(command, runDoctor, { lesson: words.lesson });

export function renderChecks(checks: readonly Check[], look: Look): string[] {
  const { style } = look;
  const marks = {
    ok: style.green(style.symbols.done),
    warning: style.yellow(style.symbols.warning),
    error: style.red(style.symbols.failed),
  };
  const width = Math.max(0, ...checks.map((check) => textWidth(check.name)));
  const indent = " ".repeat(width + 4);
  return checks.flatMap((check) => {
    const detail = wrap(safeLine(told(check.detail)), look.width - width - 4);
    const lines = detail.map((line, at) =>
      at === 0 ? `${marks[check.status]} ${style.bold(padEnd(safeLine(check.name), width))}  ${line}` : indent + line,
    );
    const remedy = check.remedy ? wrap(safeLine(told(check.remedy)), look.width - width - 6) : [];
    const arrow = style.cyan(style.symbols.arrow);
    return [...lines, ...remedy.map((line, at) => `${indent}${at === 0 ? arrow : " "} ${line}`)];
  });
}

/** A problem that keeps fettle from working is exit 1; warnings are not. */
const runDoctor = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const checks = await client.read("doctor.check", {});
    context.show(checks, (look) => renderChecks(checks, look));
    return checks.some((check) => check.status === "error") ? Exit.failed : Exit.done;
  });
