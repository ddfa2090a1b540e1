// A killed process leaves half a file beside the one it was writing; the next start removes it.
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openDrafts } from "../../../src/io/folders/left-drafts.ts";
import { makeScene, byResults } from "../../scenarios/scene.ts";
import { startChild, until } from "../support/state.ts";
import { temporaryFolder } from "../../support/folders.ts";

const draftsIn = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.startsWith(".fettle-")) : [];

/** Kills a writer while its draft is there. */
async function killedWriter(work: string, notes: string): Promise<void> {
  const deep = path.join(work, "deep");
  for (let round = 0; round < 20 && draftsIn(deep).length === 0; round += 1) {
    const { child, output, ended } = startChild("write-drafts", [work, notes]);
    await until(() => output().includes("ready") && draftsIn(deep).length > 0);
    child.kill("SIGKILL");
    await ended;
  }
}

test("what a killed process was writing is gone after the next start, and nothing else", async () => {
  const [work, notes] = [temporaryFolder(), path.join(temporaryFolder(), "drafts")];
  await killedWriter(work, notes);
  const deep = path.join(work, "deep");
  expect(draftsIn(deep)).not.toEqual([]);
  writeFileSync(path.join(deep, ".fettle-0123456789ab"), "the person's own, by whatever chance");
  const whole = readdirSync(deep).filter((name) => name.endsWith(".txt"));
  openDrafts(notes);
  expect(readdirSync(deep).sort()).toEqual([".fettle-0123456789ab", ...whole].sort());
  expect(readdirSync(notes)).toEqual([]);
});

test("a note leads through no link, and to nothing that is no draft", () => {
  const [work, outside, notes] = [temporaryFolder(), temporaryFolder(), path.join(temporaryFolder(), "drafts")];
  mkdirSync(notes);
  const draft = ".fettle-0123456789ab";
  writeFileSync(path.join(outside, draft), "kept");
  writeFileSync(path.join(work, "plain.txt"), "kept");
  symlinkSync(outside, path.join(work, "link"));
  const dead = (number: number) => path.join(notes, `999999.1.00000000-.0000000${number}`);
  symlinkSync(path.join(work, "link", draft), dead(1));
  symlinkSync(path.join(work, "plain.txt"), dead(2));
  symlinkSync(path.join(work, "gone", draft), dead(3));
  openDrafts(notes);
  expect(readFileSync(path.join(outside, draft), "utf8")).toBe("kept");
  expect(existsSync(path.join(work, "plain.txt"))).toBe(true);
  expect(readdirSync(notes)).toEqual([]);
});

test("a run sweeps what the run before it left in the workspace, and no checkpoint holds a draft", async () => {
  await using scene = await makeScene(byResults("hi", "again"), {
    git: true,
    files: { "a.txt": "a\n" },
  });
  await scene.tell(["hello"]);
  await killedWriter(scene.folder, path.join(scene.state(), "drafts"));
  expect(draftsIn(path.join(scene.folder, "deep"))).not.toEqual([]);
  await scene.tell(["again"]);
  expect(draftsIn(path.join(scene.folder, "deep"))).toEqual([]);
});
