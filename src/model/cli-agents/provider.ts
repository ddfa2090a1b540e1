// A provider without a server: a prompt becomes the call that runs another agent's program, so that the gate, the sandbox,
// checkpoints and approvals hold for it as for any call; what that came to becomes the answer.
import type { Message } from "../../protocol/message.ts";
import { type AnswerPart, type ModelRequest, WireFault } from "../../protocol/request.ts";
import { noUsage } from "../../protocol/usage.ts";
import { openScrubbed } from "../contract/connection.ts";
import { textOf } from "../contract/content.ts";
import type { Provider } from "../contract/provider.ts";
import { broke } from "./events.ts";
import { openingOf } from "./opening.ts";

/** Its call's name; no model is told of it. */
const agentCall = "cli_agent";

export const agentProvider = (program: string, model: string | undefined): Provider => ({
  name: "cli",
  vendor: `cli:${program}`,
  local: false,
  async *stream(request) {
    yield* answer(openScrubbed(request), { program, model });
  },
  models: () => Promise.resolve([]),
});

interface Asked {
  program: string;
  model: string | undefined;
}

async function* answer({ messages, effort }: ModelRequest, { program, model }: Asked): AsyncGenerator<AnswerPart> {
  const last = messages.at(-1);
  const result = last?.role === "tool" ? last.content.find(({ name }) => name === agentCall) : undefined;
  if (result) {
    const told = textOf(result.parts);
    const said = wrapped.exec(told)?.[2];
    if (result.failed) {
      // What it had said by then is kept, as of any answer that breaks off.
      if (said !== undefined) yield { type: "text", text: said };
      throw failureOf(program, told.replace(wrapped, "").trim());
    }
    const text = said ?? told;
    yield { type: "text", text };
    yield { type: "end", content: [{ type: "text", text }], finish: "stop", usage: noUsage };
    return;
  }
  const since = messages.findLastIndex(({ role }) => role === "assistant") + 1;
  const prompt = messages.slice(since).map(textIn).filter(Boolean).join("\n\n");
  const opening = openingOf(prompt, messages.slice(0, since));
  const input = { agent: program, prompt, opening, ...(model !== undefined && { model }), ...(effort && { effort }) };
  yield {
    type: "end",
    content: [{ type: "call", id: program, name: agentCall, input }],
    finish: "calls",
    usage: noUsage,
  };
}

const textIn = (message: Message): string => (message.role === "user" ? textOf(message.content) : "");

/** Another arm may do better than a program that broke; whoever refused its run has not asked for another one. */
const failureOf = (program: string, why: string): WireFault =>
  why.startsWith(broke)
    ? new WireFault("server", `${program} gave no answer: ${why.slice(broke.length)}`, { tries: 1 })
    : new WireFault("refused", `${program} gave no answer: ${why}`);

/** What is told to models as data is its own answer here. */
const wrapped = /<(data(?:-[0-9a-f]{6})?) source="[^"]*"[^>]*>\n([\s\S]*?)\n?<\/\1>/;
