// Where hooks come from: the person's files, a repository's, and those of other agents; and what of them needs trust.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { namePattern } from "../../../src/base/name-pattern.ts";
import { hookPlaces } from "../../../src/io/config/hook-places.ts";
import { hookScripts } from "../../../src/io/config/hook-scripts.ts";
import { changedScripts } from "../../../src/io/config/hooks.ts";
import { writeTrust } from "../../../src/io/config/trust.ts";
import { type World, world } from "./support.ts";
import { temporaryFolder } from "../../support/folders.ts";

const hook = (text: string) => `[[hooks]]\n${text}\n`;
const put = (file: string, text: string) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const trust = (w: World) => {
  const { digest, items } = w.load().trust;
  writeTrust(w.options.places.state, w.options.workspace, { digest, items, at: 1, by: "local:ada" });
};

test("a hook has defaults, and names of other agents' events are understood", () => {
  const w = world();
  const text = ["before_tool", "PreToolUse", "BeforeTool", "AfterTool", "Stop", "SessionStart"].map((event) =>
    hook(`event = "${event}"\ncommand = "x"`),
  );
  w.file("user", text.join(""));
  const { settings } = w.load();
  expect(settings.hooks.map(({ event, deciding }) => [event, deciding])).toEqual([
    ["before_tool", true],
    ["before_tool", true],
    ["before_tool", true],
    ["after_tool", false],
    ["stop", true],
    ["session_start", false],
  ]);
  expect(settings.hooks[1]).toMatchObject({
    ...{ name: "user-2", timeout_secs: 30, home_read: false, hosts: [], origin: "user", dialect: "fettle" },
    place: "~/.config/fettle/config.toml:4",
  });
});

test.each([
  [`command = "x"`, "has no event"],
  [`event = "stop"`, "has no command"],
  [`event = "BeforeModel"\ncommand = "x"`, "fettle has session_start"],
  [`event = "before_lunch"\ncommand = "x"`, "cannot have the event before_lunch"],
  [`event = "before_tool"\ncommand = "x"\nmatcher = "("`, "cannot have matcher"],
  [`event = "stop"\ncommand = "x"\nmatcher = "Bash"`, "about no tool"],
  [`event = "after_tool"\ncommand = "x"\ndeciding = true`, "cannot be deciding"],
  [`event = "stop"\ncommand = "x"\ntimeout_secs = 601`, "from 1 to 600"],
  [`event = "stop"\ncommand = " "`, "must be a command line"],
  [`event = "stop"\ncommand = "x"\nfail_open = true`, "unknown key fail_open"],
  [`event = "stop"\ncommand = "x"\nhosts = ["*"]`, "plain host names"],
])("refused with its line: %j", (text, why) => {
  const w = world();
  w.file("user", `# one\n${hook(text)}`);
  const { message } = w.fault();
  expect(message).toContain(why);
  expect(message).toContain("config.toml:2");
});

test("patterns name whole tools: alternatives, globs, regular expressions; empty is every one", () => {
  const matches = (pattern: string, name: string) => namePattern(pattern)?.test(name);
  expect(
    ["Bash|Write", "Bash", "B*", "^Bash$", "*", "", "Ba.*", "(Bash)"].map((each) => matches(each, "Bash")),
  ).toEqual(Array(8).fill(true));
  expect(["Bas", "bash", "Write", "ash", "mcp__*"].map((each) => matches(each, "Bash"))).toEqual(Array(5).fill(false));
  expect(matches("mcp__*", "mcp__files__read")).toBe(true);
  expect(namePattern("(")).toBeUndefined();
});

test("a repository's hooks are not there before they are trusted, come after the person's own, and nothing of a file is skipped", () => {
  const w = world();
  w.file("user", hook(`event = "stop"\ncommand = "mine"`));
  w.file("project", hook(`event = "stop"\ncommand = "sh check.sh"`));
  put(path.join(w.options.workspace, "check.sh"), ". ./lib/more.sh\n");
  put(path.join(w.options.workspace, "lib/more.sh"), "true\n");
  const before = w.load();
  expect(before.settings.hooks.map(({ command }) => command)).toEqual(["mine"]);
  expect(before.trust).toMatchObject({ state: "new", items: [{ what: "hook project-1" }] });
  expect(before.notices.join("\n")).toMatch(/config\.toml:1: the hook project-1 is not run/);
  trust(w);
  const after = w.load();
  expect(after.trust.state).toBe("trusted");
  expect(after.settings.hooks.map(({ command }) => command)).toEqual(["mine", "sh check.sh"]);
  const [, trusted] = after.settings.hooks;
  if (!trusted) throw new Error("there is none");
  expect(changedScripts(trusted, w.options.workspace)).toEqual([]);
  put(path.join(w.options.workspace, "lib/more.sh"), "curl evil.example\n");
  expect(changedScripts(trusted, w.options.workspace)).toEqual(["lib/more.sh"]);
  expect(w.load().trust.state).toBe("changed");
  expect(w.load().settings.hooks).toHaveLength(1);
});

test("no flag or variable of a repository turns the import on, and its own file cannot", () => {
  const w = world();
  w.file("project", '[import]\nhooks = ["claude"]\n');
  put(
    path.join(w.options.workspace, ".claude/settings.json"),
    JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command: "evil" }] }] } }),
  );
  const { settings, trust: found } = w.load();
  expect(settings.import.hooks).toEqual([]);
  expect(settings.hooks).toEqual([]);
  expect(found.items).toEqual([]);
});

const claude = (event: string, command: unknown, more: object = {}) => ({
  hooks: { [event]: [{ hooks: [{ type: "command", command, ...more }] }] },
});

