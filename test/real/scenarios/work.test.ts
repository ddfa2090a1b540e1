// 200 calls at once, and calls that make no sense.
import { expect, test } from "vitest";
import { byResults, call, edit, makeScene, read, resultsOf, resultText } from "../../scenarios/scene.ts";

test("broken arguments, an unknown tool and 200 calls at once go back as useful errors", async () => {
  const many = Array.from({ length: 200 }, (_, index) => read(`f${index % 5}.txt`, `m${index}`));
  const script = byResults(
    [
      { name: "shell", raw: '{"command": "echo', id: "half" },
      call("bash", { command: "ls" }, "foreign"),
      edit("f1.txt", "no such", "x", "misfit"),
      call("read", { file: "f1.txt", limit: "3" }, "lenient"),
    ],
    many,
    "ok",
  );
  const files = Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`f${index}.txt`, `text ${index}\n`]));
  await using scene = await makeScene(script, { files });
  const { code, events } = await scene.tell(["go"]);
  expect(code).toBe(0);
  expect(resultText(events, "half")).toMatch(/not valid JSON.*Expected shell/s);
  expect(resultText(events, "foreign")).toMatch(/There is no tool "bash"\. Did you mean shell\?/);
  expect(resultText(events, "misfit")).toContain("f1.txt");
  expect(resultText(events, "lenient")).toContain("text 1");
  expect(
    resultsOf(scene.server.requests[2]!)
      .slice(4)
      .map((result) => result.call),
  ).toEqual(many.map(({ id }) => id));
  for (let index = 0; index < 200; index += 1) expect(resultText(events, `m${index}`)).toContain(`text ${index % 5}`);
});
