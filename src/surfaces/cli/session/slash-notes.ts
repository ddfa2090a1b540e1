// `/remember` and `/notes`: what is kept for later sessions, from within one.
import { keepNote, renderKept, renderNotes, words } from "../commands/notes.ts";
import { interactive } from "../words/interactive.ts";
import { wrap } from "../text/width.ts";
import type { SlashHost } from "./slash-host.ts";

export async function remember({ client, console }: SlashHost, argument: string): Promise<void> {
  const [, all, text = ""] = /^(--all\s+)?([\s\S]*)$/.exec(argument) ?? [];
  if (text.trim() === "") return console.print([interactive.usage("/remember [--all] WORDS")]);
  const before = await keepNote(client, text, all === undefined ? "project" : "user");
  console.print(["", ...renderKept(before, console.look)]);
}

export async function notes({ client, console }: SlashHost, argument: string): Promise<void> {
  const id = /^forget\s+([0-9a-f]+)$/i.exec(argument)?.[1];
  if (argument !== "" && id === undefined) return console.print([interactive.usage("/notes [forget ID]")]);
  if (id === undefined) return console.print(["", ...renderNotes(await client.read("notes.list", {}), console.look)]);
  await client.send({ type: "note.forget", id });
  console.print(wrap(words.forgotten, console.look.width));
}
