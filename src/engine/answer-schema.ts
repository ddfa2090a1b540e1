// --output-schema: the final answer must be JSON that fits; two repair rounds, then the run has failed.
import { Fault } from "../base/fault.ts";
import { jsonText } from "../base/json-text.ts";
import type { Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import type { Json } from "../protocol/message.ts";

const repairs = 2;
const mostTold = 20;

/** Judges one answer after another: a note asks for a repair, a stop ends the turn as failed. */
export type Review = (answer: string) => { note: string } | { stop: Stop } | undefined;

/** `schema` undefined accepts everything; with `problemsOf` that says what does not fit. Rejects with a Fault (exit 2) when the schema itself cannot be used. */
export async function answerReview(schema: Json | undefined, problemsOf?: Problems): Promise<Review> {
  if (schema === undefined) return () => undefined;
  const problems = problemsOf ?? (await strictly(schema));
  let left = repairs;
  return (answer) => {
    const found = problems(answer);
    if (found.length === 0) return undefined;
    const problem = found.slice(0, mostTold).join("; ");
    if (left === 0) {
      return {
        stop: { kind: "provider", code: "schema", text: `The answer does not fit the output schema: ${problem}.` },
      };
    }
    left -= 1;
    return {
      note: `Your final answer must be only JSON that fits the required schema. It does not: ${problem}. Answer again with the corrected JSON alone.`,
    };
  };
}

async function strictly(schema: Json): Promise<Problems> {
  const { z } = await import("zod");
  const type = usable(() => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]));
  return (answer) => misfits(answer, (value) => type.safeParse(value).error?.issues);
}

function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("schema.unusable", Exit.usage, `The output schema cannot be used: ${why}.`, "Correct the file.");
  }
}

type Problems = (answer: string) => readonly string[];
type Issues = readonly { path: PropertyKey[]; message: string }[] | undefined;

function misfits(answer: string, check: (value: unknown) => Issues): string[] {
  let value: unknown;
  try {
    value = JSON.parse(jsonText(answer));
  } catch (error) {
    return [`it is not JSON (${error instanceof Error ? error.message : String(error)})`];
  }
  return (check(value) ?? []).map(({ path, message }) => {
    const where = path.map(String).join(".");
    return where ? `${where}: ${message}` : message;
  });
}
