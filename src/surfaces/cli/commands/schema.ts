// `fettle schema`: published formats.
import type { Context } from "../host/context.ts";
import { phrases } from "../../phrases/phrases.ts";
import { type Define, teach } from "../host/grammar.ts";

export const words = phrases("schema", {
  help: {
    events: "JSON Schema of a line of --json",
  },
  lesson: {
    examples: [["fettle schema events > events.schema.json", "what a line of -p --json and sessions export can be"]],
    exits: [["0", "printed"]],
  },
});

export const define: Define = (command, start) => {
  teach(command, words.lesson);
  start(command.command("events").description(words.help.events), showEventSchema);
};

/** The JSON Schema of a line of `--json`. */
async function showEventSchema(context: Context): Promise<number> {
  const [{ z }, { Event }] = await Promise.all([import("zod"), import("../../../protocol/event.ts")]);
  context.json({ title: "fettle event", ...z.toJSONSchema(Event, { io: "input" }) });
  return 0;
}
