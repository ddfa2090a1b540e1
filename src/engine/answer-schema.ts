// --output-schema: the final answer must be JSON that fits; two repair rounds, then the run has failed.
import { Fault } from "../base/fault.ts";
import { jsonText } from "../base/json-text.ts";
import type { Stop } from "../protocol/event.ts";
import { Exit } from "../protocol/exit.ts";
import type { Json } from "../protocol/message.ts";

const repairs = 2;

/** Judges one answer after another: a note asks for a repair, a stop ends the turn as failed. */
export type Review = (answer: string) => { note: string } | { stop: Stop } | undefined;

/** `schema` undefined accepts everything. Rejects with a Fault (exit 2) when the schema itself cannot be used. */
export async function answerReview(schema: Json | undefined): Promise<Review> {
  if (schema === undefined) return () => undefined;
  const { z } = await import("zod");
  const type = usable(() => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]));
  let left = repairs;
  return (answer) => {
    const problem = misfit(answer, (value) => type.safeParse(value).error?.issues);
    if (!problem) return undefined;
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

function usable<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new Fault("schema.unusable", Exit.usage, `The output schema cannot be used: ${why}.`, "Correct the file.");
  }
}

type Issues = readonly { path: PropertyKey[]; message: string }[] | undefined;

function misfit(answer: string, check: (value: unknown) => Issues): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(jsonText(answer));
  } catch (error) {
    return `it is not JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  const issue = check(value)?.[0];
  if (!issue) return undefined;
  const where = issue.path.map(String).join(".");
  return where ? `${where}: ${issue.message}` : issue.message;
}