test("Claude Code's files: the person's are used, a repository's need trust, and what is not honoured is told", () => {
  const w = world();
  w.file("user", '[import]\nhooks = ["claude"]\n');
  const at = (folder: string, name: string) => path.join(folder, ".claude", name);
  put(
    at(w.options.places.home, "settings.json"),
    JSON.stringify({
      model: "opus",
      hooks: {
        PreToolUse: [
          {
            matcher: "Edit|Write",
            hooks: [
              { type: "command", command: "a", timeout: 60 },
              { type: "prompt", prompt: "ok?" },
            ],
          },
        ],
        PostToolUse: [{ matcher: "", hooks: [{ type: "command", command: "b" }] }],
        WorktreeCreate: [{ hooks: [{ type: "command", command: "c" }] }],
        PreCompact: [{ matcher: "auto", hooks: [{ type: "command", command: "d" }] }],
      },
    }),
  );
  put(at(w.options.workspace, "settings.json"), JSON.stringify(claude("Stop", "python3 .claude/hooks/stop.py")));
  put(at(w.options.workspace, "hooks/stop.py"), "import helper\n");
  put(at(w.options.workspace, "hooks/helper.py"), "");
  put(at(w.options.workspace, "settings.local.json"), JSON.stringify(claude("SessionStart", "e")));
  const { settings, notices, trust: found } = w.load();
  expect(settings.hooks).toMatchObject([
    {
      name: "claude-1",
      event: "before_tool",
      matcher: "Edit|Write",
      command: "a",
      timeout_secs: 60,
      deciding: true,
      dialect: "claude",
    },
    { name: "claude-2", event: "after_tool", command: "b", timeout_secs: 30, deciding: false },
    { name: "claude-3", event: "before_compaction", matcher: "auto", command: "d", deciding: true },
  ]);
  expect(settings.hooks[1]).not.toHaveProperty("matcher");
  for (const left of ["hooks.PreToolUse[0].hooks[1]", "hooks.WorktreeCreate"])
    expect(notices.join("\n")).toContain(`${left} is not used`);
  expect(found.items.map(({ what }) => what)).toEqual(["hook project-claude-1", "hook project-claude-1-2"]);
  // Everything beside the script counts: it may use any of it.
  expect(found.items[0]?.value).toMatchObject({ files: { ".claude/hooks": expect.stringMatching(/^tree:/) } });
  trust(w);
  expect(w.load().settings.hooks).toHaveLength(5);
  put(at(w.options.workspace, "hooks/helper.py"), "import os\n");
  expect(w.load().trust.state).toBe("changed");
});

test("a broken file of the person's own stops everything, one that a repository brings is told", () => {
  const w = world();
  w.file("user", '[import]\nhooks = ["claude"]\n');
  const theirs = path.join(w.options.workspace, ".claude/settings.json");
  for (const text of [
    "{",
    "[]",
    '{"hooks":[]}',
    JSON.stringify(claude("Stop", 1)),
    '{"hooks":{"Stop":[{"matcher":"("}]}}',
  ]) {
    put(theirs, text);
    expect(w.load().notices.join("\n"), text).toContain("None of its hooks is used");
  }
  const mine = path.join(w.options.places.home, ".claude/settings.json");
  put(mine, '{"hooks":{"PreToolUse":[{"matcher":"(","hooks":[]}]}}');
  expect(w.fault().message).toContain("~/.claude/settings.json: hooks.PreToolUse[0].matcher is no regular expression");
  put(mine, '{"disableAllHooks":true}');
  put(theirs, JSON.stringify(claude("Stop", "x")));
  expect(w.load().trust.items).toEqual([]);
});

test("what a hook runs: named files, what they name, manifests that its program obeys; links out of the workspace are no part", () => {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries({
    "tools/a.sh": "source ./b\npython3 tools/c.py",
    "tools/b.sh": "",
    "tools/c.py": "from tools.d import x",
    "tools/d.py": "",
    "tools/unnamed.py": "",
    "package.json": "{}",
    Makefile: "",
  }))
    put(path.join(folder, name), text);
  symlinkSync("/etc/hostname", path.join(folder, "out.sh"));
  const of = (command: string) => Object.keys(hookScripts(command, folder));
  expect(of('bash "$CLAUDE_PROJECT_DIR"/tools/a.sh')).toEqual(["tools/a.sh", "tools/b.sh", "tools/c.py", "tools/d.py"]);
  expect(of("sh ${FETTLE_PROJECT_DIR}/tools/b.sh")).toEqual(["tools/b.sh"]);
  expect(of("python3 -m tools.d")).toEqual(["tools/d.py"]);
  expect(of("npm run --silent hook")).toEqual(["package.json"]);
  expect(of("make -s hook")).toEqual(["Makefile"]);
  expect(of("sh out.sh")).toEqual([]);
});

test("of a person's own scripts the folder is shown to the sandbox, but never the home, its parents or fettle's own", () => {
  const home = temporaryFolder();
  const own = path.join(home, ".config/fettle");
  for (const name of ["a.sh", ".claude/b.sh", ".claude/hooks/c.sh", ".config/fettle/d.sh", "w/e.sh"])
    put(path.join(home, name), "");
  const of = (command: string) =>
    hookPlaces(command, { workspace: path.join(home, "w"), home, own: [own] }).map((each) => path.relative(home, each));
  expect(of("sh ~/a.sh")).toEqual(["a.sh"]);
  expect(of("sh ~/.claude/b.sh")).toEqual([".claude/b.sh"]);
  expect(of('sh "$HOME/.claude/hooks/c.sh"')).toEqual([".claude/hooks"]);
  expect(of(`sh ${home}/.config/fettle/d.sh`)).toEqual([".config/fettle/d.sh"]);
  expect(of(`sh ${home}/w/e.sh; cat /etc/hostname ~/none`)).toEqual([]);
});
