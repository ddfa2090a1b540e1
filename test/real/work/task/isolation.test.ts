// Several tasks at once on one repository.
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { docsCrew, docsFiles, docsWords } from "../../../work/task/crew.ts";
import { approve, look, openScene, taskId } from "../../../work/task/tasks.ts";

test("several tasks at once on one repository: the first to be merged moves the base, and the others say so", async () => {
  await using scene = await openScene(docsCrew, docsFiles);
  const begun = await Promise.all(
    [[], [], ["--no-merge"]].map((more) => scene.run(["task", ...more, docsWords], { timeoutMs: 40_000 })),
  );
  const [first = "", second = "", left = ""] = begun.map(({ stderr }) => taskId(stderr));
  const worked = await Promise.all([first, second, left].map((id) => approve(scene, id)));
  expect(worked.map(({ code }) => code)).toEqual([3, 3, 3]);
  expect(scene.git("worktree", "list").trim().split("\n")).toHaveLength(4);
  expect((await approve(scene, left)).code).toBe(0);
  const merged = await Promise.all([first, second].map((id) => approve(scene, id)));
  expect(merged.map(({ code }) => code).toSorted(), merged.map(({ stdout }) => stdout).join()).toEqual([0, 5]);
  const views = await Promise.all([first, second].map((id) => look(scene, id)));
  expect(views.map(({ state }) => state).toSorted()).toEqual(["COMPLETE", "FAILED_BY_STALE"]);
  expect(scene.git("rev-list", "--count", "--merges", "main").trim()).toBe("1");
  expect([scene.text("README.md"), scene.git("status", "--porcelain")]).toEqual(["# sample\n\nIt does round.\n", ""]);
  // What was not merged is on its branch, and no folder is left.
  const stale = views.find(({ state }) => state === "FAILED_BY_STALE");
  expect(scene.git("show", `${stale?.task.worktree?.branch}:README.md`)).toContain("round");
  const count = () => scene.git("worktree", "list").trim().split("\n").length;
  expect(count()).toBe(1);
  // One that was killed while it ended has left its folder, which the next task takes away through the gate.
  const folder = views[0]?.task.worktree?.folder ?? "";
  scene.git("worktree", "add", "--quiet", "--detach", folder);
  const next = await scene.run(["task", docsWords], { timeoutMs: 40_000 });
  expect([next.code, count()], next.stderr).toEqual([3, 1]);
  expect(existsSync(folder)).toBe(false);
});
