import { escapeLine } from "../../../base/escape.ts";
import type { RecordedRound, RecordingReport } from "../../../protocol/recording.ts";
import { recordings as words } from "../grammar/recordings.ts";
import type { Look } from "../text/style.ts";
import { cutEnd } from "../text/width.ts";

/** Whether it is whole: one line, or one for each problem. */
export function renderCheck({ file, rounds, problems }: RecordingReport, { style }: Look): string[] {
  if (problems.length === 0) return [style.green(words.whole(escapeLine(file), rounds.length))];
  return problems.map(
    ({ line, kind, what }) => `${style.bold(escapeLine(file))}: ${style.red(escapeLine(words[kind](line, what)))}`,
  );
}

export function renderRecording({ file, title, rounds }: RecordingReport, look: Look): string[] {
  const head = words.title(escapeLine(file), escapeLine(title), rounds.length);
  return [look.style.bold(head), ...rounds.flatMap((round, index) => ["", ...roundLines(round, index + 1, look)])];
}

function roundLines({ line, asked, say, calls, status, usage }: RecordedRound, number: number, look: Look): string[] {
  const { style, width } = look;
  const told = (name: string, text: string) => {
    const flat = escapeLine(text.replace(/\s+/g, " ").trim());
    return `  ${style.dim(name)} ${cutEnd(flat, Math.max(10, width - name.length - 3), style.symbols.ellipsis)}`;
  };
  return [
    style.bold(words.round(number, line)),
    ...asked.map(({ role, text }) => told(`${words.asked} (${role})`, text)),
    ...(status === undefined ? [] : [`  ${style.red(words.status(status))}`]),
    ...(say === "" ? [] : [told(words.said, say)]),
    ...calls.map(({ name, input }) => told(words.called, `${name} ${input}`)),
    ...(usage ? [`  ${style.dim(words.tokens(usage.input, usage.output, usage.cacheRead))}`] : []),
  ];
}
