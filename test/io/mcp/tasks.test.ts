// What a server's task may ask for and come to, whatever the server sends.
import type { Client } from "@modelcontextprotocol/client";
import { expect, test } from "vitest";
import { followed, withTask } from "../../../src/io/mcp/tasks.ts";

/** Follows a task that stands as `task` from the beginning. */
async function follow(task: object, answered: string[] = []) {
  const sent: string[] = [];
  const request = async ({ method }: { method: string }) => {
    sent.push(method);
    return { taskId: "t", status: "completed", result: { content: [] } };
  };
  const begun = { resultType: "task", taskId: "t", pollIntervalMs: 0, ...task };
  const { result } = withTask({ jsonrpc: "2.0", id: 1, result: begun }) as { result: unknown };
  const of = {
    options: {},
    told: () => undefined,
    answer: async (method: string) => (answered.push(method), { roots: [] }),
  };
  const came = await followed({ request } as unknown as Client, result, of).catch((error: unknown) => error);
  return { sent, came };
}

test("a task that asks for what is no question of the protocol is ended at once, and nothing of it is answered", async () => {
  for (const wish of [
    { method: "tools/call", params: { name: "shell" } },
    { method: "constructor" },
    { method: "elicitation/create", params: { message: 1 } },
    { method: "sampling/createMessage" },
  ]) {
    const answered: string[] = [];
    const inputRequests = { first: { method: "roots/list" }, second: wish };
    const { sent, came } = await follow({ status: "input_required", inputRequests }, answered);
    expect(came, wish.method).toMatchObject({ code: "mcp.task", message: expect.stringContaining(wish.method) });
    expect([sent, answered]).toEqual([["tasks/cancel"], []]);
  }
  const { sent } = await follow({ status: "input_required", inputRequests: { first: { method: "roots/list" } } });
  expect(sent).toEqual(["tasks/update", "tasks/get"]);
});

test("what a task comes to is the result of a call, or its call fails by a sentence", async () => {
  const wrong = ["x", 1, [], null, { content: [null] }, { content: "x" }, { content: [{ type: "text" }] }];
  for (const result of wrong)
    expect((await follow({ status: "completed", result })).came, JSON.stringify(result)).toMatchObject({
      code: "mcp.task",
      message: expect.stringContaining("no result of a call"),
    });
  const content = [{ type: "text", text: "done" }];
  expect((await follow({ status: "completed", result: { content } })).came).toMatchObject({ content });
  const alone = { structuredContent: { a: 1 } };
  expect((await follow({ status: "completed", result: alone })).came).toMatchObject({ ...alone, content: [] });
  expect((await follow({ status: "completed" })).came).toMatchObject({ content: [] });
});
