// Recordings as a person asks for them: what they hold, that no secret is in them, and that they can be played.
import path from "node:path";
import { createFirewall } from "../../../guard/firewall/firewall.ts";
import { readRecording } from "../../../model/providers/recorded.ts";
import type { RecordedStep } from "../../../model/recording/recording.ts";
import type { RecordedRound, RecordingProblem, RecordingReport } from "../../../protocol/recording.ts";
import { firewallKey } from "../../program/keys.ts";
import type { Program } from "../../program/program.ts";
import { played } from "./replay.ts";

/** Nothing leaves the machine, and nothing is run. Throws a Fault that names the line of a broken file. */
export async function lookAt(
  program: Program,
  { file, replay }: { file: string; replay?: boolean },
): Promise<RecordingReport> {
  const target = path.resolve(program.cwd, file);
  const { text, recording } = await readRecording(target);
  const lines = linesOfSteps(text);
  const lineOf = (index: number) => lines[index] ?? 0;
  const firewall = createFirewall(firewallKey(program.places));
  const problems: RecordingProblem[] = replay
    ? [
        ...text.split("\n").flatMap((line, index) => secretsIn(line, index + 1, firewall)),
        ...(await played(target, recording, (request) => firewall.scrub(request))).map(({ step, what }) => ({
          ...{ line: lineOf(step), kind: "replay" as const, what },
        })),
      ]
    : [];
  return {
    file,
    title: recording.title,
    ...(recording.model !== undefined && { model: recording.model }),
    rounds: recording.steps.map((step, index) => roundOf(step, lineOf(index))),
    problems,
  };
}

const secretsIn = (line: string, number: number, firewall: ReturnType<typeof createFirewall>): RecordingProblem[] =>
  firewall.redact(line).found.map(({ kind }) => ({ line: number, kind: "secret", what: kind }));

/** The line of each step: the header and remarks hold none. */
const linesOfSteps = (text: string): number[] =>
  text.split("\n").flatMap((line, index) => {
    const header = index === 0 && /^\s*\{\s*"recording"/.test(line);
    return header || line.trim() === "" || line.startsWith("//") ? [] : [index + 1];
  });

function roundOf({ asked, expect, say, calls, status, usage }: RecordedStep, line: number): RecordedRound {
  return {
    line,
    asked: asked ?? (expect ?? []).map((text) => ({ role: "expected", text })),
    say: say ?? "",
    calls: (calls ?? []).map(({ name, input, raw }) => ({ name, input: raw ?? JSON.stringify(input ?? {}) })),
    ...(status !== undefined && { status }),
    ...(usage && { usage: { input: usage.input, output: usage.output, cacheRead: usage.cacheRead ?? 0 } }),
  };
}
