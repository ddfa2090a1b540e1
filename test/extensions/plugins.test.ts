// What a plugin's folder and manifest say: each part is usable or named with the reason, and nothing outside is read.
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { pluginDifference } from "../../src/extensions/plugins/difference.ts";
import { readMarket } from "../../src/extensions/plugins/market.ts";
import { fetchCommand, pluginSource } from "../../src/extensions/plugins/source.ts";
import { type Plugin, readPlugin } from "../../src/io/config/plugins.ts";
import { isFolder, leadsInside } from "../../src/io/plugins/folder.ts";
import { manifestFields } from "../../src/io/plugins/manifest.ts";
import { temporaryFolder, writeFiles } from "../support/folders.ts";

const workspace = "/nowhere/work";

const readIn = (folder: string, granted: (part: string) => boolean = () => true): Plugin =>
  readPlugin(folder, { folderName: path.basename(folder), granted, workspace, home: "/nowhere/home" });

function pluginOf(files: Record<string, string | object>, links: Record<string, string> = {}): string {
  const folder = path.join(temporaryFolder(), "sample");
  mkdirSync(folder);
  const texts = Object.entries(files).map(([name, text]) => [
    name,
    typeof text === "string" ? text : JSON.stringify(text),
  ]);
  writeFiles(folder, Object.fromEntries(texts) as Record<string, string>);
  for (const [name, to] of Object.entries(links)) {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    symlinkSync(to, path.join(folder, name));
  }
  return folder;
}

const ids = ({ parts }: Plugin): string[] => parts.map(({ kind, name }) => `${kind} ${name}`);

test("a plugin of Claude Code is read with all its parts, each of which is granted by name", () => {
  const folder = pluginOf({
    ".claude-plugin/plugin.json": {
      ...{ name: "helper", version: "1.2.0", description: "Helps.", keywords: ["a"] },
      ...{ commands: ["./more/say.md"], agents: "./more/agents", outputStyles: "./styles", unheard: 1 },
      mcpServers: { far: { url: "https://api.example.com/mcp" }, bad: { command: 3 } },
      lspServers: { go: { command: "gopls" } },
    },
    "skills/pdf/SKILL.md": "---\nname: pdf\ndescription: d\n---\nx",
    "commands/git/commit.md": "Commit.",
    "more/say.md": "Say.",
    "more/agents/look.md": "---\nname: look\ndescription: d\n---\nx",
    "hooks/hooks.json": {
      hooks: {
        PreToolUse: [
          { matcher: "Bash", hooks: [{ type: "command", command: "${CLAUDE_PLUGIN_ROOT}/hooks/guard.sh" }] },
        ],
        TeammateIdle: [{ hooks: [{ type: "command", command: "x" }] }],
      },
    },
    ".mcp.json": {
      mcpServers: {
        notes: {
          ...{ command: "${CLAUDE_PLUGIN_ROOT}/server", args: ["--data", "${CLAUDE_PLUGIN_ROOT}/data", "${LEFT}"] },
          ...{ env: { TOKEN: "${NOTES_TOKEN}", MODE: "${MODE:-fast}" }, write: ["out"], hosts: ["b.example.com"] },
        },
      },
    },
    "bin/tool": "x",
  });
  const all = readIn(folder);
  expect(all).toMatchObject({ name: "helper", version: "1.2.0", description: "Helps." });
  expect(ids(all)).toEqual([
    ...["skill pdf", "command helper:git:commit", "command helper:say", "agent look", "hook helper-1"],
    ...["mcp notes", "host b.example.com", "env NOTES_TOKEN", "env MODE", "read .", "write out"],
    ...["mcp far", "host api.example.com", "language-server go"],
  ]);
  expect(all.parts.filter(({ problem }) => problem !== undefined).map(({ name }) => name)).toEqual(["go"]);
  expect(all.hooks).toMatchObject([{ command: `${folder}/hooks/guard.sh`, deciding: true, root: folder }]);
  const [notes] = all.servers;
  expect(notes).toMatchObject({
    ...{ name: "notes", command: [`${folder}/server`, "--data", `${folder}/data`, "${LEFT}"] },
    ...{ read: [folder, workspace], write: [path.join(workspace, "out")], hosts: ["b.example.com"] },
    set: { TOKEN: "${NOTES_TOKEN}", MODE: "${MODE:-fast}" },
  });
  expect(all.notes.join("\n")).toMatch(
    /outputStyles has no effect[^]*unheard has no effect: fettle does not know it[^]*bin has no effect[^]*TeammateIdle[^]*\$\{LEFT\}, which is not filled in[^]*MCP server bad has a command/,
  );

  const none = readIn(folder, () => false);
  expect(ids(none)).toEqual(ids(all));
  expect([none.skills, none.commands, none.agents, none.hooks, none.servers].flat()).toEqual([]);
  const some = readIn(folder, (part) => ["mcp notes", "env MODE", "mcp far"].includes(part));
  expect(some.servers).toMatchObject([
    { read: [folder], write: [], hosts: [], set: { TOKEN: "", MODE: "${MODE:-fast}" } },
  ]);
  expect(some.parts.find(({ name }) => name === "far")?.problem).toBe("its host api.example.com is not granted");
});

