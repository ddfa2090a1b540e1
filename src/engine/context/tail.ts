// Where a conversation may be cut: the newest messages stay as they are, and no call is parted from its result.
import { bytesOf } from "../../model/contract/size.ts";
import type { Message } from "../../protocol/message.ts";
import { bytesPerToken } from "./window.ts";

/** So many of the newest messages stay, however long they are. */
export const leastKept = 6;

/** How many messages from the beginning may go, so that about `tokens` of the newest stay; 0: none. */
export function cutOf(shown: readonly Message[], tokens: number): number {
  let kept = 0;
  let bytes = 0;
  while (kept < shown.length) {
    bytes += bytesOf(shown[shown.length - 1 - kept] as Message);
    if (kept >= leastKept && bytes > tokens * bytesPerToken) break;
    kept += 1;
  }
  let cut = shown.length - kept;
  while (cut > 0 && shown[cut]?.role === "tool") cut -= 1;
  // What stands for earlier messages already would only give way to itself.
  return cut === 1 && standsForEarlier(shown[0]) ? 0 : cut;
}

const standsForEarlier = (message: Message | undefined): boolean =>
  message?.role === "user" && message.by === "compaction";
