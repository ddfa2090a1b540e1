// What a person passes on without having written it: piped text, attached files and images.
import { suspicions } from "../guard/firewall/data.ts";
import type { Part } from "../protocol/message.ts";
import type { Session } from "./session/session.ts";

const passedOn = (part: Part): boolean => part.type === "text" && part.source !== undefined && part.found === undefined;

/** The same prompt, with what was found in its foreign texts. */
export async function inspected(prompt: Part[]): Promise<Part[]> {
  if (!prompt.some(passedOn)) return prompt;
  return Promise.all(
    prompt.map(async (part): Promise<Part> => {
      if (part.type !== "text" || part.source === undefined || part.found !== undefined) return part;
      return { ...part, found: await suspicions(part.text) };
    }),
  );
}

/** Text that tries to give orders, and any image, makes the session suspicious of itself. */
export function taintByPrompt(
  session: Session,
  prompt: readonly Part[],
  inherits: (source: string) => boolean = () => false,
): void {
  for (const part of prompt) {
    if (part.type === "image") {
      session.append({
        type: "taint.raised",
        source: "an attached image",
        why: "an image, whose text cannot be checked",
      });
    } else if (part.source !== undefined && part.found !== undefined && part.found.length > 0) {
      session.append({ type: "taint.raised", source: part.source, why: part.found.join(", ") });
    } else if (part.source !== undefined && inherits(part.source)) {
      const why = "written by a session that had read text from outside";
      session.append({ type: "taint.raised", source: part.source, why });
    }
  }
}
