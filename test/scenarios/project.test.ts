// `fettle project` in the real program: what it says of planning files, and that it changes nothing.
import { readdirSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeScene } from "./scene.ts";

const plan = (files: string) =>
  `---\nrequirements: [AUTH-01]\nfiles_modified: [${files}]\n---\n<task type="auto">\n<name>One</name>\n<action>Do</action>\n<verify>true</verify>\n<done>Yes</done>\n</task>\n`;

const files = {
  ".planning/PROJECT.md": "# Shop\u001b[31m\n",
  ".planning/STATE.md": "# State\n",
  ".planning/REQUIREMENTS.md": "## v1\n- [x] **AUTH-01**: A person logs in\n",
  ".planning/ROADMAP.md": "- [ ] **Phase 1: Login**\n### Phase 1: Login\n**Requirements**: AUTH-01\n",
  ".planning/phases/01-login/01-01-PLAN.md": plan("src/a.ts"),
  ".planning/phases/01-login/01-02-PLAN.md": plan("src/a.ts, src/b.ts"),
};

test("planning files are read and nothing is changed; errors refuse the next step; links are not followed", async () => {
  await using scene = await makeScene(() => ({ say: "" }), { files, git: false });
  const status = await scene.run(["project"]);
  expect(status).toMatchObject({ code: 0 });
  expect(status.stdout).toMatch(/1 of 1 ticked; a tick is a claim, not evidence/);
  expect(status.stdout).toMatch(/Execute phase 1: some of its plans have no summary/);
  expect(status.stdout).not.toContain("\u001b[31m\n");
  const waves = await scene.run(["project", "waves", "01", "--json"]);
  expect(JSON.parse(waves.stdout)).toMatchObject([
    { id: "01-01", wave: 1 },
    { id: "01-02", wave: 2 },
  ]);
  const german = await scene.run(["project", "check", "1"], { env: { LANG: "de_DE.UTF-8" } });
  expect(german).toMatchObject({ code: 0 });
  expect(german.stdout).toMatch(/01-01 und 01-02 teilen src\/a\.ts; sie laufen nacheinander/);
  for (const name of ["phases", "requirements", "todos", "settings", "next"]) {
    expect(await scene.run(["project", name])).toMatchObject({ code: 0 });
  }
  expect((await scene.run(["project", "waves", "7"])).stderr).toContain("There is no phase 7.");
  for (const [name, text] of Object.entries(files))
    expect(readFileSync(path.join(scene.folder, name), "utf8")).toBe(text);
  expect(readdirSync(path.join(scene.folder, ".planning")).toSorted()).toHaveLength(5);
  rmSync(path.join(scene.folder, ".planning/STATE.md"));
  symlinkSync("/etc/passwd", path.join(scene.folder, ".planning/STATE.md"));
  const refused = await scene.run(["project", "next"]);
  expect(refused).toMatchObject({ code: 1 });
  expect(refused.stdout).toMatch(/No step is named[^]*STATE\.md {2}not read: a link/);
  rmSync(path.join(scene.folder, ".planning"), { recursive: true });
  expect(await scene.run(["project"])).toMatchObject({ code: 1, stdout: "This folder has no .planning.\n" });
});
