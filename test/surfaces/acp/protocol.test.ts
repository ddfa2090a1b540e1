// The requirements of the Agent Client Protocol's documentation (v1) that apply to an agent, by number: fettle's own numbers,
// in the documentation's order. Each is driven by the official SDK's client side against the real program.
import { methods, type NewSessionResponse, RequestError } from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call, makeScene, messagesOf, prompted, read, type Scene, shell } from "../../scenarios/scene.ts";
import { type EditorOptions, type EditorProcess, editorOf } from "../../support/editor.ts";
import type { ModelServerRequest } from "../../support/model-server.ts";

const own = methods.agent;
const never = new Promise<void>(() => undefined);

const open = async (scene: Scene, options?: EditorOptions): Promise<EditorProcess> =>
  editorOf(await scene.talk(["acp"], { cwd: scene.home.project }), options);

const begin = (editor: EditorProcess, scene: Scene): Promise<NewSessionResponse> =>
  editor.agent.request(own.session.new, { cwd: scene.folder, mcpServers: [] });

const ask = (editor: EditorProcess, sessionId: string, text: string) =>
  editor.agent.request(own.session.prompt, { sessionId, prompt: [{ type: "text", text }] });

const failure = (promise: Promise<unknown>): Promise<RequestError> =>
  promise.then(
    () => Promise.reject(new Error("it succeeded")),
    (error: unknown) => (error instanceof RequestError ? error : Promise.reject(error as Error)),
  );

/** What the model is asked last, and how often it has answered that. */
const script = (request: ModelServerRequest) => {
  const text = prompted(request);
  const messages = messagesOf(request);
  const asked = messages.findLastIndex(({ role, content }) => role === "user" && content === text);
  const answers = messages.slice(asked).filter(({ role }) => role === "assistant").length;
  if (text.includes("work")) {
    if (answers === 0)
      return {
        reasoning: "I look first.",
        say: "Looking.",
        calls: [
          call("todo", {
            items: [
              { text: "look", state: "doing" },
              { text: "write", state: "open" },
            ],
          }),
          read("a.txt"),
        ],
      };
    if (answers === 1)
      return {
        calls: [
          call("edit", { path: "a.txt", old_string: "two", new_string: "zwei" }),
          shell("echo out; echo err >&2; exit 3"),
        ],
      };
    return { say: "All done.", usage: { input: 100, output: 10 } };
  }
  if (text.includes("long"))
    return {
      chunks: ["It takes ", "forever"],
      gate: (frame: string) => (frame.includes("forever") ? never : undefined),
    };
  if (text.includes("rounds")) return { calls: [call("list", { path: String(answers) })] };
  if (text.includes("broken")) return { status: 400, say: "no such model" };
  if (text.includes("ask me") && answers === 0)
    return { calls: [call("ask", { question: "Which colour?", options: ["red", "blue"] })] };
  return { say: `Answer to ${text}.` };
};

