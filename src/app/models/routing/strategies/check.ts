// Evidence for an answer: the command of router.check, run on it through the gate of the session.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Gate } from "../../../../guard/gate.ts";
import { processResult } from "../../../../tools/process-result.ts";
import type { Result } from "../../../../protocol/result.ts";
import { type Evidence, outputOf } from "../evidence/evidence.ts";
import { testsPassed } from "../evidence/test-commands.ts";

interface CheckPlace {
  /** Private to the session, and removed with it. */
  temporary: string;
  gate(): Promise<Gate>;
  /** It may change files. */
  checkpoint(): Promise<void>;
}

/** Why the command says nothing: it was not allowed, could not be started or did not end. Empty when it was stopped. */
export interface Silent {
  silent: string;
}

export async function checked(
  place: CheckPlace,
  { command, answer }: { command: string; answer: string },
  signal: AbortSignal,
): Promise<boolean | Silent> {
  const name = `answer-${randomBytes(6).toString("hex")}.md`;
  const file = path.join(place.temporary, name);
  writeFileSync(file, answer, { mode: 0o600 });
  await place.checkpoint();
  const ran = await run(await place.gate(), `${command} '${file.replaceAll("'", `'\\''`)}'`, signal);
  return "silent" in ran ? ran : ran.passed;
}

/** The command as it stands, in the folder of that gate. */
export async function checkedIn(gate: Gate, command: string, signal: AbortSignal): Promise<Evidence | Silent> {
  const ran = await run(gate, command, signal);
  if ("silent" in ran) return ran;
  const { passed, output } = ran;
  return { passed, command, text: `router.check_changes ${passed ? "passed" : "failed"}`, output };
}

type Ran = Pick<Evidence, "passed" | "output"> | Silent;

async function run(gate: Gate, command: string, signal: AbortSignal): Promise<Ran> {
  const action = { kind: "shell", command, background: false } as const;
  const call = { id: `check-${randomBytes(6).toString("hex")}`, tool: "shell", action, origin: "fettle" } as const;
  let ended = false;
  const result = await gate.pass(
    call,
    async (grant) => {
      const exit = await grant.process.run(undefined, signal);
      ended = exit.ended === "exited";
      return processResult(exit);
    },
    signal,
  );
  const passed = ended ? testsPassed(result) : undefined;
  const output = outputOf(result);
  if (passed !== undefined) return { passed, output };
  return { silent: signal.aborted ? "" : whySilent(result, output) };
}

/** A shell says 126 and 127 of what it cannot start. */
function whySilent({ status, params }: Result, output: string): string {
  if (status === "refused" || status === "expired") return "it was not allowed to run";
  const { exit } = params ?? {};
  // The output comes wrapped as data.
  const [first = ""] = output
    .trim()
    .split("\n")
    .filter((line) => !line.startsWith("<data"));
  const said = first.slice(0, 160);
  if (exit === 127) return `its command was not found (${said})`;
  return exit === 126 ? `its command cannot be executed (${said})` : `it did not end (${said})`;
}
