// Ctrl-V: the image that a person has copied, as a mention of its file, or a sentence about why there is none.
import { droppedImage } from "../../tui/dropped-file.ts";
import type { Clipboard } from "../host/host.ts";
import { interactive as words } from "../words/interactive.ts";

/** `terminal` asks the terminal itself, where it is known to answer. */
export async function pastedImage(
  { copied, keep, kinds }: Clipboard,
  terminal: ((kinds: readonly string[]) => Promise<Uint8Array | undefined>) | undefined,
): Promise<{ mention: string } | { problem: string }> {
  const found = await copied();
  const bytes = "unread" in found ? await terminal?.(kinds) : undefined;
  const file = "file" in found ? found.file : bytes && keep(bytes);
  const mention = file === undefined ? undefined : droppedImage(file);
  if (mention !== undefined) return { mention };
  if ("wanted" in found && found.wanted !== undefined) return { problem: words.clipboardWants(found.wanted) };
  return { problem: "unread" in found && !terminal ? words.clipboardUnread : words.noImageCopied };
}
