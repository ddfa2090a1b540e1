// `fettle acp`: fettle in an editor, over standard input and output.
import type { Action } from "../../../protocol/action.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { Context } from "../host/context.ts";
import { onLeaving } from "../host/leaving.ts";
import { usageFault } from "../host/failure.ts";
import type { CliInput, CliOutput } from "../host/host.ts";
import type { Define } from "../host/grammar.ts";
import { option } from "../host/options.ts";
import { describeCall } from "../render/action.ts";
import { renderApproval } from "../render/approval.ts";
import { resultText } from "../render/call.ts";
import { renderContext } from "../render/context.ts";
import { renderDiff } from "../render/diff.ts";
import type { TaskWords } from "../../acp/editor-host.ts";
import { phrases, told } from "../../phrases/phrases.ts";
import { safeText } from "../text/safe-text.ts";
import { createStyle, type Look } from "../text/style.ts";

export const words = phrases("acp", {
  help: { login: "store a provider's key: what an editor runs in a terminal for you" },
  lesson: {
    examples: [
      ["fettle acp", "what an editor is told to start; docs/guide/editors.md says where"],
      ["fettle acp --model anthropic/claude-sonnet-5 --mode plan", "with what new sessions begin with"],
      ["fettle acp --login", "store a provider's key"],
    ],
    exits: [
      ["0", "the editor has closed the connection"],
      ["1", "the connection broke: a message was too large"],
      ["2", "started in a terminal instead of by an editor"],
    ],
  },
  terminal: "fettle acp talks to an editor, not to a terminal.",
  terminalRemedy: "Name it as an agent in your editor: docs/guide/editors.md. In a terminal, start: fettle",
});

export const define: Define = (command, start) =>
  start<{ login?: true }>(
    command
      .option("-m, --model <provider/model>", option.model)
      .option("--mode <mode>", option.mode)
      .option("--max-cost <usd>", option.maxCost)
      .option("--login", words.help.login),
    async (context, _words, { login }) => {
      if (login !== true) return serve(context);
      return (await import("./login.ts")).login(context, undefined, false);
    },
    { lesson: words.lesson, json: false },
  );

/** Cards have no width of their own in an editor: what is long scrolls, so that a command is never broken. */
const look: Look = { style: createStyle({ colour: false, unicode: true }), width: Number.POSITIVE_INFINITY };
const narrow: Look = { ...look, width: 100 };

async function serve(context: Context): Promise<number> {
  const { host, interactive, err } = context;
  if (interactive || host.stdin.isTTY === true) throw usageFault(words.terminal, words.terminalRemedy);
  const [{ serveEditor }, { renderCost }, log] = await Promise.all([
    import("../../acp/serve.ts"),
    import("./cost.ts"),
    taskDrawing(),
  ]);
  const end = new AbortController();
  let code: number = Exit.done;
  const release = onLeaving(host, (by) => {
    code = by;
    end.abort();
  });
  const { problem } = await serveEditor(
    {
      open: (flags) => context.open(flags),
      input: bytesFrom(host.stdin),
      output: bytesTo(host.stdout, () => end.abort()),
      version: host.version,
      log: (line) => err.line(`fettle acp: ${safeText(line)}`),
      words: {
        card: (request) => renderApproval(request, narrow, Date.now()),
        callTitle,
        result: resultText,
        diff: (diff) => renderDiff(diff, look),
        context: (view) => renderContext(view, narrow),
        cost: (view) => renderCost(view, narrow),
        task: () => taskWords(log),
        safe: safeText,
      },
    },
    end.signal,
  );
  release();
  if (problem === undefined) return code;
  err.line(`fettle acp: ${safeText(problem)}`);
  return Exit.failed;
}

async function taskDrawing() {
  const [{ TaskLog }, { TaskProgress }, { tasks }] = await Promise.all([
    import("../task/log.ts"),
    import("../task/progress.ts"),
    import("../words/tasks.ts"),
  ]);
  return { TaskLog, TaskProgress, words: tasks };
}
type TaskDrawing = Awaited<ReturnType<typeof taskDrawing>>;

const telling = ["command", "path", "pattern", "url"];

/** The tool and what it is about, from the model's own words until the call is parsed. */
function callTitle(tool: string, action: Action | undefined, input: Json | undefined): string {
  const known = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  const named = telling.map((key) => known[key]).find((value) => typeof value === "string");
  const about = describeCall(action, input) || (typeof named === "string" ? (named.split("\n")[0] ?? "") : "");
  return about === "" ? tool : `${tool} ${about}`;
}

/** The lines of `fettle task` without a terminal. `log` is loaded with the first editor. */
function taskWords({ TaskLog, TaskProgress, words: task }: TaskDrawing): TaskWords {
  const progress = new TaskProgress();
  const late: string[] = [];
  const log = new TaskLog(
    () => narrow,
    (lines) => late.push(...lines),
  );
  return {
    follow(event) {
      progress.follow(event);
      return [...late.splice(0), ...log.lines(event, progress)];
    },
    goesOn(name, before) {
      for (const event of before) progress.follow(event);
      progress.task = name;
      progress.end = undefined;
    },
    id: () => progress.task,
    end() {
      const { end, failure } = progress;
      if (!end) return undefined;
      return end.kind === "paused"
        ? told(end.text)
        : `${told(end.text)}\n\n${task.lookBack(progress.task, failure === undefined)}`;
    },
  };
}

/** Ends with the editor, whether it says goodbye or not. */
function bytesFrom(input: CliInput): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    start(controller) {
      let open = true;
      const close = () => {
        if (open) controller.close();
        open = false;
      };
      input.on("data", (chunk: Uint8Array | string) => {
        if (open) controller.enqueue(typeof chunk === "string" ? encoder.encode(chunk) : chunk);
      });
      for (const event of ["end", "close", "error"]) input.on(event, close);
    },
    cancel: () => {
      input.removeAllListeners("data");
      input.pause();
    },
  });
}

function bytesTo(output: CliOutput, gone: () => void): WritableStream<Uint8Array> {
  output.on("error", gone);
  return new WritableStream({
    write: (bytes) =>
      new Promise<void>((resolve, reject) => {
        output.write(bytes, (error) => (error ? reject(error) : resolve()));
      }),
  });
}
