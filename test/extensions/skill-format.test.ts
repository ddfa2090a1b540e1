// SKILL.md as people write it, whole and broken. The expected errors are those of the format's reference implementation.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { outlineBytes, skillOutline } from "../../src/app/extensions/skills.ts";
import { readSkill } from "../../src/extensions/skills/library.ts";
import { temporaryFolder, writeFiles } from "../support/folders.ts";

const skill = async (text: string | Uint8Array | undefined, name = "pdf") => {
  const folder = path.join(temporaryFolder(), name);
  mkdirSync(folder, { recursive: true });
  if (text !== undefined) writeFileSync(path.join(folder, "SKILL.md"), text);
  return readSkill({ place: folder, origin: "user" });
};
const head = (...lines: string[]) => `---\n${lines.join("\n")}\n---\nDo it.\n`;

test.each([
  ["what the specification shows", head("name: pdf", "description: Fill forms."), []],
  [
    "every field",
    head(
      "name: pdf",
      "description: >-",
      "  Fill",
      "  forms.",
      "license: MIT",
      "compatibility: needs jq",
      "metadata:",
      '  version: "1.0"',
      "allowed-tools: Bash(git:*) Read",
    ),
    [],
  ],
  ["a list of tools", head("name: pdf", "description: x", "allowed-tools:", "  - Read"), []],
  ["no front matter", "# PDF\n", ["does not begin with front matter (YAML between two lines of ---)"]],
  ["broken YAML", "---\nname: [\n---\nx", [/no YAML/]],
  ["front matter that is a list", "---\n- a\n---\nx", [/no mapping/]],
  ["no name", head("description: x"), ["has no name in its front matter"]],
  ["no description", head("name: pdf"), ["has no description in its front matter"]],
  ["an empty description", head("name: pdf", 'description: ""'), ["has an empty description"]],
  [
    "a long description",
    head("name: pdf", `description: ${"x".repeat(1_025)}`),
    ["has a description of 1025 characters; 1024 are allowed"],
  ],
  ["another name than its folder", head("name: word", "description: x"), [/its folder is called "pdf"/]],
  ["capitals", head("name: PDF", "description: x"), [/must be lowercase/, /its folder/]],
  ["an underscore", head("name: p_f", "description: x"), [/letters, digits and hyphens/, /its folder/]],
  [
    "hyphens at the ends and in a row",
    head("name: -p--f", "description: x"),
    [/begin or end/, /two hyphens/, /its folder/],
  ],
  ["a long name", head(`name: ${"p".repeat(65)}`, "description: x"), [/more than 64/, /its folder/]],
  ["a name that is a list", head("name: [pdf]", "description: x"), ["has a name that is no text"]],
  [
    "a number where tools are expected",
    head("name: pdf", "description: x", "allowed-tools: 3"),
    ["has allowed-tools that are neither text nor a list"],
  ],
  [
    "a number among the tools",
    head("name: pdf", "description: x", "allowed-tools: [Read, 3]"),
    ["has allowed-tools with an entry that is no text"],
  ],
  [
    "text where metadata is a mapping",
    head("name: pdf", "description: x", "metadata: many"),
    ["has metadata that is no mapping"],
  ],
  [
    "long compatibility",
    head("name: pdf", "description: x", `compatibility: ${"x".repeat(501)}`),
    [/compatibility of 501/],
  ],
  [
    "a field of another agent",
    head("name: pdf", "description: x", "model: opus"),
    ["has the field model, which the format does not know"],
  ],
  [
    "10 MB",
    head("name: pdf", "description: x") + "x".repeat(10 * 1024 * 1024),
    [/^has a SKILL\.md of \d+ bytes; 131072 are allowed$/],
  ],
  ["bytes that are no text", new Uint8Array([0xff, 0xfe, 0x00]), ["has a SKILL.md that is no UTF-8 text"]],
  ["no SKILL.md", undefined, ["has no SKILL.md"]],
] as const)("%s", async (_name, text, errors) => {
  const found = await skill(text);
  expect(found.errors).toEqual(errors.map((each) => (typeof each === "string" ? each : expect.stringMatching(each))));
  const usable = errors.length === 0 || String(errors[0]).includes("does not know");
  expect(found.problem === undefined).toBe(usable);
});

test("what has no effect is named with the reason, and a name in another script is one", async () => {
  const { notes, forModel, forPerson, hint, problem } = await skill(
    head(
      "name: größe-测量",
      "description: x",
      "model: opus",
      "disable-model-invocation: true",
      "argument-hint: FILE",
      "odd: 1",
    ),
    "größe-测量",
  );
  expect(problem).toBeUndefined();
  expect(notes).toEqual([
    "model has no effect: a skill is read by the model that is at work",
    "odd has no effect: fettle does not know it",
  ]);
  expect({ forModel, forPerson, hint }).toEqual({ forModel: false, forPerson: true, hint: "FILE" });
});

test("a link out of the folder and a repository's skill that is a link are refused; scripts are known", async () => {
  const root = temporaryFolder();
  const text = head("name: pdf", "description: x");
  writeFiles(root, { "pdf/SKILL.md": text, "pdf/scripts/fill.py": "print(1)\n", "pdf/a.md": "a\n" });
  symlinkSync("a.md", path.join(root, "pdf/b.md"));
  expect(await readSkill({ place: path.join(root, "pdf"), origin: "user" })).toMatchObject({
    files: ["a.md", "scripts/fill.py"],
    scripts: ["scripts/fill.py"],
  });
  symlinkSync("/etc/passwd", path.join(root, "pdf/users"));
  expect((await readSkill({ place: path.join(root, "pdf"), origin: "user" })).problem).toBe(
    "has a link that leads out of it (users)",
  );
  symlinkSync(path.join(root, "pdf"), path.join(root, "linked"));
  expect((await readSkill({ place: path.join(root, "linked"), origin: "project" })).problem).toMatch(/is a link/);
});

test("however many skills there are, what the first request says of them stays within its bound", () => {
  const many = Array.from({ length: 300 }, (_each, at) => ({
    name: `skill-${at}`,
    description: "ü\u202eword ".repeat(90),
  }));
  for (const count of [1, 3, 20, 300]) {
    const text = skillOutline(many.slice(0, count));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(outlineBytes + 60);
    expect(text).toContain("- skill-0: ü word");
    expect(text).not.toContain("\u202e");
  }
  expect(skillOutline(many)).toMatch(/\n- \d+ more: give words instead of a name to find them$/);
});
