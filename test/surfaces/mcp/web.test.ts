// Clients at an address that begin badly, all at once, or while nothing can be opened.
import { expect, test } from "vitest";
import type { Client, Command } from "../../../src/protocol/client.ts";
import type { Event } from "../../../src/protocol/event.ts";
import { WebServing } from "../../../src/surfaces/mcp/web.ts";

const token = "t";

/** A client whose every call ends at once. */
function client(closed: () => void): Client {
  const waiting: Event[] = [];
  let wake = Promise.withResolvers<void>();
  let over = false;
  const stir = () => {
    wake.resolve();
    wake = Promise.withResolvers();
  };
  const made = {
    async send(_command: Command) {
      waiting.push({ type: "turn.ended", stop: { text: "ended" } } as Event);
      stir();
    },
    read: async () => [],
    async *events() {
      while (!over) {
        yield* waiting.splice(0);
        await wake.promise;
      }
    },
    async close() {
      if (!over) closed();
      over = true;
      stir();
    },
  };
  return made as unknown as Client;
}

function serving({ passing = false, failures = 0 } = {}) {
  const counts = { opened: 0, closed: 0 };
  const open = async () => {
    if (failures-- > 0) throw new Error("not now");
    counts.opened += 1;
    return client(() => (counts.closed += 1));
  };
  const words = { card: () => [], result: () => "", answer: "", cannotAsk: "", declined: "", closed: "closed" };
  const web = new WebServing({
    ...{ version: "1", log: () => undefined, words, seats: [{ token, open }] },
    ...(passing && { passing: { servers: ["box"], alone: true } }),
  });
  const post = (body: object, headers: Record<string, string> = {}) =>
    web.fetch(
      new Request("http://127.0.0.1/mcp", {
        method: "POST",
        headers: {
          ...{ host: "127.0.0.1", authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...{ accept: "application/json, text/event-stream", ...headers },
        },
        body: JSON.stringify(body),
      }),
    );
  return { web, counts, post };
}

const initialize = {
  ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};
const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };

test("a session that the protocol refuses is closed, and every other one when serving ends", async () => {
  const { web, counts, post } = serving({ passing: true });
  expect((await post(initialize, { accept: "text/plain" })).status).toBe(406);
  expect(counts).toEqual({ opened: 1, closed: 1 });
  expect((await post(initialize)).status).toBe(200);
  await web.close();
  expect(counts).toEqual({ opened: 2, closed: 2 });
});

test("no more sessions than may be open begin at once", async () => {
  const { web, post } = serving();
  const replies = await Promise.all(Array.from({ length: 40 }, () => post(initialize)));
  expect(replies.filter(({ status }) => status === 200)).toHaveLength(32);
  expect(replies.filter(({ status }) => status === 503)).toHaveLength(8);
  await web.close();
});

test("what could not be opened once is opened for the next request, and ends without a fault", async () => {
  const { web, counts, post } = serving({ failures: 1 });
  const begun = await post(initialize);
  const session = { "mcp-session-id": begun.headers.get("mcp-session-id") ?? "", "mcp-protocol-version": "2025-11-25" };
  expect(await (await post(list, session)).text()).toContain("error");
  expect(await (await post(list, session)).text()).toContain('"tools"');
  await web.close();
  expect(counts).toEqual({ opened: 1, closed: 1 });
});
