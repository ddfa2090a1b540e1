// Evidence for an answer: the command of router.check, run on it through the gate of the session.
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import path from "node:path";
import type { Gate } from "../../../guard/gate.ts";
import { processResult } from "../../../tools/process-result.ts";
import { testsPassed } from "../evidence.ts";

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
  const action = {
    kind: "shell",
    command: `${command} '${file.replaceAll("'", `'\\''`)}'`,
    background: false,
  } as const;
  const call = { id: `check-${name}`, tool: "shell", action, origin: "fettle" } as const;
  await place.checkpoint();
  let ran = false;
  const result = await (await place.gate()).pass(
    call,
    async (grant) => {
      const exit = await grant.process.run(undefined, signal);
      ran = exit.ended === "exited";
      return processResult(exit);
    },
    signal,
  );
  return ran ? testsPassed(result) : undefined;
}