describe("one editor", () => {
  let scene: Scene;
  let editor: EditorProcess;
  let session: NewSessionResponse;
  beforeAll(async () => {
    scene = await makeScene(script, {
      git: true,
      files: { "a.txt": "one\ntwo\nthree\n", "b.txt": "from b\n", "c d.txt": "1\n2\n3\n4\n" },
      env: { OPENAI_MODEL: "gpt-oss-120b" },
    });
    editor = await open(scene, {
      capabilities: { auth: { terminal: true }, elicitation: { form: {} }, session: { notices: {} } },
      elicitation: () => ({ action: "accept", content: { choice: "blue" } }),
    });
    session = await begin(editor, scene);
  });
  afterAll(async () => {
    await editor.leave();
    await scene[Symbol.asyncDispose]();
  });

  test.each([1, 0, 2, 65_535])(
    "1.%# initialize answers version %i with the version that fettle speaks",
    async (version) => {
      const answer = await editor.agent.request(own.initialize, { protocolVersion: version });
      expect(answer.protocolVersion).toBe(1);
      // Asked again, the client's features are what it said last.
      await editor.agent.request(own.initialize, {
        protocolVersion: 1,
        clientCapabilities: { auth: { terminal: true }, elicitation: { form: {} }, session: { notices: {} } },
      });
    },
  );

  test("1.4 initialize names the agent, what it can, and how a model is set up", async () => {
    const answer = await editor.agent.request(own.initialize, {
      protocolVersion: 1,
      clientCapabilities: { auth: { terminal: true }, elicitation: { form: {} }, session: { notices: {} } },
    });
    expect(answer).toMatchObject({
      agentInfo: { name: "fettle", version: expect.stringMatching(/^\d/) },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, embeddedContext: true, audio: false },
        sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
      },
    });
    expect(answer.authMethods).toMatchObject([{ type: "terminal", args: ["--login"] }, { id: "configured" }]);
  });

  test("2.1 session/new answers with an id of its own each time, the modes and all options", async () => {
    const other = await begin(editor, scene);
    expect(other.sessionId).not.toBe(session.sessionId);
    expect(session.modes).toMatchObject({ currentModeId: "standard" });
    expect(session.modes?.availableModes.map(({ id }) => id)).toContain("plan");
    expect(session.configOptions?.map(({ id, category }) => [id, category])).toEqual([
      ["mode", "mode"],
      ["model", "model"],
      ["effort", "thought_level"],
    ]);
    await editor.agent.request(own.session.close, { sessionId: other.sessionId });
    // 2.7 a closed session is not known any more.
    expect(await failure(ask(editor, other.sessionId, "hello"))).toMatchObject({ code: -32_002 });
  });

  test("2.2 a session's folder is absolute, and needed", async () => {
    const relative = editor.agent.request(own.session.new, { cwd: "work", mcpServers: [] });
    expect(await failure(relative)).toMatchObject({ code: -32_602, message: expect.stringContaining("absolute") });
    expect(await failure(editor.agent.request("session/new", {}))).toMatchObject({ code: -32_602 });
    const missing = editor.agent.request(own.session.new, { cwd: `${scene.folder}/none`, mcpServers: [] });
    expect(await failure(missing)).toMatchObject({ code: -32_602, message: expect.stringContaining("no folder") });
  });

  test("2.3 commands are offered once the session is known", async () => {
    await editor.until(() => editor.of("available_commands_update").length > 0);
    const names = editor.of("available_commands_update")[0]?.availableCommands.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["undo", "diff", "rewind", "compact", "context", "cost"]));
  });

  test("3.1 a prompt streams reasoning, text, plan and calls with kinds, places, states and diffs, then its reason to stop", async () => {
    editor.updates.length = 0;
    expect(await ask(editor, session.sessionId, "work")).toEqual({ stopReason: "end_turn" });
    expect(editor.said("agent_thought_chunk")).toBe("I look first.");
    expect(editor.said()).toBe("Looking.All done.");
    expect(editor.of("plan").at(-1)?.entries).toEqual([
      { content: "look", priority: "medium", status: "in_progress" },
      { content: "write", priority: "medium", status: "pending" },
    ]);
    const calls = editor.of("tool_call");
    expect(calls.map(({ kind, status, title }) => [kind, status, title])).toEqual([
      ["think", "pending", "todo"],
      ["read", "pending", "read a.txt"],
      ["edit", "pending", "edit a.txt"],
      ["execute", "pending", "shell echo out; echo err >&2; exit 3"],
    ]);
    const states = (at: number) =>
      editor
        .of("tool_call_update")
        .filter(({ toolCallId }) => toolCallId === calls[at]?.toolCallId)
        .map(({ status }) => status);
    expect(states(1)).toEqual(["pending", "in_progress", "completed"]);
    expect(states(3).at(-1)).toBe("failed");
    const edit = editor.of("tool_call_update").findLast(({ toolCallId }) => toolCallId === calls[2]?.toolCallId);
    expect(edit?.locations).toEqual([{ path: `${scene.folder}/a.txt`, line: 1 }]);
    expect(edit?.content).toEqual([
      {
        type: "diff",
        path: `${scene.folder}/a.txt`,
        oldText: "one\ntwo\nthree\n",
        newText: "one\nzwei\nthree\n",
      },
    ]);
    const ran = editor.of("tool_call_update").findLast(({ toolCallId }) => toolCallId === calls[3]?.toolCallId);
    expect(JSON.stringify(ran?.content)).toMatch(/out.*err.*exit 3/);
    await editor.until(() => editor.of("session_info_update").length > 0);
    expect(editor.of("session_info_update")).toMatchObject([{ title: "work" }]);
    expect(editor.of("usage_update")).toMatchObject([{ used: expect.any(Number), size: expect.any(Number) }]);
    expect(new Set(calls.map(({ toolCallId }) => toolCallId)).size).toBe(4);
  });

  test("3.2 a prompt may hold links to files and lines, embedded text, and images; each reaches the model as data", async () => {
    const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==";
    const answer = await editor.agent.request(own.session.prompt, {
      sessionId: session.sessionId,
      prompt: [
        { type: "text", text: "See " },
        { type: "resource_link", name: "b.txt", uri: `file://${scene.folder}/b.txt` },
        { type: "text", text: " and " },
        { type: "resource_link", name: "c", uri: `file://${scene.folder}/c%20d.txt#L2:3` },
        { type: "text", text: " and " },
        { type: "resource_link", name: "page", uri: "https://example.org/page" },
        { type: "resource", resource: { uri: `file://${scene.folder}/unsaved.ts`, text: "let unsaved = 1;" } },
        { type: "image", mimeType: "image/png", data: png },
      ],
    });
    expect(answer.stopReason).toBe("end_turn");
    const asked = JSON.stringify(messagesOf(scene.server.requests.at(-1) as ModelServerRequest).at(-1)?.content);
    expect(asked).toContain("See @b.txt and @c d.txt and [page](https://example.org/page)@unsaved.ts");
    expect(asked).toMatch(/<data[^>]*b\.txt[^>]*>\\nfrom b/);
    expect(asked).toMatch(/<data[^>]*c d\.txt[^>]*>\\n2\\n3\\n?<\/data/);
    expect(asked).toMatch(/<data[^>]*unsaved\.ts[^>]*>\\nlet unsaved = 1;/);
    expect(asked).toContain("data:image/png;base64,iVBOR");
  });

  test("3.3 what is not taken is refused before anything is asked of the model", async () => {
    const before = scene.server.requests.length;
    const send = (block: object) =>
      failure(editor.agent.request("session/prompt", { sessionId: session.sessionId, prompt: [block] }));
    expect(await send({ type: "audio", mimeType: "audio/wav", data: "AAAA" })).toMatchObject({ code: -32_602 });
    expect(await send({ type: "image", mimeType: "image/tiff", data: "AAAA" })).toMatchObject({ code: -32_602 });
    expect(await send({ type: "image", mimeType: "image/png", data: "<script>" })).toMatchObject({ code: -32_602 });
    expect(await send({ type: "text", text: "" })).toMatchObject({ code: -32_602 });
    expect(await send({ type: "nonsense" })).toMatchObject({ code: -32_602 });
    expect(await failure(ask(editor, "no-such-session", "hello"))).toMatchObject({
      code: -32_002,
      data: { sessionId: "no-such-session" },
    });
    expect(scene.server.requests.length).toBe(before);
  });

  test("3.4 a file that may not be read is named, and the prompt goes on without it", async () => {
    scene.put(".env", "TOKEN=abc\n");
    editor.updates.length = 0;
    await editor.agent.request(own.session.prompt, {
      sessionId: session.sessionId,
      prompt: [
        { type: "text", text: "what is in " },
        { type: "resource_link", name: ".env", uri: `file://${scene.folder}/.env` },
      ],
    });
    expect(editor.of("notice")).toMatchObject([{ severity: "warning", title: expect.stringContaining(".env") }]);
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).not.toContain("TOKEN=abc");
  });

  test("3.5 cancelled, a prompt answers with cancelled and nothing else, behind its last update", async () => {
    const answer = ask(editor, session.sessionId, "long");
    await editor.until(() => editor.said().includes("takes"));
    await editor.agent.notify(own.session.cancel, { sessionId: session.sessionId });
    expect(await answer).toEqual({ stopReason: "cancelled" });
    // Cancelled before its turn has begun, too.
    const early = ask(editor, session.sessionId, "long again");
    await editor.agent.notify(own.session.cancel, { sessionId: session.sessionId });
    expect(await early).toEqual({ stopReason: "cancelled" });
    // And by the request's own cancellation.
    const controller = new AbortController();
    const third = editor.agent.request(
      own.session.prompt,
      { sessionId: session.sessionId, prompt: [{ type: "text", text: "long, thirdly" }] },
      { cancellationSignal: controller.signal },
    );
    controller.abort();
    expect(await third).toEqual({ stopReason: "cancelled" });
  });

  test("3.6 a model that refuses is an error that says why", async () => {
    expect(await failure(ask(editor, session.sessionId, "broken"))).toMatchObject({
      code: -32_603,
      message: expect.stringContaining("no such model"),
    });
  });

  test("3.7 the model's question is a form with its choices", async () => {
    expect(await ask(editor, session.sessionId, "ask me")).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(scene.server.requests.at(-1)?.body)).toContain("blue");
  });

  test("4.1 the mode is set by its method and by its option, and both say so", async () => {
    editor.updates.length = 0;
    await editor.agent.request(own.session.setMode, { sessionId: session.sessionId, modeId: "plan" });
    await editor.until(() => editor.of("current_mode_update").length > 0);
    expect(editor.of("current_mode_update")).toMatchObject([{ currentModeId: "plan" }]);
    await editor.until(() => editor.of("config_option_update").length > 0);
    const set = await editor.agent.request(own.session.setConfigOption, {
      sessionId: session.sessionId,
      configId: "mode",
      value: "standard",
    });
    expect(set.configOptions.map(({ id }) => id)).toEqual(["mode", "model", "effort"]);
    expect(set.configOptions[0]).toMatchObject({ currentValue: "standard" });
    expect(
      await failure(editor.agent.request(own.session.setMode, { sessionId: session.sessionId, modeId: "root" })),
    ).toMatchObject({ code: -32_602 });
  });

  test("4.2 effort and model are options, answered with the whole state; what there is not is refused", async () => {
    const set = (configId: string, value: string) =>
      editor.agent.request(own.session.setConfigOption, { sessionId: session.sessionId, configId, value });
    expect((await set("effort", "high")).configOptions[2]).toMatchObject({ currentValue: "high" });
    await ask(editor, session.sessionId, "hello");
    expect(scene.server.requests.at(-1)?.body).toMatchObject({ reasoning_effort: "high" });
    expect((await set("model", "openai/scripted")).configOptions[1]).toMatchObject({ currentValue: "openai/scripted" });
    expect(await failure(set("effort", "enormous"))).toMatchObject({ code: -32_602 });
    expect(await failure(set("colour", "red"))).toMatchObject({ code: -32_602 });
    expect(await failure(set("model", "no provider"))).toMatchObject({ code: -32_602 });
  });

  test("5.1 slash commands answer without a model; the person's own command takes the gate", async () => {
    const before = scene.server.requests.length;
    editor.updates.length = 0;
    await ask(editor, session.sessionId, "/cost");
    await ask(editor, session.sessionId, "/context");
    await ask(editor, session.sessionId, "/diff 1");
    await expect.poll(() => editor.said()).toMatch(/```diff[\s\S]*zwei/);
    expect(await ask(editor, session.sessionId, "!echo mine")).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(editor.of("tool_call_update").at(-1))).toContain("mine");
    expect(scene.server.requests.length).toBe(before);
  });

  test("6.1 session/list names sessions by folder, with title and time; another folder has none; a cursor is not guessed", async () => {
    const { sessions, nextCursor } = await editor.agent.request(own.session.list, { cwd: scene.folder });
    expect(sessions).toMatchObject([
      {
        sessionId: session.sessionId,
        cwd: scene.folder,
        title: "work",
        updatedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      },
    ]);
    expect(nextCursor).toBeUndefined();
    expect(await editor.agent.request(own.session.list, { cwd: scene.home.project })).toEqual({ sessions: [] });
    const guessed = editor.agent.request(own.session.list, { cwd: scene.folder, cursor: "2" });
    expect(await failure(guessed)).toMatchObject({ code: -32_602 });
  });

  test("7.1 garbage is answered as such, unknown methods as unknown, and the connection goes on", async () => {
    const before = editor.lines().length;
    editor.started.write("this is no JSON\n[]\n42\n{}\n\n");
    editor.started.write(`${JSON.stringify({ jsonrpc: "2.0", id: "x1", method: "no/such/method", params: {} })}\n`);
    editor.started.write(`${JSON.stringify({ jsonrpc: "2.0", method: "no/such/notification" })}\n`);
    editor.started.write(`${JSON.stringify({ jsonrpc: "2.0", id: 4711, result: { outcome: {} } })}\n`);
    editor.started.write(
      `${JSON.stringify({ jsonrpc: "2.0", method: "session/cancel", params: { sessionId: "gone" } })}\n`,
    );
    await editor.until(() => editor.lines().some(({ id }) => id === "x1"));
    const codes = editor
      .lines()
      .slice(before)
      .flatMap(({ error }) => (error as { code?: number } | undefined)?.code ?? []);
    expect(codes).toEqual([-32_700, -32_600, -32_600, -32_600, -32_601]);
    expect(await ask(editor, session.sessionId, "still there")).toEqual({ stopReason: "end_turn" });
    // 7.2 standard output carries nothing but messages: `lines` has parsed each of them.
    expect(editor.lines().every((line) => line["jsonrpc"] === "2.0")).toBe(true);
  });
});
