import fc from "fast-check";
import { expect, test } from "vitest";
import { Action } from "../../src/protocol/action.ts";
import type { Json } from "../../src/protocol/message.ts";
import { builtinTools } from "../../src/tools/builtin.ts";
import { createRegistry } from "../../src/tools/registry.ts";

const registry = createRegistry(builtinTools);
const parse = (name: string, input: Json, malformed?: string) => registry.parse(name, input, malformed);
const action = (name: string, input: Json) => {
  const parsed = parse(name, input);
  return "problem" in parsed ? parsed : parsed.action;
};
const problem = (name: string, input: Json, malformed?: string) => {
  const parsed = parse(name, input, malformed);
  return "problem" in parsed ? parsed.problem : "";
};

test("each tool turns a call into its action", () => {
  expect(action("read", { path: "a" })).toEqual({ kind: "read", path: "a" });
  expect(action("read", { path: "spill:h1" })).toEqual({ kind: "spill", handle: "h1" });
  expect(action("write", { path: "a", content: "" })).toEqual({
    kind: "change",
    changes: [{ op: "write", path: "a", content: "" }],
  });
  expect(action("edit", { path: "a", old_string: "x", new_string: "y", replace_all: true })).toEqual({
    kind: "change",
    changes: [{ op: "edit", path: "a", edits: [{ old: "x", new: "y", all: true }] }],
  });
  expect(action("apply_patch", { patch: "*** Begin Patch\n*** Delete File: a\n*** End Patch" })).toEqual({
    kind: "change",
    changes: [{ op: "delete", path: "a" }],
  });
  expect(action("glob", { pattern: "*.ts" })).toEqual({ kind: "search", path: ".", contents: false });
  expect(action("grep", { pattern: "x", path: "src" })).toEqual({ kind: "search", path: "src", contents: true });
  expect(action("list", {})).toEqual({ kind: "search", path: ".", contents: false });
  expect(action("shell", { command: "ls", timeout: 5 })).toEqual({
    kind: "shell",
    command: "ls",
    background: false,
    timeoutMs: 5000,
  });
  expect(action("job", { job: "job1" })).toEqual({ kind: "job", job: "job1", op: "read" });
  expect(action("job", { job: "job1", kill: true })).toEqual({ kind: "job", job: "job1", op: "kill" });
  expect(action("shell", { job: "job1" })).toEqual({ kind: "job", job: "job1", op: "read" });
  expect(action("shell", { job: "job1", kill: true })).toEqual({ kind: "job", job: "job1", op: "kill" });
  expect(action("git", { args: ["diff", "--stat"] })).toEqual({ kind: "program", argv: ["git", "diff", "--stat"] });
  expect(action("fetch", { url: "https://example.org/x" })).toMatchObject({ kind: "fetch", method: "GET" });
  expect(action("ask", { question: "Which?" })).toEqual({ kind: "none" });
  expect(action("todo", { items: [{ text: "a", state: "open" }] })).toEqual({ kind: "none" });
});

test("slips that models make are understood", () => {
  expect(action("read", { file_path: "a", offset: "3", limit: null })).toEqual({ kind: "read", path: "a" });
  expect(action("read", '{"filePath": "a"}')).toEqual({ kind: "read", path: "a" });
  expect(action("shell", "ls -l")).toMatchObject({ command: "ls -l" });
  expect(action("shell", { command: ["bash", "-lc", "npm test"] })).toMatchObject({ command: "npm test" });
  expect(action("shell", { command: ["echo", "it's", "a;b"] })).toMatchObject({ command: `echo 'it'\\''s' 'a;b'` });
  expect(action("shell", { command: "x", timeout: 120_000, run_in_background: "true" })).toMatchObject({
    timeoutMs: 120_000,
    background: true,
  });
  expect(action("git", { args: `git commit -m "a \\"b\\" 'c'" -- 'x y'` })).toEqual({
    kind: "program",
    argv: ["git", "commit", "-m", `a "b" 'c'`, "--", "x y"],
  });
  expect(action("git", { args: '["log", "-1"]' })).toEqual({ kind: "program", argv: ["git", "log", "-1"] });
  expect(action("list", { path: "" })).toMatchObject({ path: "." });
  expect(parse("todo", { todos: [{ content: "a", status: "in_progress" }] })).toMatchObject({
    input: { items: [{ text: "a", state: "doing" }] },
  });
});

