// The repository's own commit hooks, in the sandbox: what they change, refuse, wait for and reach out to.
import { chmodSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Scene } from "../scenarios/scene.ts";
import { sandboxHere } from "../support/sandbox.ts";
import { docsCrew, docsFiles, docsWords, say } from "./crew.ts";
import { approve, look, openScene, planned } from "./tasks.ts";

function hook(scene: Scene, name: string, lines: string): void {
  scene.put(name, `#!/bin/sh\n${lines}\n`);
  chmodSync(scene.at(name), 0o755);
}

const own = (scene: Scene, name: string, lines: string) => hook(scene, `.git/hooks/${name}`, lines);

test("hooks of a commit: what they change is committed, a message that is refused is worded anew, what comes late is told", {
  timeout: 60_000,
}, async () => {
  const asked: string[] = [];
  await using scene = await openScene(
    {
      ...docsCrew,
      explorer: ({ prompt }) => {
        asked.push(prompt);
        return say({ subject: "docs: mend a typo" });
      },
    },
    docsFiles,
  );
  hook(scene, ".githooks/pre-commit", "sed -i 's/round\\./round, always./' README.md");
  hook(scene, ".githooks/prepare-commit-msg", 'printf "\\nPrepared: %s\\n" "$2" >> "$1"');
  hook(
    scene,
    ".githooks/commit-msg",
    'head -1 "$1" | grep -Eq "^(docs: |Merge )" || { echo "say docs: first"; exit 1; }',
  );
  hook(scene, ".githooks/post-commit", "echo too late to object; exit 1");
  scene.git("add", "--all");
  scene.git("update-index", "--chmod=+x", ".githooks/pre-commit");
  scene.git("commit", "--quiet", "-m", "hooks");
  scene.git("config", "core.hooksPath", ".githooks");
  const { id, code, stderr } = await planned(scene, [], docsWords);
  expect([code, asked.length, asked[0]]).toEqual([3, 1, expect.stringContaining("say docs: first")]);
  expect(stderr).toContain("The commit is made, but the hook post-commit refused (exit 1)");
  const { task } = await look(scene, id);
  expect(task.envelope?.hooks?.map(({ name }) => name)).toEqual([
    ...["pre-commit", "prepare-commit-msg", "prepare-commit-msg", "commit-msg", "post-commit"],
  ]);
  const message = scene.git("log", "-1", "--format=%B", task.worktree?.branch ?? "");
  expect(message).toMatch(/^docs: mend a typo\n\nPrepared: message\nFettle-Task: \w+\nFettle-Envelope: /);
  expect(scene.git("show", `${task.worktree?.branch}:README.md`)).toContain("round, always.");
  expect((await approve(scene, id)).code).toBe(0);
  expect(scene.git("log", "-1", "--format=%B", "main")).toMatch(/^Merge fettle\/[\s\S]*Prepared: merge/);
});

test.skipIf(!sandboxHere)(
  "a hook that hangs, one that wants the network, one that is not what was approved: each is told for what it is",
  {
    timeout: 60_000,
  },
  async () => {
    await using scene = await openScene(docsCrew, docsFiles);
    own(scene, "commit-msg", "sleep 60");
    await scene.run(["config", "set", "tools.timeout_secs.other", "1"]);
    const hung = await planned(scene, [], docsWords);
    expect([hung.code, hung.stdout]).toEqual([
      1,
      expect.stringContaining("the hook commit-msg refused (took too long"),
    ]);
    await scene.run(["config", "set", "tools.timeout_secs.other", "20"]);
    const port = new URL(scene.server.url).port;
    own(scene, "commit-msg", `exec bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port}'`);
    const reached = await planned(scene, [], docsWords);
    expect([reached.code, reached.stdout]).toEqual([1, expect.stringContaining("hooks get no network here")]);
    own(scene, "commit-msg", "exit 0");
    const begun = await scene.run(["task", docsWords]);
    expect(begun.stderr).toMatch(/Hooks, in the sandbox without network[\s\S]*commit-msg/);
    own(scene, "commit-msg", "exit 0 # and more");
    const changed = await approve(scene, /approve (\w+)/.exec(begun.stderr)?.[1] ?? "");
    expect([changed.code, changed.stdout]).toEqual([
      1,
      expect.stringContaining("is not what it was when the plan was made"),
    ]);
    expect(scene.git("log", "--format=%s", "main").trim()).toBe("start");
  },
);

test("pre-merge-commit and pre-push have their say: the work is left, and why", { timeout: 60_000 }, async () => {
  await using scene = await openScene(docsCrew, docsFiles);
  own(scene, "pre-merge-commit", "echo not on fridays; exit 1");
  const { id } = await planned(scene, [], docsWords);
  const left = await approve(scene, id);
  expect([left.code, left.stdout]).toEqual([
    1,
    expect.stringMatching(/Not merged: the hook pre-merge-commit[\s\S]*fridays/),
  ]);
  expect(scene.git("log", "--format=%s", "main").trim()).toBe("start");
  const origin = path.join(scene.home.folder, "origin.git");
  scene.git("clone", "--quiet", "--bare", scene.folder, origin);
  scene.git("remote", "add", "origin", origin);
  const reads = 'read -r a b c d; echo "$1 $a $c $d"; case "$1 $a" in "origin refs/heads/fettle/"*) exit 1;; esac';
  own(scene, "pre-push", reads);
  const second = await planned(scene, ["--pr"], docsWords);
  const kept = await approve(scene, second.id);
  const branch = (await look(scene, second.id)).task.worktree?.branch ?? "";
  expect(kept.stdout).toContain("Not pushed: the hook pre-push refused");
  expect(kept.stdout).toContain(`origin refs/heads/${branch} refs/heads/${branch} ${"0".repeat(40)}`);
  expect(scene.git("--git-dir", origin, "branch", "--list", branch)).toBe("");
});
