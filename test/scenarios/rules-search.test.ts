// What a rule forbids to read by its path stays unread on the way through a folder, too.
import { expect, test } from "vitest";
import { byResults, call, configure, makeScene, resultText, shell } from "./scene.ts";

test("what a rule forbids to read is not found by a search of a folder around it", async () => {
  const script = byResults(
    call("grep", { pattern: "zebra" }, "g"),
    call("grep", { pattern: "zebra", path: "private" }, "p"),
    call("find", { query: "zebra function" }, "f"),
    call("glob", { pattern: "**/*.ts" }, "l"),
    shell("grep -rn zebra .", "s"),
    shell("python3 walk.py", "w"),
    "Done.",
  );
  const walk = 'import pathlib\nfor each in pathlib.Path(".").rglob("*.ts"): print(each.read_text())\n';
  const files = {
    "walk.py": walk,
    "private/a.ts": "export function zebra() { return 'inner'; }\n",
    "b.ts": "// zebra\n",
  };
  await using scene = await makeScene(script, { files });
  configure(scene, `[[rules]]\naction = "deny"\npaths = ["private/**"]\neffect = ["read"]\n`);
  await scene.run(["index", "build"]);
  const { events } = await scene.tell(["go"]);
  for (const id of ["g", "p", "f", "l", "s", "w"])
    expect([id, resultText(events, id)]).not.toEqual([
      id,
      expect.stringMatching(/inner|private\/a\.ts:|private\/a\.ts$/m),
    ]);
  for (const id of ["g", "l", "s"]) expect([id, resultText(events, id)]).toEqual([id, expect.stringContaining("b.ts")]);
  expect(resultText(events, "w")).toContain("// zebra");
});
