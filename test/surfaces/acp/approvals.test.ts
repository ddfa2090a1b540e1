// What the gate asks is asked in the editor, answered there or elsewhere, and is a receipt like any other; and what becomes
// of it all when the editor misbehaves or is gone.
import { existsSync } from "node:fs";
import { methods, type RequestPermissionRequest, type RequestPermissionResponse } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import {
  call,
  jsonLines,
  makeScene,
  messagesOf,
  prompted,
  resultsOf,
  type Scene,
  shell,
} from "../../scenarios/scene.ts";
import { type EditorOptions, type EditorProcess, editorOf, select } from "../../support/editor.ts";
import type { ModelServerRequest } from "../../support/model-server.ts";

const own = methods.agent;

const open = async (scene: Scene, options?: EditorOptions): Promise<EditorProcess> =>
  editorOf(await scene.talk(["acp"]), options);

const begin = async (editor: EditorProcess, scene: Scene): Promise<string> =>
  (await editor.agent.request(own.session.new, { cwd: scene.folder, mcpServers: [] })).sessionId;

const ask = (editor: EditorProcess, sessionId: string, text: string) =>
  editor.agent.request(own.session.prompt, { sessionId, prompt: [{ type: "text", text }] });

/** A prompt is the command that the model then runs. */
const runsPrompts = (request: ModelServerRequest) => {
  const text = prompted(request);
  const messages = messagesOf(request);
  const asked = messages.findLastIndex(({ role, content }) => role === "user" && content === text);
  const answered = messages.slice(asked).some(({ role }) => role === "assistant");
  if (text === "choose" && !answered)
    return { calls: [call("ask", { question: "Which?", options: ["drop", "keep"] })] };
  return answered || text === "hello" ? { say: `Done: ${text}.` } : { calls: [shell(text)] };
};

const repository = () => makeScene(runsPrompts, { git: true, files: { "a.txt": "x\n", "b.txt": "y\n" } });

const receipts = async (scene: Scene) =>
  jsonLines((await scene.run(["audit", "query", "approval.receipt", "--json"])).stdout);

/** What a request says that it is about, besides its card. */
const about = (request: RequestPermissionRequest | undefined) =>
  request?.toolCall.rawInput as { nonce: string; digest: string };

const denied: RequestPermissionResponse = select("deny");

test("8.1 a request shows the exact command, its folder and its digest; its answer is a signed receipt", async () => {
  await using scene = await repository();
  scene.git("config", "user.name", "Ada");
  scene.git("config", "user.email", "ada@example.org");
  const answers = [denied, select("session"), select("approve")];
  const editor = await open(scene, { permission: () => Promise.resolve(answers.shift() ?? denied) });
  const session = await begin(editor, scene);

  const command = "git commit -q --allow-empty -m 'one `two`'";
  expect(await ask(editor, session, command)).toEqual({ stopReason: "end_turn" });
  const [asked] = editor.permissions;
  expect(asked).toMatchObject({
    sessionId: session,
    toolCall: {
      kind: "execute",
      status: "pending",
      title: `shell ${command}`,
      rawInput: { command, folder: scene.folder, digest: expect.stringMatching(/^[0-9a-f]{64}$/), risk: "L2" },
    },
  });
  expect(asked?.options.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["allow_once", "allow_always", "reject_once"]),
  );
  const shown = JSON.stringify(asked?.toolCall.content);
  const { digest } = about(asked);
  for (const part of [command, scene.folder, digest, "why asked"]) expect(shown).toContain(part);
  // It names the call that the editor knows.
  expect(editor.of("tool_call").map(({ toolCallId }) => toolCallId)).toContain(asked?.toolCall.toolCallId);
  expect(resultsOf(scene.server.requests.at(-1) as ModelServerRequest)[0]?.text).toMatch(/denied|refused|not allowed/i);
  await editor.until(() => editor.of("tool_call_update").some(({ status }) => status === "failed"));

  // For the session: the same again is not asked.
  await ask(editor, session, command);
  await ask(editor, session, `${command} `);
  expect(editor.permissions).toHaveLength(2);
  expect(scene.git("log", "--format=%s")).toContain("one `two`");
  expect(await editor.leave()).toBe(0);

  const rows = await scene.run(["approvals", "--json"]);
  expect(JSON.parse(rows.stdout)).toEqual([]);
  const all = JSON.parse((await scene.run(["audit", "verify", "--json"])).stdout) as { ok: boolean };
  expect(all.ok).toBe(true);
  expect(await receipts(scene)).toMatchObject([
    {
      data: {
        covers: { kind: "session" },
        folder: scene.folder,
        session,
        nonce: about(editor.permissions[1]).nonce,
        digest: about(editor.permissions[1]).digest,
      },
    },
  ]);
});

