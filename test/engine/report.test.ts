// What goes between a server and another agent in the middle of a call.
import { expect, test } from "vitest";
import { reportOf } from "../../src/engine/report.ts";
import type { Session } from "../../src/engine/session/session.ts";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import type { Delta } from "../../src/protocol/event.ts";
import { random } from "../guard/secret-examples.ts";

test("neither what a server says and asks nor what the other agent answers carries a secret on", async () => {
  const token = `ghp_${random}`;
  const published: Delta[] = [];
  const session = { publish: (delta: Delta) => void published.push(delta) } as unknown as Session;
  const { pass } = reportOf(session, "served-1", {
    firewall: createFirewall(Buffer.alloc(32, 7)),
    signal: new AbortController().signal,
    question: async () => JSON.stringify({ action: "accept", content: { who: `Ada ${token}` } }),
  });
  pass?.told("notifications/message", { level: "info", data: [token] });
  const answer = await pass?.asked("elicitation/create", { message: `Is it ${token}?`, requestedSchema: {} });
  expect(answer).toMatchObject({ action: "accept", content: { who: expect.stringMatching(/^Ada ./) as string } });
  expect(published.map(({ type }) => type)).toEqual(["mcp.told", "mcp.asked"]);
  expect(JSON.stringify([published, answer])).not.toContain(token);
});
