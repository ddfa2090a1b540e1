import { failure, notedParts } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import type { FetchReply } from "../io/net/spec.ts";
import { orFailure } from "./failure.ts";
import prompt from "./fetch.md";
import { fields, optional, text, whole } from "./input.ts";
import { sizeText } from "./sizes.ts";
import { defineTool, ToolInputError } from "./tool.ts";

const mostCharacters = 20_000;

export const fetch = defineTool({
  name: "fetch",
  prompt,
  input: fields({
    url: text("", ["uri", "link", "href"]),
    offset: optional(whole("", 0, ["start", "start_index"])),
  }),
  parse({ url }) {
    if (!/^https?:\/\/[^\s/]/i.test(url)) throw new ToolInputError(`the URL must start with https:// or http://.`);
    return { kind: "fetch", url, method: "GET" };
  },
  run({ offset }, grant) {
    return orFailure(grant, async () => replyResult(await grant.fetch(), offset ?? 0));
  },
});

const readable =
  /^(?:text\/|application\/(?:[\w.+-]*(?:json|xml|yaml|javascript|toml|x-sh)|x-www-form-urlencoded))|^$/i;

function replyResult(reply: FetchReply, offset: number): Result {
  if (!readable.test(reply.contentType)) {
    const text = `${reply.url} is ${reply.contentType}, ${sizeText(reply.text.length)}; only text can be shown.`;
    return failure("fetch.type", text);
  }
  const head = reply.status >= 200 && reply.status < 300 ? [] : [`[status ${reply.status}]`];
  const text = reply.text.slice(offset, offset + mostCharacters);
  const left = reply.text.length - offset - text.length;
  const tail: string[] = [];
  if (left > 0) tail.push(`[${left} more characters; go on with offset ${offset + text.length}]`);
  else if (reply.truncated) tail.push("[the page is longer than can be fetched]");
  const nothing = text.trim() === "";
  const parts = notedParts(nothing ? "" : text, [...(nothing ? ["(no text)"] : []), ...head, ...tail]);
  const params = { status: reply.status };
  return head.length > 0
    ? { status: "failed", code: "fetch.status", parts, params }
    : { status: "done", parts, params };
}