test("8.2 what was not offered approves nothing; an answer from a terminal takes the question away; a second answer changes nothing", async () => {
  await using scene = await repository();
  const waiting = Promise.withResolvers<RequestPermissionResponse>();
  const cancelled: string[] = [];
  const editor = await open(scene, {
    permission: (request, signal) => {
      if (request.toolCall.title === "Which?") return Promise.resolve(select(""));
      const { command } = request.toolCall.rawInput as { command: string };
      if (command.includes("b.txt")) return Promise.resolve(select("root"));
      signal.addEventListener("abort", () => cancelled.push(command));
      return waiting.promise;
    },
  });
  const session = await begin(editor, scene);
  const first = ask(editor, session, "rm a.txt");
  await editor.until(() => editor.permissions.length === 1);
  // A held deletion is asked for once more than its command where that was asked for, too: each by its own nonce.
  const { nonce } = about(editor.permissions[0]);
  expect((await scene.run(["approve", nonce])).code).toBe(0);
  expect(await first).toEqual({ stopReason: "end_turn" });
  expect(existsSync(scene.at("a.txt"))).toBe(false);
  expect(cancelled).toEqual(["rm a.txt"]);
  // Too late, and by the same request id again: neither is taken for anything.
  waiting.resolve(denied);
  const { id } = editor.lines().find(({ method }) => method === "session/request_permission") ?? {};
  editor.started.write(`${JSON.stringify({ jsonrpc: "2.0", id, result: denied })}\n`);
  expect(await ask(editor, session, "hello")).toEqual({ stopReason: "end_turn" });

  // An option that was not offered is no answer to the model's question either.
  await ask(editor, session, "choose");
  const said = resultsOf(scene.server.requests.at(-1) as ModelServerRequest).at(-1);
  expect(said?.text).toContain("gives no answer");

  const second = ask(editor, session, "rm b.txt");
  await editor.until(() => editor.permissions.length === 3);
  await editor.until(() => editor.started.stderr().includes("not offered"));
  expect(existsSync(scene.at("b.txt"))).toBe(true);

  // Cancelled while it waits: the prompt says so, and nothing was done.
  await editor.agent.notify(own.session.cancel, { sessionId: session });
  expect(await second).toEqual({ stopReason: "cancelled" });
  expect(existsSync(scene.at("b.txt"))).toBe(true);
  expect(await editor.leave()).toBe(0);
});

