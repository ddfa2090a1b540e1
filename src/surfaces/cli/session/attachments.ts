// What goes along with a prompt, or comes back with a call, besides text.
import type { Part } from "../../../protocol/message.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Picture } from "../../tui/pictures.ts";

export const attachments = (prompt: readonly Part[]): string[] =>
  prompt.flatMap((part) =>
    part.type === "image" ? [part.mime] : part.source === undefined ? [] : [safeLine(part.source)],
  );

export const picturesIn = (parts: readonly Part[]): Picture[] => parts.filter((part) => part.type === "image");
