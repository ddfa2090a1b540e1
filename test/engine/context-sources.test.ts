// What stands in front of every conversation: instructions, bounded, and the workspace's sources where a person wants them.
import { symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { readInstructions } from "../../src/memory/instructions.ts";
import { messagesOf } from "../scenarios/scene.ts";
import { armAt, hear, modelRequest, scrub, vendors } from "../support/arms.ts";
import { startModelServer } from "../support/model-server.ts";
import { makeWorld } from "./world.ts";

const files = {
  "src/a.ts": "export const a = 1;\n",
  "src/b.ts": "export const b = 2;\n",
  "package-lock.json": "{}\n",
  "out/made.js": "made\n",
  ".gitignore": "out/\n",
  ".env": "TOKEN=abcdefghijklmnopqrstuvwxyz123456\n",
  "picture.bin": "\0\0\0",
};
const sent = (request: { body: Record<string, unknown> } | undefined): string =>
  JSON.stringify(request?.body["messages"]);

test("the sources stand in front of the conversation, without what is ignored, sensitive or no source; changes are told", async () => {
  await using world = await makeWorld(() => "Done.", {
    files,
    env: { FETTLE_CONTEXT_WHOLE_CODEBASE: "always" },
  });
  const opened = await world.open();
  await opened.turn("one");
  const [, first, second] = messagesOf(world.server.requests[0]!);
  expect(JSON.stringify(first)).toContain('<data source=\\"src/a.ts\\">\\nexport const a = 1;');
  expect(JSON.stringify(second)).toContain("one");
  for (const absent of ["package-lock", "made", "TOKEN", "picture"])
    expect(JSON.stringify(first)).not.toContain(absent);
  expect(opened.those("call.decided")).toMatchObject([{ origin: "fettle", action: { kind: "search" } }]);
  world.put("src/b.ts", "export const b = 3;\n");
  await opened.turn("two");
  await opened.turn("three");
  const notes = opened.those("note.added").map(({ text }) => text);
  expect(notes).toEqual([expect.stringContaining("these have changed since: src/b.ts.")]);
  // What is in front never changes, so that it stays cached.
  expect(messagesOf(world.server.requests[2]!)[1]).toEqual(first);
  const { blocks } = await world
    .client({ session: { kind: "resume", id: opened.session.id } })
    .read("session.context", {});
  expect(blocks.length).toBeGreaterThan(3);
});

test("what a tainted session wrote taints whoever has it in front", async () => {
  const env = { FETTLE_CONTEXT_WHOLE_CODEBASE: "always" };
  await using world = await makeWorld(() => "Done.", { files, env });
  const clean = await world.open();
  await clean.turn("one");
  clean.files.add([path.join(world.folder, "src/b.ts")]);
  const next = await world.open();
  await next.turn("two");
  expect(clean.those("taint.raised")).toEqual([]);
  expect(next.those("taint.raised")).toMatchObject([{ source: "src/b.ts" }]);
});

test("auto takes few sources only; by default none are read, and a repository cannot ask for them", async () => {
  const run = async (env: Record<string, string>, more: Record<string, string> = {}) => {
    await using world = await makeWorld(() => "Done.", { files: { ...files, ...more }, env });
    const opened = await world.open();
    await opened.turn("one");
    return { text: sent(world.server.requests[0]), notices: opened.those("notice.given") };
  };
  const auto = { FETTLE_CONTEXT_WHOLE_CODEBASE: "auto" };
  expect((await run(auto)).text).toContain("export const a");
  const many = { "src/long.ts": "export const long = 1;\n".repeat(2_000) };
  const tooMany = await run(auto, many);
  expect(tooMany).toMatchObject({ text: expect.not.stringContaining("export const a"), notices: [] });
  expect((await run({})).text).not.toContain("export const a");
  const wanted = { ".fettle/config.toml": '[context]\nwhole_codebase = "always"\n' };
  expect((await run({}, wanted)).text).not.toContain("export const a");
  const huge = { "src/huge.ts": "export const huge = 1;\n".repeat(15_000) };
  const told = await run({ FETTLE_CONTEXT_WHOLE_CODEBASE: "always" }, huge);
  expect(told.notices.map(({ text }) => text)).toEqual([expect.stringContaining("more than 77k tokens")]);
});

test("what lasts in front has a mark of its own in the cache, and four marks are not exceeded", async () => {
  const server = await startModelServer(() => "ok");
  try {
    const arm = await armAt(server.url, vendors[0]);
    const user = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });
    const answer = { role: "assistant" as const, vendor: "v", content: [{ type: "text" as const, text: "so" }] };
    const messages = [user("sources"), user("1"), answer, user("2"), answer, user("3")];
    await hear(arm.provider.stream(scrub(modelRequest({ messages, lasting: 1 })), new AbortController().signal));
    const body = server.requests[0]?.body as { tools: object[]; messages: { content: object[] }[] };
    expect(server.requests[0]?.raw.match(/cache_control/g)).toHaveLength(4);
    expect(body.messages[0]?.content[0]).toMatchObject({ text: "sources", cache_control: { type: "ephemeral" } });
    expect(JSON.stringify(body.tools)).not.toContain("cache_control");
  } finally {
    await server.close();
  }
});

test("instructions come from every folder on the way, the fettle's own last, and are bounded together", async () => {
  const long = "Use tabs. ".repeat(4_000);
  await using world = await makeWorld([], {
    files: {
      "AGENTS.md": "At the root.\n",
      "CLAUDE.md": "Not this one.\n",
      "a/CLAUDE.md": long,
      "a/b/AGENTS.md": long,
      ".fettle/instructions.md": "My own.\n",
    },
  });
  const found = await readInstructions(world.folder, `${world.folder}/a/b`);
  expect(found.map((file) => file.path)).toEqual([
    "AGENTS.md",
    "a/CLAUDE.md",
    "a/b/AGENTS.md",
    ".fettle/instructions.md",
  ]);
  expect(found[2]?.text).toContain("(cut: AGENTS.md has 40000 bytes, and there is room for 32768)");
  expect(found.reduce((sum, { text }) => sum + text.length, 0)).toBeLessThan(66_500);
  expect(found[3]?.text).toBe("My own.\n");
});

test("instructions behind a link are not read, and whoever leads the session is told where nothing else is there", async () => {
  await using world = await makeWorld(() => "yes", {
    files: { ".env": "TOKEN=of-somebody\n", "a/CLAUDE.md": "Use tabs.\n", "a/b/x.txt": "" },
  });
  symlinkSync(".env", path.join(world.folder, "AGENTS.md"));
  symlinkSync("CLAUDE.md", path.join(world.folder, "a/AGENTS.md"));
  const opened = await world.open({ cwd: path.join(world.folder, "a") });
  await opened.turn("go");
  expect(opened.those("notice.given")).toMatchObject([{ code: "instructions.left-out", level: "warning" }]);
  expect(opened.those("notice.given")[0]?.text).toContain(`${world.folder}/AGENTS.md is a link.`);
  const sent = JSON.stringify(world.server.requests.map(({ body }) => body));
  expect([sent.includes("Use tabs."), sent.includes("of-somebody")]).toEqual([true, false]);
});
