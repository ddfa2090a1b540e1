// --output-schema: the final answer must be JSON that fits; two repair rounds, then the run has failed.
import { jsonText } from "../base/json-text.ts";
import type { Stop } from "../protocol/event.ts";
import type { Json } from "../protocol/message.ts";

const repairs = 2;

/** `schema` undefined accepts everything. Throws when the schema itself cannot be used. */
export async function answerReview(
  schema: Json | undefined,
): Promise<(answer: string) => { note: string } | { stop: Stop } | undefined> {
  if (schema === undefined) return () => undefined;
  const { z } = await import("zod");
  const type = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
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
