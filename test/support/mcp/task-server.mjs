// An MCP server over stdio that speaks the current revision and answers its call by a task: `node task-server.mjs MARKS`.
import { appendFileSync } from "node:fs";

const extension = "io.modelcontextprotocol/tasks";
const asked = {
  who: {
    method: "elicitation/create",
    params: { message: "Who?", requestedSchema: { type: "object", properties: { who: { type: "string" } } } },
  },
};
const tool = {
  name: "slow",
  description: "Slow.",
  inputSchema: { type: "object", properties: { kind: { type: "string" } } },
};
const tasks = new Map();

const complete = (more) => ({ resultType: "complete", ...more });
const listed = (more) => complete({ ttlMs: 0, cacheScope: "private", ...more });

function get({ taskId }) {
  const task = tasks.get(taskId);
  task.looks += 1;
  const of = {
    taskId,
    createdAt: new Date(0).toISOString(),
    lastUpdatedAt: new Date(0).toISOString(),
    ttlMs: 60_000,
    pollIntervalMs: 50,
  };
  if (task.kind === "hang" || task.looks === 1)
    return complete({ ...of, status: "working", statusMessage: "half way" });
  if (task.kind === "ask" && !task.answers) return complete({ ...of, status: "input_required", inputRequests: asked });
  if (task.kind === "break")
    return complete({ ...of, status: "failed", error: { code: -32_603, message: "it broke" } });
  const text = `done for ${task.answers?.who?.content?.who ?? "nobody"}`;
  return complete({ ...of, status: "completed", result: { content: [{ type: "text", text }] } });
}

function answer({ method, params }) {
  switch (method) {
    case "server/discover": {
      const capabilities = { tools: {}, extensions: { [extension]: {} } };
      return listed({
        supportedVersions: ["2026-07-28"],
        capabilities,
        _meta: { "io.modelcontextprotocol/serverInfo": { name: "tasks", version: "1" } },
      });
    }
    case "tools/list":
      return listed({ tools: [tool] });
    case "tools/call": {
      const can = params._meta["io.modelcontextprotocol/clientCapabilities"];
      if (!can.extensions?.[extension]) return complete({ content: [{ type: "text", text: "no tasks" }] });
      const taskId = `task-${tasks.size}`;
      tasks.set(taskId, { looks: 0, kind: params.arguments?.kind });
      const at = new Date(0).toISOString();
      return {
        resultType: "task",
        taskId,
        status: "working",
        createdAt: at,
        lastUpdatedAt: at,
        ttlMs: 60_000,
        pollIntervalMs: 50,
      };
    }
    case "tasks/get":
      return get(params);
    case "tasks/update":
      tasks.get(params.taskId).answers = params.inputResponses;
      return complete({});
    case "tasks/cancel":
      appendFileSync(process.argv[2], "cancelled\n");
      return complete({});
    default:
      return undefined;
  }
}

let rest = "";
process.stdin.setEncoding("utf8").on("data", (chunk) => {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop() ?? "";
  for (const line of lines) {
    if (line.trim() === "") continue;
    const message = JSON.parse(line);
    if (message.id === undefined) continue;
    const result = answer(message);
    const error = { code: -32_601, message: "Method not found" };
    process.stdout.write(
      `${JSON.stringify({ jsonrpc: "2.0", id: message.id, ...(result ? { result } : { error }) })}\n`,
    );
  }
});
process.stdin.on("end", () => process.exit(0));
