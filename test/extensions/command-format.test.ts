// Custom commands of four agents, and what an argument can and cannot do in them.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "smol-toml";
import { readCommand } from "../../src/extensions/commands/format.ts";
import { expand } from "../../src/extensions/commands/template.ts";
import { temporaryFolder } from "../support/folders.ts";

const at = (file: string) => ({ place: `/home/a/${file}`, root: `/home/a/${file.split("/").slice(0, 2).join("/")}` });

async function used(file: string, text: string, argument: string) {
  const read = await readCommand(text, at(file), parse);
  return "problem" in read ? read : { ...read, ...expand(read.template, argument), template: undefined };
}

test.each([
  [
    "Claude Code",
    ".claude/commands/git/commit.md",
    "---\ndescription: Commit\nargument-hint: [message]\nallowed-tools: Bash(git:*)\nmodel: haiku\n---\nStatus: !`git status`\nSee @docs/a.md and a@b.example.\nCommit $ARGUMENTS, first $1.",
    '"a b" c',
    {
      name: "git:commit",
      description: "Commit",
      hint: "[message]",
      model: "haiku",
      runs: ["git status"],
      reads: ["docs/a.md"],
      text: 'Status: (the output of `git status`, below)\nSee @docs/a.md and a@b.example.\nCommit "a b" c, first a b.',
      notes: ["allowed-tools has no effect: nothing is allowed by a file: the gate judges each call"],
    },
  ],
  [
    "Gemini CLI",
    ".gemini/commands/review.toml",
    'description = "Review"\nprompt = """\nLook at !{git diff {{args}}} with @{docs/style.md} for {{args}}.\n"""',
    "x; rm -rf ~",
    {
      name: "review",
      description: "Review",
      runs: ["git diff 'x;' rm -rf '~'"],
      reads: ["docs/style.md"],
      text: "Look at (the output of `git diff 'x;' rm -rf '~'`, below) with docs/style.md for x; rm -rf ~.",
      notes: [],
    },
  ],
  [
    "Codex",
    ".codex/prompts/fix.md",
    "Fix $FILE at $1 in $HOME for $$5: $ARGUMENTS",
    "FILE=a.ts now",
    { name: "fix", runs: [], reads: [], text: "Fix a.ts at FILE=a.ts in $HOME for $5: FILE=a.ts now" },
  ],
  [
    "opencode",
    ".opencode/command/test.md",
    "---\ndescription: Test\nagent: build\nsubtask: true\n---\nRun the tests.",
    "only a",
    {
      name: "test",
      text: "Run the tests.\n\nArguments: only a",
      notes: [
        "agent has no effect: a command is used in the conversation that asks for it",
        "subtask has no effect: a command is used in the conversation that asks for it",
      ],
    },
  ],
])("a command of %s", async (...[, file, text, argument, expected]) => {
  expect(await used(file, text, argument)).toMatchObject(expected);
});

test("no argument makes a command, a file or a placeholder of its own", async () => {
  const folder = temporaryFolder();
  for (const hostile of ["!`touch x`", "@/etc/passwd", "$ARGUMENTS", "`; touch x`", "$(touch x)", "' ; touch x '"]) {
    const found = await used(".claude/commands/a.md", "Say $ARGUMENTS: !`echo $ARGUMENTS`", hostile);
    if ("problem" in found) throw new Error(found.problem);
    expect(found.reads).toEqual([]);
    expect(found.runs).toHaveLength(1);
    execFileSync("sh", ["-c", found.runs[0] ?? ""], { cwd: folder, timeout: 5_000, stdio: "ignore" });
    expect(readdirSync(folder)).toEqual([]);
  }
});

test.each([
  ["a name with a space", ".claude/commands/a b.md", "x", /^has the name "a b"/],
  ["nothing", ".claude/commands/a.md", "\n", /^says nothing$/],
  ["broken TOML", ".gemini/commands/a.toml", "prompt = [", /^is no TOML/],
  ["TOML without a prompt", ".gemini/commands/a.toml", 'description = "x"', /^has no prompt/],
  [
    "a list where text is expected",
    ".claude/commands/a.md",
    "---\ndescription: [a]\n---\nx",
    /^has a description that is no text$/,
  ],
])("%s is named", async (_name, file, text, problem) => {
  expect(await used(file, text, "")).toEqual({ problem: expect.stringMatching(problem) });
});