test.each<[string, Record<string, string | object>, Record<string, string>, string]>([
  ["no JSON", { "fettle-plugin.json": "{ broken" }, {}, "has a fettle-plugin.json that is no JSON"],
  ["no object", { "fettle-plugin.json": [] }, {}, "holds no object"],
  ["no name", { "fettle-plugin.json": {} }, {}, "without a name"],
  ["a path as its name", { "fettle-plugin.json": { name: "../up" } }, {}, 'has the name "../up"'],
  ["a list as its name", { "fettle-plugin.json": { name: ["a"] } }, {}, 'has the name ["a"]'],
  ["10 MB of manifest", { "fettle-plugin.json": `{"name":"x","d":"${"x".repeat(10_000_000)}"}` }, {}, "cannot be read"],
  [
    "a link out of it",
    { "fettle-plugin.json": { name: "x" } },
    { "skills/a": "/etc" },
    "has a link that leads out of it (skills/a)",
  ],
  [
    "a manifest that is a link",
    { "a.txt": "x" },
    { "fettle-plugin.json": "/etc/hostname" },
    "has a link that leads out of it",
  ],
  ["nothing", { "notes.txt": "x" }, {}, "has neither a manifest nor a part"],
])("a plugin with %s is refused as a whole, with the reason", (_what, files, links, problem) => {
  const plugin = readIn(pluginOf(files, links));
  expect(plugin.problem).toContain(problem);
  expect(plugin.parts).toEqual([]);
});

test("what a manifest names wrongly is named part by part, and the rest is read", () => {
  const plugin = readIn(
    pluginOf({
      "fettle-plugin.json": {
        ...{ name: "odd", version: 3, keywords: "a", skills: [7, "../up", "/etc", "gone"], commands: { a: 1 } },
        ...{ agents: "", hooks: "skills", mcpServers: [{ a: { command: "x" } }, { a: { command: "y" } }, null] },
      },
      "skills/good/SKILL.md": "---\nname: good\ndescription: d\n---\nx",
      "hooks/hooks.json": "{}",
    }),
  );
  const said = plugin.parts.map(({ kind, name, problem }) => `${kind} ${name}: ${problem ?? "ok"}`);
  expect(said).toEqual([
    "skill good: ok",
    "skill skills: has a number where a path is expected",
    'skill ../up: names "../up", which leads out of the plugin',
    'skill /etc: names "/etc", which is no path within the plugin',
    'skill gone: names "gone", which is not there',
    "command commands: has an object where a path is expected",
    'agent : names "", which is no path within the plugin',
    "hook hooks/hooks.json: holds no hooks",
    "hook skills: cannot be read: is a folder, not a file",
    "mcp a: ok",
    "read .: ok",
    "mcp a: is there twice: the first one is used",
    "mcp mcpServers: has nothing where a path or an object is expected",
  ]);
  expect(plugin.servers.map(({ command }) => command)).toEqual([["x"]]);
  expect(plugin.notes).toEqual(["version has no effect: it is no text", "keywords is no list"]);
});

