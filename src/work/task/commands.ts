// Commands that fettle runs for a task: through the gate like everybody's, but with the whole output and the exit code.
import path from "node:path";
import { sha256 } from "../../base/digest.ts";
import { readBytes } from "../../io/files/bytes.ts";
import type { ProcessExit } from "../../io/process/spec.ts";
import type { Result } from "../../protocol/result.ts";
import { processResult } from "../../tools/process-result.ts";
import type { Place } from "./world.ts";

export interface CommandRun {
  command: string;
  /** Null when it did not end by itself, or never began. */
  exit: number | null;
  /** `refused`: the gate or a person said no. */
  ended: ProcessExit["ended"] | "refused";
  output: string;
  digest: string;
}

export const succeeded = ({ exit, ended }: CommandRun): boolean => exit === 0 && ended === "exited";

const longestOutput = 16 * 1024 * 1024;
let counter = 0;

export async function runCommand(place: Place, command: string, signal: AbortSignal): Promise<CommandRun> {
  counter += 1;
  const call = {
    id: `task-${Date.now().toString(36)}-${counter}`,
    tool: "task",
    action: { kind: "shell" as const, command, background: false },
    origin: "fettle" as const,
  };
  let exit: ProcessExit | undefined;
  const gate = await place.gate();
  const result = await gate.pass(
    call,
    async (grant) => {
      exit = await grant.process.run((text) => place.session.publish({ type: "output.delta", call: call.id, text }));
      return processResult(exit);
    },
    signal,
  );
  if (!exit) return { command, exit: null, ended: "refused", output: textOf(result), digest: sha256("") };
  const output = await wholeOutput(place, exit);
  return { command, exit: exit.code, ended: exit.ended, output, digest: sha256(output) };
}

async function wholeOutput({ spills, firewall }: Place, exit: ProcessExit): Promise<string> {
  if (exit.spill === undefined) return firewall.redact(exit.output).text;
  const { bytes } = await readBytes(path.join(spills, exit.spill), { limit: longestOutput });
  return firewall.redact(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)).text;
}

export const textOf = ({ parts }: Result): string =>
  parts.map((part) => (part.type === "text" ? part.text : "")).join("\n");

/** Why a run counts for nothing, or how it ended, in a few words. */
export function endText({ exit, ended }: CommandRun): string {
  if (ended === "exited") return `exit ${exit ?? "by a signal"}`;
  if (ended === "refused") return "not allowed";
  if (ended === "timeout") return "took too long";
  return ended;
}
