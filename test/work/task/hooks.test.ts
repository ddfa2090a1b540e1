// The repository's own commit hooks, in the sandbox: what they change, refuse, wait for and reach out to.
import { expect, test } from "vitest";
import { docsCrew, docsFiles, docsWords, say } from "./crew.ts";
import { approve, look, openScene, planned, hook } from "./tasks.ts";

test("hooks of a commit: what they change is committed, a message that is refused is worded anew, what comes late is told", async () => {
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