test("8.3 an editor that is gone while it is asked approves nothing, and the session can be loaded again, whole", async () => {
  await using scene = await repository();
  const editor = await open(scene, { permission: () => new Promise(() => undefined) });
  const session = await begin(editor, scene);
  await ask(editor, session, "hello");
  const asked = ask(editor, session, "rm a.txt").catch((error: unknown) => error);
  await editor.until(() => editor.permissions.length === 1);
  expect(await editor.leave()).toBe(0);
  await asked;
  expect(existsSync(scene.at("a.txt"))).toBe(true);

  const next = await open(scene);
  const unknown = next.agent.request(own.session.load, { sessionId: "none", cwd: scene.folder, mcpServers: [] });
  await expect(unknown).rejects.toMatchObject({ code: -32_002, data: { sessionId: "none" } });
  const loaded = await next.agent.request(own.session.load, { sessionId: session, cwd: scene.folder, mcpServers: [] });
  expect(loaded.modes).toMatchObject({ currentModeId: "standard" });
  // All of it stands before the answer.
  const lines = next.lines();
  const answer = lines.findIndex(({ result }) => (result as { modes?: object } | undefined)?.modes !== undefined);
  const replayed = JSON.stringify(lines.slice(0, answer));
  for (const part of ["hello", "Done: hello.", "rm a.txt"]) expect(replayed).toContain(part);
  await next.until(() => next.said("user_message_chunk").includes("rm a.txt"));
  expect(await ask(next, session, "hello")).toEqual({ stopReason: "end_turn" });

  // Resumed, it is not shown again, and goes on as well.
  const third = await open(scene);
  await next.agent.request(own.session.close, { sessionId: session });
  await third.agent.request(own.session.resume, { sessionId: session, cwd: scene.folder });
  expect(await ask(third, session, "hello")).toEqual({ stopReason: "end_turn" });
  expect(third.said("user_message_chunk")).toBe("");
  await third.agent.request(own.session.delete, { sessionId: session });
  expect(await third.agent.request(own.session.list, { cwd: scene.folder })).toEqual({ sessions: [] });
  await Promise.all([next.leave(), third.leave()]);
});

test("8.4 two editors on one session see the same, and either answers; while one works, the other's prompt is refused", async () => {
  await using scene = await repository();
  const first = await open(scene, { permission: () => new Promise(() => undefined) });
  const session = await begin(first, scene);
  await ask(first, session, "hello");
  const second = await open(scene, { permission: () => Promise.resolve(select("approve")) });
  await second.agent.request(own.session.load, { sessionId: session, cwd: scene.folder, mcpServers: [] });
  await expect(ask(second, session, "hello")).rejects.toMatchObject({
    message: expect.stringContaining(`in use by process ${first.started.child.pid}`),
  });
  // Asked in both, answered in the second.
  expect(await ask(first, session, "rm a.txt")).toEqual({ stopReason: "end_turn" });
  expect(existsSync(scene.at("a.txt"))).toBe(false);
  await second.until(() => second.said().includes("Done: rm a.txt."));
  expect(second.permissions.map(({ toolCall }) => toolCall.rawInput)).toEqual(
    first.permissions.map(({ toolCall }) => toolCall.rawInput),
  );
  const calls = (editor: EditorProcess) =>
    editor.of("tool_call").map(({ toolCallId, title, kind }) => [toolCallId, title, kind]);
  expect(calls(second)).toEqual(calls(first));
  // Left by the first, it is the second's.
  expect(await first.leave()).toBe(0);
  expect(await ask(second, session, "hello")).toEqual({ stopReason: "end_turn" });
  expect(await second.leave()).toBe(0);
});

test("7.3 a message too large ends the connection with a sentence; without a model the editor is told to log in", async () => {
  await using scene = await makeScene(runsPrompts, {
    env: { OPENAI_API_KEY: "", OPENAI_BASE_URL: "", OPENAI_MODEL: "" },
  });
  const editor = await open(scene);
  await expect(begin(editor, scene)).rejects.toMatchObject({ code: -32_000 });
  await expect(editor.agent.request(own.authenticate, { methodId: "configured" })).rejects.toMatchObject({
    code: -32_000,
  });
  const early = await scene.talk(["acp"]);
  early.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/new", params: {} })}\n`);
  await early.shows("must be initialized");
  // More than the protocol's library takes in one message.
  early.write("x".repeat(33 * 1024 * 1024));
  const { code, stderr } = await early.exited;
  expect([code, stderr]).toEqual([1, expect.stringContaining("limit")]);
  expect(await editor.leave()).toBe(0);

  // In a terminal it says what it is for.
  const terminal = scene.terminal(["acp"]);
  await terminal.shows("talks to an editor");
  expect(await terminal.exited).toBe(2);
});
