// `/routines`: what was done three times, kept and dropped from within a session.
import { keepRoutine, renderKept, renderRoutines, words } from "../commands/routines.ts";
import { interactive } from "../words/interactive.ts";
import { wrap } from "../text/width.ts";
import type { SlashHost } from "./slash-host.ts";

export async function routines({ client, console }: SlashHost, argument: string): Promise<void> {
  const [act = "", id = "", name, ...more] = argument.split(/\s+/);
  if (act === "") return console.print(["", ...renderRoutines(await client.read("routines.list", {}), console.look)]);
  if (act === "keep" && id !== "" && more.length === 0)
    return console.print(["", ...renderKept(await keepRoutine(client, { id, name }), console.look)]);
  if (act !== "forget" || id === "" || name !== undefined)
    return console.print([interactive.usage("/routines [keep ID NAME | forget ID]")]);
  await client.send({ type: "routine.forget", id });
  console.print(wrap(words.forgotten, console.look.width));
}