const paths = fc.constantFrom(
  ...[
    "./skills",
    "more",
    "more/one.md",
    "../outside",
    "/etc/passwd",
    "gone",
    "",
    "~/x",
    "hooks/hooks.json",
    "a\0b",
    "links",
  ],
);
const anything = fc.oneof(
  paths,
  fc.array(fc.oneof(paths, fc.integer(), fc.constant(null))),
  fc.integer(),
  fc.constant({ hooks: 1 }),
);
const manifest = fc.record(
  {
    ...{ name: fc.constantFrom("fine", "Not Fine", ""), version: fc.oneof(fc.string(), fc.integer()) },
    ...{ skills: anything, commands: anything, agents: anything, hooks: anything, mcpServers: anything },
    ...{ themes: fc.anything(), other: fc.anything() },
  },
  { requiredKeys: ["name"] },
);
const planted: Record<string, string[]> = {
  "skills/one/SKILL.md": ["---\nname: one\ndescription: d\n---\nx", "no head"],
  "skills/deep/er/SKILL.md": ["---\nname: er\ndescription: d\n---\nx"],
  "commands/a.md": ["Do it.", ""],
  "commands/b/c.toml": ['prompt = "x"', "broken ="],
  "agents/d.md": ["---\nname: d\ndescription: d\n---\nx", "no head"],
  "more/one.md": ["x"],
  "hooks/hooks.json": [
    "{ broken",
    '{"hooks": []}',
    '{"hooks": {"Stop": [{"hooks": [{"command": "x"}, {"type": "prompt"}]}]}}',
    '{"hooks": {"Nothing": [1]}}',
  ],
  ".mcp.json": [
    "[]",
    '{"mcpServers": "x"}',
    '{"mcpServers": {"m": {"command": "x", "args": "y"}, "n": {"command": "z"}}}',
  ],
};
const files = fc.record(
  Object.fromEntries(Object.entries(planted).map(([name, texts]) => [name, fc.constantFrom(...texts)])),
  { requiredKeys: [] },
);
const links = fc.record(
  {
    "links/out": fc.constant("../../outside"),
    "links/in": fc.constant("../skills"),
    "commands/e.md": fc.constant("../more/one.md"),
  },
  { requiredKeys: [] },
);

test("property: every part of any plugin is registered or named, and nothing outside of its folder is read", () => {
  const base = temporaryFolder();
  writeFiles(path.join(base, "outside"), {
    "SKILL.md": "CANARY",
    "CANARY.md": "CANARY",
    "hooks.json": '{"CANARY": 1}',
  });
  let at = 0;
  fc.assert(
    fc.property(manifest, files, links, fc.boolean(), (said, tree, linked, written) => {
      at += 1;
      const folder = path.join(base, `p${at}`);
      writeFiles(folder, {
        "x.txt": "x",
        ...(tree as Record<string, string>),
        ...(written && { "fettle-plugin.json": JSON.stringify(said) }),
      });
      for (const [name, to] of Object.entries(linked)) {
        mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
        symlinkSync(to, path.join(folder, name));
      }
      const plugin = readIn(folder);
      rmSync(folder, { recursive: true });
      const text = JSON.stringify(plugin);
      expect(text).not.toContain("CANARY");
      for (const { place } of plugin.parts) expect(place?.startsWith("..") ?? false).toBe(false);
      if (plugin.problem !== undefined) {
        expect(plugin.parts).toEqual([]);
        return;
      }
      const shown = plugin.parts.map(({ kind, name, place }) => `${kind} ${name} ${place ?? ""}`);
      const all = [...shown, ...plugin.notes].join("\n");
      const has = (name: string, wanted: string) => name in tree && expect(all, name).toContain(wanted);
      has("skills/one/SKILL.md", "skill one skills/one");
      has("skills/deep/er/SKILL.md", "skill er skills/deep/er");
      has("commands/a.md", "commands/a.md");
      has("commands/b/c.toml", "commands/b/c.toml");
      has("agents/d.md", "agent d agents/d.md");
      has("hooks/hooks.json", "hook");
      has(".mcp.json", "mcp");
      if (!written) return;
      const named = new Set(plugin.parts.flatMap(({ name, problem }) => (problem === undefined ? [] : [name])));
      for (const [key, value] of Object.entries(said)) {
        if (value !== undefined && manifestFields[key] !== true) expect(all).toContain(`${key} has no effect`);
        if (!["skills", "commands", "agents", "hooks", "mcpServers"].includes(key)) continue;
        for (const each of [value].flat())
          if (typeof each === "number") expect([...named], key).toContain(key);
          else if (typeof each === "string" && impossible.has(each)) expect([...named], key).toContain(each);
      }
    }),
    { numRuns: 150 },
  );
});

/** These lead nowhere, whatever lies in the folder. */
const impossible = new Set(["../outside", "/etc/passwd", "gone", "", "~/x", "a\0b"]);

test("the digest is of names, contents and the right to run, wherever the folder lies", () => {
  const make = () =>
    pluginOf({ "fettle-plugin.json": { name: "x" }, "a/b.sh": "1", "c.txt": "2" }, { "a/link": "b.sh" });
  const [left, right] = [make(), make()];
  const digest = () => readIn(right).digest;
  expect(digest()).toBe(readIn(left).digest);
  const seen = new Set([digest()]);
  const changes = [
    () => chmodSync(path.join(right, "a/b.sh"), 0o755),
    () => writeFileSync(path.join(right, "c.txt"), "3"),
    () => writeFileSync(path.join(right, "d.txt"), ""),
    () => rmSync(path.join(right, "a/link")),
  ];
  for (const change of changes) {
    change();
    expect(seen.has(digest())).toBe(false);
    seen.add(digest());
  }
  // What git keeps of it is no part of it.
  writeFiles(right, { ".git/config": "x" });
  expect(seen.has(digest())).toBe(true);
});

