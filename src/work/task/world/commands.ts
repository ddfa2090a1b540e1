// Commands that fettle runs for a task: through the gate like everybody's, but with the whole output and the exit code.
import path from "node:path";
import { sha256 } from "../../../base/digest.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import type { Grant } from "../../../guard/contract/grant.ts";
import type { WriteReport } from "../../../io/layers/spec.ts";
import type { ProcessExit } from "../../../io/process/spec.ts";
import type { Action } from "../../../protocol/action.ts";
import { textResult } from "../../../protocol/outcome.ts";
import type { Result } from "../../../protocol/result.ts";
import { processResult } from "../../../tools/process-result.ts";
import type { WorkFolder } from "./world.ts";
import { textIn } from "../../../base/text-in.ts";

export interface CommandRun {
  command: string;
  /** Null when it did not end by itself, or never began. */
  exit: number | null;
  /** `refused`: the gate or a person said no. `running`: it is up, and stays. */
  ended: ProcessExit["ended"] | "refused" | "running";
  output: string;
  digest: string;
  /** Where what it wrote went. */
  written?: WriteReport;
}

export const succeeded = ({ exit, ended }: CommandRun): boolean =>
  ended === "running" || (exit === 0 && ended === "exited");

const longestOutput = 16 * 1024 * 1024;
let counter = 0;

/** An act of fettle's own in a task, through the gate of its place. `perform` is told the call's id. */
export async function passed(
  place: WorkFolder,
  action: Action,
  perform: (grant: Grant, call: string) => Promise<Result>,
  signal: AbortSignal,
): Promise<Result> {
  counter += 1;
  const id = `task-${Date.now().toString(36)}-${counter}`;
  const call = { id, tool: "task", action, origin: "fettle" as const };
  return (await place.gate()).pass(call, (grant) => perform(grant, id), signal);
}

/** Writes a file as a mission would: through the gate, and into the ledger. Why not, where it is refused. */
export async function writeFile(
  place: WorkFolder,
  file: string,
  content: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const result = await passed(
    place,
    { kind: "change", changes: [{ op: "write", path: file, content }] },
    async (grant) => {
      await grant.files.write(file, content);
      return textResult("Written.");
    },
    signal,
  );
  return result.status === "done" ? undefined : textOf(result);
}

/** `mayFail`: that it fails is no trouble, but what is to be found out. */
export async function runCommand(
  place: WorkFolder,
  command: string,
  signal: AbortSignal,
  { mayFail = false }: { mayFail?: boolean } = {},
): Promise<CommandRun> {
  let exit: ProcessExit | undefined;
  const result = await passed(
    place,
    { kind: "shell", command, background: false },
    async (grant, call) => {
      exit = await grant.process.run((text) => place.session.publish({ type: "output.delta", call, text }));
      const result = processResult(exit);
      return mayFail ? { ...result, params: { ...result.params, mayFail } } : result;
    },
    signal,
  );
  if (!exit) return { command, exit: null, ended: "refused", output: textOf(result), digest: sha256("") };
  const output = await wholeOutput(place, exit);
  const { code, ended, written } = exit;
  return { command, exit: code, ended, output, digest: sha256(output), ...(written && { written }) };
}

async function wholeOutput({ spills, firewall }: WorkFolder, exit: ProcessExit): Promise<string> {
  if (exit.spill === undefined) return firewall.redact(exit.unfolded ?? exit.output).text;
  const { bytes } = await readBytes(path.join(spills, exit.spill), { limit: longestOutput });
  return firewall.redact(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).text;
}

export const textOf = ({ parts }: Result): string => textIn(parts, "\n");

/** Why a run counts for nothing, or how it ended, in a few words. */
export function endText({ exit, ended }: CommandRun): string {
  if (ended === "exited") return `exit ${exit ?? "by a signal"}`;
  if (ended === "running") return "runs";
  if (ended === "refused") return "not allowed";
  if (ended === "timeout") return "took too long";
  return ended;
}
