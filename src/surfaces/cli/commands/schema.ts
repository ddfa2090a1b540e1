import type { Context } from "../host/context.ts";

/** The JSON Schema of a line of `--json`. */
export async function showEventSchema(context: Context): Promise<number> {
  const [{ z }, { Event }] = await Promise.all([import("zod"), import("../../../protocol/event.ts")]);
  context.json({ title: "fettle event", ...z.toJSONSchema(Event, { io: "input" }) });
  return 0;
}
