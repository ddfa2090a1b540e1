// The habits `guards.*` in a session: who has not read a file does not change it.
import { expect, test } from "vitest";
import { byResults, call, configure, edit, makeScene, read, resultText, write } from "./scene.ts";

test("a file is read before it is changed, where that is wanted; a new one is written as it is", async () => {
  await using scene = await makeScene(
    byResults(
      edit("a.txt", "alpha", "beta", "blind"),
      write("new.txt", "new\n", "new"),
      edit("new.txt", "new", "newer", "own"),
      read("a.txt", "read"),
      edit("a.txt", "alpha", "beta", "seen"),
      "Done.",
    ),
    { files: { "a.txt": "alpha\n" } },
  );
  configure(scene, "[guards]\nread_before_edit = true\n");
  const { events } = await scene.tell(["go"]);
  expect(resultText(events, "blind")).toMatch(/has not been read in this session; read it first/);
  expect([scene.text("new.txt"), scene.text("a.txt")]).toEqual(["newer\n", "beta\n"]);
});

test("what was read before a session was left counts when it goes on", async () => {
  await using scene = await makeScene(
    byResults(read("a.txt", "read"), "Read.", edit("a.txt", "alpha", "beta", "seen"), "Done."),
    { files: { "a.txt": "alpha\n" } },
  );
  configure(scene, "[guards]\nread_before_edit = true\n");
  await scene.tell(["read it"]);
  const { events } = await scene.tell(["--continue", "change it"]);
  expect([resultText(events, "seen"), scene.text("a.txt")]).toEqual([
    expect.not.stringContaining("read it first"),
    "beta\n",
  ]);
});

test("a commit message out of a here-document is seen", async () => {
  const commit = (text: string, id: string) =>
    call("shell", { command: `git add a.txt && git commit -q -m "$(cat <<'EOF'\n${text}\nEOF\n)"` }, id);
  await using scene = await makeScene(
    byResults(commit("changed some things", "bad"), commit('fix: say "beta"\n\nIt said alpha.', "good"), "Done."),
    { git: true, files: { "a.txt": "alpha\n" } },
  );
  scene.git("config", "user.name", "A");
  scene.git("config", "user.email", "a@b.c");
  scene.put("a.txt", "beta\n");
  configure(scene, "[guards]\ncommit_messages = true\n\n[autonomy]\nlevel = 4\n");
  const { events } = await scene.tell(["go"]);
  expect(resultText(events, "bad")).toContain("A commit message here is");
  expect(scene.git("log", "-1", "--format=%B").trim(), resultText(events, "good")).toBe(
    'fix: say "beta"\n\nIt said alpha.',
  );
});
