// Evidence for an answer: the command of router.check, run on it through the gate of the session.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Gate } from "../../../guard/gate.ts";
import { processResult } from "../../../tools/process-result.ts";
import type { Result } from "../../../protocol/result.ts";
import { type Evidence, outputOf } from "../evidence.ts";
import { testsPassed } from "../test-commands.ts";

export interface CheckPlace {
  /** Private to the session, and removed with it. */
  temporary: string;
  gate(): Promise<Gate>;
  /** It may change files. */
  checkpoint(): Promise<void>;
}

/** Undefined: it says nothing, as it was not allowed or did not end. */
export async function checked(
  place: CheckPlace,
  { command, answer }: { command: string; answer: string },
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const name = `answer-${randomBytes(6).toString("hex")}.md`;
  const file = path.join(place.temporary, name);
  writeFileSync(file, answer, { mode: 0o600 });
  await place.checkpoint();
  const ran = await run(await place.gate(), `${command} '${file.replaceAll("'", `'\\''`)}'`, signal);
  return ran && testsPassed(ran);
}

/** The command as it stands, in the folder of that gate. Undefined as above. */
export async function checkedIn(gate: Gate, command: string, signal: AbortSignal): Promise<Evidence | undefined> {
  const ran = await run(gate, command, signal);
  const passed = ran && testsPassed(ran);
  if (!ran || passed === undefined) return undefined;
  return { passed, command, text: `router.check_changes ${passed ? "passed" : "failed"}`, output: outputOf(ran) };
}

async function run(gate: Gate, command: string, signal: AbortSignal): Promise<Result | undefined> {
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
  return ended ? result : undefined;
}