test("the model's own word on why comes out as a claim", () => {
  expect(parse("shell", { command: "ls", why: "to look" })).toMatchObject({ claim: "to look" });
  expect(parse("read", { path: "a", description: "see a" })).toMatchObject({ claim: "see a" });
  expect(parse("read", { path: "a" })).not.toHaveProperty("claim");
});

test("a call that cannot be meant says what was wrong and what was expected", () => {
  expect(problem("read", {})).toBe(
    'read: "path" is missing. Expected read {"path": string, "offset"?: integer, "limit"?: integer}.',
  );
  expect(problem("read", { path: "a", offset: 1.5 })).toMatch(/"offset" must be a whole number/);
  expect(problem("read", { path: "a", limit: 0 })).toMatch(/"limit" must be at least 1/);
  expect(problem("read", { path: "a\0b" })).toMatch(/NUL/);
  expect(problem("read", { path: ["a"] })).toMatch(/must be a path/);
  expect(problem("read", { path: "spill:" })).toMatch(/handle/);
  expect(problem("write", { path: "a", content: { x: 1 } })).toMatch(/"content" must be a string/);
  expect(problem("shell", { command: "ls", cwd: "/" })).toMatch(/"cwd" is not a parameter/);
  expect(problem("shell", { command: " " })).toMatch(/empty/);
  expect(problem("git", { args: ["-c", "alias.x=!sh", "x"] })).toMatch(/"-c" is not offered here/);
  expect(problem("git", { args: ["push"] })).toMatch(/"push" is not offered here.*use shell/);
  expect(problem("git", { args: `commit -m "open` })).toMatch(/open quote/);
  expect(problem("apply_patch", { patch: "diff" })).toMatch(/^apply_patch: The patch must start/);
  expect(problem("fetch", { url: "file:///etc/passwd" })).toMatch(/must start with https/);
  expect(problem("todo", { items: [{ text: "a", state: "soon" }] })).toMatch(
    /item 1: "state" must be one of open, doing/,
  );
  expect(problem("list", [1])).toMatch(/must be an object/);
});

test("broken JSON and unknown tools are answered usefully", () => {
  const broken = problem("write", null, '{"path": "a.txt", "content": "hal');
  expect(broken).toMatch(
    /not valid JSON \(33 characters, ending in .*hal.*\); send the call again, whole\. Expected write/,
  );
  expect(problem("read", null, "")).toMatch(/empty/);
  expect(problem("bash", {})).toMatch(/no tool "bash"\. Did you mean shell\? The tools are: read, write, /);
  expect(problem("Read", {})).toMatch(/Did you mean read\?/);
  expect(problem("str_replace_edit", {})).toMatch(/Did you mean edit\?/);
  expect(problem("run_shell_command", {})).toMatch(/Did you mean shell\?/);
  expect(problem("reed", {})).toMatch(/Did you mean read\?/);
  expect(problem("zzzzzzzz", {})).not.toMatch(/Did you mean/);
});

test("whatever a model sends becomes a valid action or a sentence", () => {
  const names = fc.constantFrom(...registry.specs.map((spec) => spec.name));
  const keys = fc.constantFrom("path", "command", "args", "patch", "items", "url", "job", "question", "pattern", "x");
  const objects = fc.dictionary(fc.oneof(keys, fc.string()), fc.jsonValue());
  fc.assert(
    fc.property(names, fc.oneof(fc.jsonValue(), objects, fc.string()), (name, input) => {
      const parsed = parse(name, input as Json);
      if ("problem" in parsed) expect(parsed.problem.startsWith(`${name}: `)).toBe(true);
      else expect(Action.safeParse(parsed.action).success).toBe(true);
    }),
    { numRuns: 3000 },
  );
});

test("names from an object's prototype are no tools and no parameters", () => {
  expect(problem("constructor", {})).toMatch(/no tool/);
  expect(problem("edit", { path: "a", old_string: "x", new_string: "y", replace_all: "constructor" })).toMatch(
    /true or false/,
  );
  expect(problem("todo", { items: [{ text: "a", state: "constructor" }] })).toMatch(/must be one of/);
  expect(problem("read", JSON.parse('{"__proto__": "a"}') as Json)).not.toBe("");
});
