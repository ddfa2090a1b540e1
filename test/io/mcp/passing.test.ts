// What a server is told of the agent that it is passed on to.
import { expect, test } from "vitest";
import { withAgent } from "../../../src/io/mcp/passing.ts";
import type { McpPassing } from "../../../src/io/mcp/spec.ts";

const modern = { getProtocolEra: () => "modern" as const };
const told = (can: unknown, level?: string) => withAgent(modern, { can, level } as McpPassing);

test("of what an agent can do, and of the level that it wants, only the protocol's own words go on", () => {
  const secret = "whatever the gate has not looked at";
  const abilities = { elicitation: { form: {}, url: {} }, sampling: { tools: {}, context: {} }, roots: {} };
  const clean = JSON.stringify(told(abilities, "info"));
  for (const name of ["form", "url", "tools", "context", "roots", "info"]) expect(clean).toContain(`"${name}"`);
  const more = {
    elicitation: { form: { [secret]: secret }, url: { secret }, [secret]: {} },
    sampling: { tools: { secret }, context: { secret }, [secret]: true },
    roots: { listChanged: secret, [secret]: {} },
    experimental: { x: { secret } },
    extensions: { [secret]: {} },
    [secret]: {},
  };
  expect(JSON.stringify(told(more, "info"))).toBe(clean);
  for (const can of [secret, null, [secret], { elicitation: secret, roots: [secret] }])
    expect(JSON.stringify(told(can, secret))).toBe(JSON.stringify(told({})));
});