test("a difference names every file that comes, goes or changes, with its lines", async () => {
  const before = pluginOf({
    "fettle-plugin.json": { name: "x" },
    "a.sh": "one\ntwo\n",
    "gone.md": "g\n",
    "b.bin": "a\0b",
  });
  const after = pluginOf({
    "fettle-plugin.json": { name: "x" },
    "a.sh": "one\nthree\n",
    "new.md": "n\n",
    "b.bin": "a\0c",
  });
  expect(await pluginDifference(before, after)).toEqual([
    "changed: a.sh",
    ...["@@ -1,2 +1,2 @@", " one", "-two", "+three"],
    ...["changed: b.bin", "  (no text, or too long to show)"],
    ...["removed: gone.md", "@@ -1 +0,0 @@", "-g"],
    ...["added: new.md", "@@ -0,0 +1 @@", "+n"],
  ]);
  expect(await pluginDifference(before, before)).toEqual([]);
});

test("what an archive brought is a folder, and a list in it is its own", () => {
  const top = temporaryFolder();
  mkdirSync(path.join(top, "package"));
  writeFileSync(path.join(top, "elsewhere.json"), "{}");
  symlinkSync(path.join(top, "package"), path.join(top, "link"));
  symlinkSync("../elsewhere.json", path.join(top, "package/marketplace.json"));
  expect(["package", "link", "missing", "elsewhere.json"].map((name) => isFolder(path.join(top, name)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect(leadsInside(path.join(top, "package"), path.join(top, "package/marketplace.json"))).toBe(false);
});

test.each([
  ["./here", { kind: "folder", path: "./here" }],
  ["github:a/b", { kind: "git", address: "https://github.com/a/b.git" }],
  ["https://git.example.com/a/b.git#v1.0", { kind: "git", address: "https://git.example.com/a/b.git", at: "v1.0" }],
  ["git+ssh://git@git.example.com/a", { kind: "git", address: "ssh://git@git.example.com/a" }],
  ["npm:@scope/name@1.0.0", { kind: "npm", spec: "@scope/name@1.0.0" }],
  ["npm:../up", { problem: expect.stringContaining("is no name of a package") }],
  ["npm:https://x.example/y.tgz", { problem: expect.stringContaining("is no name of a package") }],
  ["npm:--global", { problem: expect.stringContaining("is no name of a package") }],
  ["https://x.example/$(touch a).git", { problem: expect.stringContaining("is no address") }],
  ["github:a", { problem: expect.stringContaining("github:OWNER/NAME") }],
  ["github:a/b#--upload-pack=x", { problem: expect.stringContaining("is no name of a branch") }],
])("%s is a source as it says", (named, source) => {
  expect(pluginSource(named)).toEqual(source);
});

test("a package is fetched without its scripts", () => {
  expect(fetchCommand({ kind: "npm", spec: "a" }, "/tmp/x")).toContain("--ignore-scripts");
});

test("a list of plugins names what each comes from, and leads nowhere else", () => {
  const list = {
    name: "ours",
    metadata: { pluginRoot: "./plugins" },
    plugins: [
      { name: "near", source: "./near", description: "Near." },
      { name: "up", source: "../../up" },
      { name: "far", source: { source: "github", repo: "a/b", ref: "v2" } },
      { name: "packed", source: { source: "npm", package: "p", version: "1.0.0" } },
      { name: "odd", source: { source: "carrier-pigeon" } },
      { name: "near", source: "./other" },
      "none",
      { name: 3 },
    ],
  };
  expect(readMarket(JSON.stringify(list), "/base")).toEqual({
    name: "ours",
    plugins: [
      { name: "near", description: "Near.", source: "/base/plugins/near" },
      { name: "up", description: "", problem: expect.stringContaining("leads out of") },
      { name: "far", description: "", source: "github:a/b#v2" },
      { name: "packed", description: "", source: "npm:p@1.0.0" },
      { name: "odd", description: "", problem: expect.stringContaining("does not fetch") },
    ],
    problems: ["Two plugins are called near; the first one counts.", "Entry 7 has no name.", "Entry 8 has no name."],
  });
  expect(() => readMarket("[]", "/base")).toThrow("names no list");
  expect(existsSync("/base")).toBe(false);
});
