// The habits `guards.*` in a session: who has not read a file does not change it.
import { expect, test } from "vitest";
import { byResults, configure, edit, makeScene, read, resultText, write } from "./scene.ts";

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
