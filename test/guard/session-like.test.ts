// "Allow like this for the session": what the pattern is, what it covers, and what is never offered (spec §3, approve).
import { symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { decide } from "../../src/guard/decide.ts";
import { fixedContext } from "../../src/guard/explain.ts";
import type { Facts } from "../../src/guard/contract/ports.ts";
import { coversLike, sessionLike } from "../../src/guard/permits/like.ts";
import type { Action } from "../../src/protocol/action.ts";
import { openWorld, type TestWorld } from "./world.ts";
import { draws } from "../support/draws.ts";
import { corpusLines } from "../support/corpus.ts";
import sessionLikeRows from "./session-like.json" with { type: "json" };

let world: TestWorld;
beforeEach(() => {
  world = openWorld();
  world.put("run.sh", "#!/bin/sh\necho one\n");
  world.put("src/a.ts", "a\n");
  world.put("src/b.ts", "b\n");
  world.put("src/deep/c.ts", "c\n");
  world.put("docs/d.md", "d\n");
  world.put("gen.py", "print(1)\n");
  world.put("other.py", "print(2)\n");
  world.put(".env", "TOKEN=abc\n");
  world.put("package.json", "{}\n");
});
afterEach(() => world.close());

/** Programs that are installed, and that no table knows. */
const installed = (facts: Facts): Facts => ({
  ...facts,
  systemProgram: (name) => (/^frobnicat(e|or)$/.test(name) ? `/usr/bin/${name}` : facts.systemProgram(name)),
});

function like(given: string | Action) {
  world.facts.refresh?.();
  const facts = installed(world.facts);
  const action: Action = typeof given === "string" ? { kind: "shell", command: given, background: false } : given;
  return sessionLike(action, assess(action, facts), { facts, sandboxed: true });
}

function covers(allowed: string | Action, now: string | Action): boolean {
  const [left, right] = [like(allowed), like(now)];
  expect(left).toBeDefined();
  return left !== undefined && right !== undefined && coversLike(left, right);
}

test.each([
  ["frobnicate --fix src/a.ts", "frobnicate --fix *", "src"],
  ["frobnicate --fix src/a.ts src/b.ts docs/d.md", "frobnicate --fix *", ""],
  ["frobnicate check --level 3 src/deep", "frobnicate check --level 3 */", "src/deep"],
  ["cd src && frobnicate ./a.ts 2>&1 | tail -20", "cd src && frobnicate * 2>&1 | tail -20", "src"],
  ["git commit -m 'one thing'", "git commit -m *", undefined],
  ["git commit -a --message=x -m y", "git commit -a --message=* -m *", undefined],
  ["pip install requests --dry-run", "pip install * --dry-run", undefined],
  ["pip install requests numpy --dry-run", "pip install * --dry-run", undefined],
  ["npm view react", "npm view *", undefined],
  ["curl -s https://Example.com/a/b", "curl -s https://example.com/*", undefined],
  ["python3 gen.py src/a.ts", "python3 gen.py *", "src"],
])("%s is offered as %s", (command, pattern, folder) => {
  const found = like(command);
  expect(found?.pattern).toBe(pattern);
  expect(found?.within).toBe(folder === undefined ? undefined : path.join(world.workspace, folder).replace(/\/$/, ""));
});

test.each([
  ["frobnicate --fix src/a.ts", "frobnicate --fix src/b.ts"],
  ["frobnicate --fix src/a.ts", "frobnicate --fix src/a.ts src/deep/c.ts src/new.ts"],
  ["git commit -m one", "git commit -m 'two; rm -rf /'"],
  ["pip install requests --dry-run", "pip install numpy flask --dry-run"],
  ["curl -s https://example.com/a", "curl -s https://example.com/b/c"],
  ["python3 gen.py src/a.ts", "python3 gen.py src/b.ts"],
])("%s covers %s", (allowed, now) => {
  expect(covers(allowed, now)).toBe(true);
});

test.each(sessionLikeRows.outside)("not covered: %s", (_, allowed, now) => {
  expect(covers(allowed, now)).toBe(false);
});

test.each(corpusLines(import.meta, "session-like-never.txt"))(
  "never offered, or nothing in it is left open: %s",
  (command) => {
    expect(like(command)).toBeUndefined();
  },
);

test("what is run is bound: a changed script, and a changed manifest under an unknown program, are asked again", () => {
  for (const [command, file] of [
    ["python3 gen.py src/a.ts", "gen.py"],
    ["./run.sh src/a.ts", "run.sh"],
    ["frobnicate src/a.ts", "package.json"],
  ] as const) {
    const before = like(command);
    world.put(file, '{"changed":true}\n');
    const after = like(command);
    expect(before && after && coversLike(before, after), command).toBe(false);
  }
});

test("a link that leads out of the folder is not in it", () => {
  symlinkSync(path.join(world.workspace, "docs"), path.join(world.workspace, "src/link"));
  symlinkSync("/etc", path.join(world.workspace, "src/etc"));
  expect(covers("frobnicate src/a.ts", "frobnicate src/link/d.md")).toBe(false);
  expect(like("frobnicate src/etc/hosts")).toBeUndefined();
});

test("changes of files are like others of the same folder, and fetches like others of the same host", () => {
  const write = (file: string): Action => ({ kind: "change", changes: [{ op: "write", path: file, content: "x" }] });
  const fetch = (url: string): Action => ({ kind: "fetch", url, method: "GET" });
  expect(covers(write("src/a.ts"), write("src/n.ts"))).toBe(true);
  expect(covers(write("src/a.ts"), write("docs/n.ts"))).toBe(false);
  expect(covers(write("src/a.ts"), write("src/package.json"))).toBe(false);
  expect(like({ kind: "change", changes: [{ op: "delete", path: "src/a.ts" }] })).toBeUndefined();
  expect(like(write("package.json"))).toBeUndefined();
  expect(covers(fetch("https://example.com/a"), fetch("https://example.com/b"))).toBe(true);
  expect(covers(fetch("https://example.com/a"), fetch("https://example.org/a"))).toBe(false);
  expect(like(fetch("https://example.com/a?b=c"))).toBeUndefined();
});

test("a pattern answers what the autonomy asks, and lifts no limit", () => {
  const action: Action = { kind: "shell", command: "frobnicate src/a.ts", background: false };
  const facts = installed(world.facts);
  const found = assess(action, facts);
  const of = sessionLike(action, found, { facts, sandboxed: true });
  expect(sessionLike(action, found, { facts, sandboxed: false })).toBeUndefined();
  if (!of) throw new Error("nothing was offered");
  const judged = { ...found, like: of };
  const context = { ...fixedContext, workspace: world.workspace, sessionLikes: [of] };
  expect(decide(judged, context)).toMatchObject({ verdict: "notify", rule: "session.like" });
  expect(decide(judged, { ...context, ceiling: "plan" }).verdict).toBe("deny");
  expect(decide(judged, { ...context, role: "read-only" }).verdict).not.toBe("notify");
  const asks = { action: "ask" as const, source: "policy", program: "frobnicate" };
  expect(decide(judged, { ...context, policy: { ...context.policy, askRules: [asks] } }).verdict).toBe("ask");
});

const word = fc.constantFrom(
  ...[
    "src/a.ts",
    "src/b.ts",
    "src/deep/c.ts",
    "src/deep",
    "docs/d.md",
    ".env",
    "package.json",
    "../x.ts",
    "/etc/hosts",
  ],
  ...["check", "wipe", "--fix", "--all", "--config", "-o", "-c", "*", "'*'", "$X", "$(cat src/a.ts)", "-rf", "3"],
  ...["requests", "--dry-run", "https://example.com/a", "https://example.org/a", "https://example.com/a?b=c", "gen.py"],
);
const program = fc.constantFrom(
  ...[
    "frobnicate",
    "./run.sh",
    "python3",
    "python3 gen.py",
    "bash",
    "git commit -m",
    "git add",
    "git push",
    "rm",
    "cp",
  ],
  ...[
    "pip install",
    "npm view",
    "curl -s",
    "cat",
    "sed -i",
    "tar xf",
    "docker run",
    "prettier --write",
    "make",
    "sudo",
  ],
);
const command = fc
  .tuple(program, fc.array(word, { maxLength: 4 }), fc.constantFrom("", "", " 2>&1", " | tail -5", " && git add src"))
  .map(([name, words, more]) => [name, ...words].join(" ") + more);

test("property: what a pattern covers has no tag, reason, effect or option that was not there, and is never forbidden", () => {
  fc.assert(
    fc.property(command, command, (allowed, now) => {
      const [left, right] = [like(allowed), like(now)];
      if (!left || !right || !coversLike(left, right)) return;
      const found = (text: string) =>
        assess({ kind: "shell", command: text, background: false }, installed(world.facts));
      const [was, is] = [found(allowed), found(now)];
      expect(is.risk).not.toBe("L3");
      expect(was.tags).toEqual(expect.arrayContaining(is.tags));
      const kinds = (text: typeof is) => [...new Set(text.effects.map(({ kind }) => kind))];
      expect(kinds(was)).toEqual(expect.arrayContaining(kinds(is)));
      expect(kinds(is)).not.toContain("delete");
      const options = (text: string) => text.split(" ").filter((each) => each.startsWith("-"));
      expect(options(now)).toEqual(options(allowed));
      for (const each of is.effects.filter(({ kind }) => kind === "read" || kind === "write"))
        expect(path.basename(each.target)).not.toMatch(/^(\.env|package\.json|hosts)$/);
    }),
    { numRuns: draws(3_000) },
  );
});
