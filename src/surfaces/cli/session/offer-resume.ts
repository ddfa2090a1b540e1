// A turn that a crash cut off: the person says whether it goes on. Enter alone, which may have been typed before, says nothing.
import { interactive as words } from "../words/interactive.ts";
import type { SlashHost } from "./slash-host.ts";

export async function offerResume(
  { client, console, signal }: SlashHost,
  fail: (error: unknown) => void,
): Promise<void> {
  const choices = [
    { key: "y", label: words.goOn },
    { key: "n", label: words.leaveIt },
  ];
  const key = await console.choose({ title: words.interrupted, choices }, signal);
  if (key === "y") await client.send({ type: "turn.resume" }).catch(fail);
}
