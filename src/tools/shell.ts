import { shellWord } from "../base/shell-word.ts";
import type { Json } from "../protocol/message.ts";
import { textResult } from "../protocol/outcome.ts";
import { type Field, fields, flag, optional, text, whole } from "./input.ts";
import { job } from "./job.ts";
import { processResult } from "./process-result.ts";
import prompt from "./shell.md";
import { defineTool, ToolInputError } from "./tool.ts";

/** Some models give milliseconds; nobody means a limit of hours. */
const millisecondsFrom = 10_000;
const milliseconds = (timeout: number) => (timeout < millisecondsFrom ? timeout * 1000 : timeout);

const input = fields(
  {
    command: optional(commandLine(["cmd", "script", "code"])),
    timeout: optional(whole("", 1, ["timeout_secs", "timeout_seconds", "timeout_ms", "timeoutMs"])),
    background: flag("", ["run_in_background", "is_background"]),
    job: optional(text("", ["job_id", "bash_id", "shell_id"])),
    kill: flag("", ["stop"]),
    why: optional(text("")),
  },
  { bare: "command" },
);

export const shell = defineTool({
  name: "shell",
  prompt,
  input,
  parse({ command, timeout, background, job: id, kill }) {
    if (id !== undefined && !command?.trim()) return job.parse({ job: id, kill } as never);
    if (id !== undefined) throw new ToolInputError("give a command, or the job of an earlier one.");
    if (command === undefined) throw new ToolInputError(`"command" is missing. Expected shell ${input.shape}.`);
    if (command.trim() === "") throw new ToolInputError("the command is empty.");
    if (command.includes("\0")) throw new ToolInputError("the command must not contain a NUL character.");
    const limit = timeout === undefined ? {} : { timeoutMs: milliseconds(timeout) };
    return { kind: "shell", command, background: background ?? false, ...limit };
  },
  async run({ background, job: id, kill }, grant, report) {
    if (id !== undefined) return job.run({ job: id, kill } as never, grant, report);
    if (!background) {
      const exit = await grant.process.run((text) => report.output(text));
      return processResult(exit);
    }
    const started = await grant.process.start();
    const where = started.readOnly
      ? " Of the workspace it writes only the files that its command names and, for itself, ignored folders; else $TMPDIR."
      : "";
    const reach = started.reached === undefined ? "" : started.reached ? reachText : apartText;
    return textResult(`Started as job ${started.id}. job shows its output, kill ends it.${reach}${where}`, {
      params: { job: started.id },
    });
  },
});

/** The person's own sandboxed `!` command would reach it, and their browser would not. */
const reachText =
  " What it serves later commands reach at localhost; nobody else does, no browser of the person either: for that they start it in a terminal of their own.";

const apartText = " It has a network of its own for its hosts: no other command reaches what it serves.";

/** A line, or the argument vector that some models send: `["bash", "-lc", "npm test"]`. */
function commandLine(aliases: readonly string[]): Field<string> {
  const line = text("", aliases);
  return { ...line, read: (value) => line.read(Array.isArray(value) ? joinWords(value) : value) };
}

function joinWords(words: Json[]): Json {
  if (!words.every((word) => typeof word === "string")) return words;
  const [program, option, script] = words;
  if (words.length === 3 && /^(?:\/bin\/)?(?:ba|z)?sh$/.test(program ?? "") && /^-l?c$/.test(option ?? "")) {
    return script ?? "";
  }
  return words.map(shellWord).join(" ");
}
