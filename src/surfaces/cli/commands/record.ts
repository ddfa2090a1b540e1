// Recordings of model traffic: made while working, looked at, and checked.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { escapeLine } from "../../../base/escape.ts";
import type { RecordedRound, RecordingReport } from "../../../protocol/recording.ts";
import type { Look } from "../text/style.ts";
import { cutEnd } from "../text/width.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define } from "../host/grammar.ts";
import { option } from "../host/options.ts";

const count = (rounds: number): string => (rounds === 1 ? "1 answer" : `${rounds} answers`);

export const words = phrases("record", {
  help: {
    check: "whether a recording is whole: no secrets in it, and it plays (exit 1 if not)",
    show: "what a recording holds, round by round",
  },
  lesson: {
    examples: [
      [
        'fettle record bug.jsonl "fix the failing test"',
        "work as usual, write what was asked and answered, then check the file",
      ],
      ["fettle record bug.jsonl", "the same for a whole session"],
      ["fettle record check bug.jsonl", "no secret is in it, and it plays"],
      [
        'fettle -p "fix the failing test" -m recorded/$PWD/bug.jsonl',
        "play it: the model's answers come from the file",
      ],
    ],
    exits: [
      ["0", "done, and the recording plays"],
      ["1", "the recording does not play or holds a secret"],
      ["2", "wrong usage: no file named, or one that is no recording"],
      ["3", "an ask stayed unanswered, as in any run"],
      ["4", "the budget is used up"],
      ["5", "stopped"],
      ["130", "stopped with Ctrl-C"],
    ],
  },
  lessons: {
    check: {
      examples: [
        ["fettle record check bug.jsonl", "read it, look for secrets, play it to itself; runs nothing and asks nobody"],
      ],
      exits: [
        ["0", "it is whole"],
        ["1", "it holds a secret, does not play, or is no recording; the line is named"],
        ["2", "it cannot be read"],
      ],
    },
    show: {
      examples: [["fettle record show bug.jsonl", "each round: what was asked, said and called"]],
      exits: [
        ["0", "shown"],
        ["2", "it is no recording; the line is named"],
      ],
    },
  },
  needsFile: "Name the file that receives the recording.",
  needsFileRemedy: 'fettle record bug.jsonl "fix the failing test"',
  nothing: "The model was not asked, so there is no recording.",
  whole: (file: string, rounds: number) => `${file}: ${count(rounds)}, no secrets, plays`,
  title: (file: string, title: string, rounds: number) => `${file}: ${title}, ${count(rounds)}`,
  secret: (line: number, what: string) => `line ${line}: holds a secret (${what})`,
  replay: (line: number, what: string) => `line ${line}: does not play: ${what}`,
  round: (number: number, line: number) => `Round ${number} (line ${line})`,
  asked: "asked",
  said: "said",
  called: "called",
  status: (status: number) => `HTTP status ${status}`,
  tokens: (input: number, output: number, cached: number) =>
    `${input} tokens in${cached > 0 ? ` (${cached} cached)` : ""}, ${output} out`,
});

export const define: Define = (command, start) => {
  start(
    command
      .option("-p, --print", option.print)
      .option("-q, --quiet", option.quiet)
      .option("-m, --model <provider/model>", option.model)
      .option("--autonomy <level>", option.autonomy)
      .option("--mode <mode>", option.mode)
      .option("--max-cost <usd>", option.maxCost)
      .option("--max-rounds <number>", option.maxRounds)
      .option("-c, --continue", option.continue)
      .option("--resume <id>", option.resume),
    (context, [file = "", ...prompt]) => recordRun(context, file, prompt.join(" ")),
    { lesson: words.lesson, json: option.json },
  );
  start(
    command.command("check <file>").description(words.help.check),
    (context, [file = ""]) => checkRecording(context, file),
    { lesson: words.lessons.check },
  );
  start(
    command.command("show <file>").description(words.help.show),
    (context, [file = ""]) => showRecording(context, file),
    { lesson: words.lessons.show },
  );
};

/** The run's own exit code, unless the recording turns out to be no good. */
async function recordRun(context: Context, file: string, prompt: string): Promise<number> {
  if (file === "") throw usageFault(words.needsFile, words.needsFileRemedy);
  // As typed, but the workspace may be another folder.
  context.options.record = file;
  const code = await context.converse(prompt);
  const checked = await verified(context, file, code);
  return code === Exit.done ? checked : code;
}

async function verified(context: Context, file: string, code: number): Promise<number> {
  let report: RecordingReport;
  try {
    report = await look(context, file, true);
  } catch (error) {
    // Without an answer there is no file, or one without steps; a run that failed has said why.
    if (code === Exit.done || !asFault(error)) throw error;
    context.err.line(words.nothing);
    return Exit.failed;
  }
  for (const line of renderCheck(report, context.look("stderr"))) context.err.line(line);
  return report.problems.length > 0 ? Exit.failed : Exit.done;
}

const look = (context: Context, file: string, replay: boolean): Promise<RecordingReport> =>
  context.with({ headless: true, session: { kind: "new" } }, (client) =>
    client.read("recording.look", { file, replay }),
  );

/** What was read and is none is as wrong as one that does not play. */
async function checked(context: Context, file: string): Promise<RecordingReport> {
  try {
    return await look(context, file, true);
  } catch (error) {
    const fault = asFault(error);
    if (fault?.code !== "recording.format") throw error;
    throw new Fault(fault.code, Exit.failed, fault.message, fault.remedy);
  }
}

async function checkRecording(context: Context, file: string): Promise<number> {
  const report = await checked(context, file);
  context.show(report, (look) => renderCheck(report, look));
  return report.problems.length > 0 ? Exit.failed : Exit.done;
}

async function showRecording(context: Context, file: string): Promise<number> {
  const report = await look(context, file, false);
  context.show(report, (look) => renderRecording(report, look));
  return Exit.done;
}

/** Whether it is whole: one line, or one for each problem. */
function renderCheck({ file, rounds, problems }: RecordingReport, { style }: Look): string[] {
  if (problems.length === 0) return [style.green(words.whole(escapeLine(file), rounds.length))];
  return problems.map(
    ({ line, kind, what }) => `${style.bold(escapeLine(file))}: ${style.red(escapeLine(words[kind](line, what)))}`,
  );
}

function renderRecording({ file, title, rounds }: RecordingReport, look: Look): string[] {
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
