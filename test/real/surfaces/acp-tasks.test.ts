// A governed task in an editor: plan and result are permission requests, its steps are told, and it can be left and gone on with.
import { methods } from "@agentclientprotocol/sdk";
import { expect, test } from "vitest";
import { type EditorOptions, editorOf, select } from "../../support/editor.ts";
import { goodCrew } from "../../work/task/crew.ts";
import { openScene, words } from "../../work/task/tasks.ts";

const own = methods.agent;

test("9.1 /task: left at its plan, gone on with, merged by two answers in the editor, each a receipt", async () => {
  await using scene = await openScene(goodCrew);
  const leave = Promise.withResolvers<never>();
  let answers: EditorOptions["permission"] = () => leave.promise;
  const editor = await editorOf(await scene.talk(["acp"]), { permission: (...asked) => answers!(...asked) });
  const { sessionId } = await editor.agent.request(own.session.new, { cwd: scene.folder, mcpServers: [] });
  const ask = (text: string) =>
    editor.agent.request(own.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
  await ask("/task");
  await editor.until(() => editor.said().includes("Say what is to be done"));

  const begun = ask(`/task ${words}`);
  await editor.until(() => editor.permissions.length === 1);
  const plan = JSON.stringify(editor.permissions[0]);
  for (const part of ["src/round.js", "test/round.test.js", "node --test"]) expect(plan).toContain(part);
  await editor.agent.notify(own.session.cancel, { sessionId });
  expect(await begun).toEqual({ stopReason: "cancelled" });
  await editor.until(() => /\/task resume [0-9a-f]{3,8}/.test(editor.said()));
  expect(scene.text("src/round.js")).toContain("Math.floor(value);");

  const [, id] = /\/task resume ([0-9a-f]{3,8})/.exec(editor.said()) ?? [];
  answers = () => Promise.resolve(select("approve"));
  expect(await ask(`/task resume ${id}`)).toEqual({ stopReason: "end_turn" });
  expect(scene.text("src/round.js")).toContain("value + 0.5");
  await editor.until(() => editor.said().includes("Merged into main as"));
  // Its calls are the editor's to see, under names of their own; and the session goes on.
  expect(editor.of("tool_call").every(({ toolCallId }) => toolCallId.startsWith("task/"))).toBe(true);
  expect(editor.of("tool_call").length).toBeGreaterThan(0);
  expect(await editor.leave()).toBe(0);
  const receipts = (await scene.run(["audit", "query", "approval.receipt", "--json"])).stdout;
  expect(receipts.split("\n").filter(Boolean)).toHaveLength(2);
  expect((await scene.run(["audit", "verify"])).code).toBe(0);
});
