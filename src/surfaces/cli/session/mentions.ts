// `@file` in a prompt: the file's content goes along as data.
import { mentionsOf } from "../../../base/mentions.ts";
import type { Client } from "../../../protocol/client.ts";
import type { Part } from "../../../protocol/message.ts";
import type { Answer } from "../../../protocol/query.ts";
import { interactive } from "../words/interactive.ts";

interface Expanded {
  prompt: Part[];
  /** What could not be attached, or not whole, each a sentence. */
  problems: string[];
}

export async function expandMentions(text: string, client: Client): Promise<Expanded> {
  const prompt: Part[] = [{ type: "text", text }];
  const problems: string[] = [];
  for (const path of mentionsOf(text)) {
    const found = await mentioned(path, client);
    if ("server" in found) continue;
    if ("problem" in found) problems.push(interactive.attachProblem(path, found.problem));
    else if ("image" in found) prompt.push({ type: "image", ...found.image });
    else {
      prompt.push({ type: "text", text: found.text, source: path });
      if (found.cut) problems.push(interactive.attachCut(path, found.cut));
    }
  }
  return { prompt, problems };
}

type Mentioned = Answer<"files.mention">;

/** `FILE:9` and `FILE:10-20` are lines of a file, unless a file has that very name. */
async function mentioned(path: string, client: Client): Promise<Mentioned> {
  const whole = await client.read("files.mention", { path });
  const [, file, first, last = first] = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?$/.exec(path) ?? [];
  if (!("problem" in whole) || file === undefined) return whole;
  const found = await client.read("files.mention", { path: file });
  if (!("text" in found)) return found;
  const lines = found.text.replace(/\n$/, "").split("\n");
  const [from, to] = [Number(first), Number(last)];
  const { cut, ...rest } = found;
  // The last lines are the one that was cut and the note on it.
  const known = cut ? lines.length - 2 : lines.length;
  if (from < 1 || to < from || from > known)
    return { problem: cut ? interactive.linesBehindCut(known) : interactive.noSuchLines(lines.length) };
  return { ...rest, ...(cut && to > known && { cut }), text: `${lines.slice(from - 1, to).join("\n")}\n` };
}

/** The word before the cursor that Tab may complete, when it is a mention. */
export function mentionPrefix(text: string): { from: number; prefix: string } | undefined {
  const match = /(?:^|[\s(])@([^\s"'`]*)$/.exec(text);
  return match ? { from: text.length - (match[1]?.length ?? 0), prefix: match[1] ?? "" } : undefined;
}
