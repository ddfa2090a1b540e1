// A copy of a workspace: its repository, and what is kept for it while it lasts.
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { makeRepository } from "../../../src/io/copies/repository.ts";
import { layCopy } from "../../../src/io/snapshot/copy.ts";
import { openSnapshots } from "../../../src/io/snapshot/snapshots.ts";
import { makeHome } from "../../support/program.ts";

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd, encoding: "utf8" });

test("it shows the history of the workspace, none where that lies elsewhere again, and leaves nothing in the checkpoints", async () => {
  const home = makeHome();
  try {
    const at = (name: string): string => {
      const folder = path.join(home.folder, name);
      mkdirSync(folder, { recursive: true });
      return folder;
    };
    const workspace = at("one");
    git(workspace, "init", "-q");
    writeFileSync(path.join(workspace, "a.txt"), "a\n");
    git(workspace, "add", ".");
    git(workspace, "commit", "-qm", "start");
    git(home.folder, "clone", "-q", "--shared", workspace, "two");

    const plain = at("plain");
    expect(await makeRepository(workspace, plain)).toEqual({ objects: path.join(workspace, ".git/objects") });
    expect(git(plain, "log", "--format=%s")).toBe("start\n");
    const shared = at("shared");
    expect(await makeRepository(path.join(home.folder, "two"), shared)).toEqual({ objects: undefined });
    expect(git(shared, "status", "--short", "--branch")).toContain("No commits yet");

    const gitDir = path.join(home.folder, "shadow.git");
    const options = { gitDir, workspace, maxBytes: 1_000_000, maxFiles: 100 };
    const { tree } = await openSnapshots(options).take();
    const folder = at("copy");
    const { snapshots, forget } = await layCopy(options, tree, folder);
    writeFileSync(path.join(folder, "b.txt"), "b\n");
    expect((await snapshots.take()).tree).not.toBe(tree);
    forget();
    expect(readdirSync(gitDir).filter((name) => name.startsWith("index"))).toEqual(["index"]);
  } finally {
    home.remove();
  }
});
