// Recordings of model traffic: made while working, looked at, and checked.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { RecordingReport } from "../../../protocol/recording.ts";
import type { Context } from "../host/context.ts";
import { asFault, usageFault } from "../host/failure.ts";
import { renderCheck, renderRecording } from "../render/recording.ts";
import { recordings as words } from "../grammar/recordings.ts";

/** The run's own exit code, unless the recording turns out to be no good. */
export async function recordRun(context: Context, file: string, prompt: string): Promise<number> {
  if (file === "") throw usageFault(words.needsFile, words.needsFileRemedy);
  // As typed, but the workspace may be another folder.
  context.options.record = file;
  const { runPrompt } = await import("./conversation.ts");
  const code = await runPrompt(context, prompt);
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

export async function checkRecording(context: Context, file: string): Promise<number> {
  const report = await checked(context, file);
  if (context.options.json) context.json(report);
  else context.lines(renderCheck(report, context.look()));
  return report.problems.length > 0 ? Exit.failed : Exit.done;
}

export async function showRecording(context: Context, file: string): Promise<number> {
  const report = await look(context, file, false);
  if (context.options.json) context.json(report);
  else context.lines(renderRecording(report, context.look()));
  return Exit.done;
}
