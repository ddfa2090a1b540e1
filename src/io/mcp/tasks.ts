// The tasks extension: a server answers a call by a task, which is asked for until it has come to something.
import { setTimeout as sleep } from "node:timers/promises";
import { type Client, isSpecType, type JSONRPCMessage, type RequestOptions } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { Json } from "../../protocol/message.ts";
import { McpFailure } from "./spec.ts";

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** Where a reply that is a task is kept until it is followed: the SDK refuses a kind of result that it does not know. */
const mark = "fettle/task";

const Task = z.looseObject({
  taskId: z.string(),
  status: z.enum(["working", "input_required", "completed", "failed", "cancelled"]),
  statusMessage: z.string().optional(),
  pollIntervalMs: z.number().optional(),
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number(), message: z.string() }).optional(),
  inputRequests: z.record(z.string(), z.looseObject({ method: z.string(), params: z.unknown().optional() })).optional(),
});
type Task = z.infer<typeof Task>;
const Acknowledged = z.looseObject({});

export function withTask(message: JSONRPCMessage): JSONRPCMessage {
  if (!("result" in message) || message.result["resultType"] !== "task") return message;
  const { result } = message;
  return { ...message, result: { resultType: "complete", content: [], _meta: { [mark]: result } } };
}

interface Following {
  options: RequestOptions;
  /** What the server says of how far it is. */
  told(text: string): void;
  /** Answers one request of the server; rejects where nobody can. */
  answer(method: string, params: Json): Promise<unknown>;
}

const shortestMs = 50;
const usualMs = 1_000;
const longestMs = 60_000;

const pauseOf = ({ pollIntervalMs = usualMs }: Task): number =>
  Math.min(longestMs, Math.max(shortestMs, pollIntervalMs));

/** What the call comes to; the reply itself where it was no task. Ends the task with the call. */
export async function followed(client: Client, reply: unknown, of: Following): Promise<unknown> {
  const begun = Task.safeParse((reply as { _meta?: { [name: string]: unknown } })._meta?.[mark]);
  if (!begun.success) return reply;
  const { taskId } = begun.data;
  const { signal } = of.options;
  try {
    return await outcomeOf(client, begun.data, of);
  } catch (error) {
    if (signal?.aborted || error instanceof Refused)
      // Whoever asked has gone: what comes of the ending is nobody's to hear.
      await client
        .request({ method: "tasks/cancel", params: { taskId } }, Acknowledged, { timeout: 5_000 })
        .catch(() => undefined);
    throw error;
  }
}

async function outcomeOf(client: Client, begun: Task, of: Following): Promise<unknown> {
  const { taskId } = begun;
  const { signal } = of.options;
  const more = { ...(signal && { signal }) };
  let said: string | undefined;
  for (let task = begun; ; ) {
    if (task.statusMessage !== undefined && task.statusMessage !== said) of.told(`${task.statusMessage}\n`);
    said = task.statusMessage;
    if (task.status === "completed") return resultOf(task);
    if (task.status === "failed")
      throw new McpFailure("mcp.task", task.error?.message ?? "The task of the server failed.");
    if (task.status === "cancelled") throw new McpFailure("mcp.task", "The server has cancelled the task.");
    if (task.status === "input_required") {
      const inputResponses = await answers(task, of);
      await client.request({ method: "tasks/update", params: { taskId, inputResponses } }, Acknowledged, more);
    }
    await sleep(pauseOf(task), undefined, more);
    task = await client.request({ method: "tasks/get", params: { taskId } }, Task, more);
  }
}

/** It came within another reply, so that the SDK has not looked at it. */
function resultOf({ result = {} }: Task): unknown {
  const isObject = typeof result === "object" && result !== null && !Array.isArray(result);
  const whole = isObject ? { content: [], ...result } : result;
  if (isSpecType.CallToolResult(whole)) return whole;
  throw new McpFailure("mcp.task", "The task of the server has come to something that is no result of a call.");
}

/** What a server asks for that nobody could answer: its task is ended. */
class Refused extends McpFailure {}

const asks: Readonly<Record<string, (request: unknown) => boolean>> = {
  "elicitation/create": (request) => isSpecType.ElicitRequest(request),
  "sampling/createMessage": (request) => isSpecType.CreateMessageRequest(request),
  "roots/list": (request) => isSpecType.ListRootsRequest(request),
};

async function answers({ inputRequests = {} }: Task, { answer }: Following): Promise<Record<string, unknown>> {
  const wanted = Object.entries(inputRequests);
  for (const [, { method, params = {} }] of wanted)
    if (!Object.hasOwn(asks, method) || !asks[method]?.({ method, params }))
      throw new Refused("mcp.task", `The task of the server asks for ${method.slice(0, 80)}, which is no question.`);
  const given: [string, unknown][] = [];
  for (const [key, { method, params = {} }] of wanted) given.push([key, await answer(method, params as Json)]);
  return Object.fromEntries(given);
}
