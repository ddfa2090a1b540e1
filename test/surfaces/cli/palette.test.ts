// What is offered while one types: commands and what they take, by the letters that were typed.
import { expect, test } from "vitest";
import { nearest } from "../../../src/base/fuzzy.ts";
import { completeSlash } from "../../../src/surfaces/cli/session/slash-complete.ts";
import { PasteReader } from "../../../src/surfaces/tui/paste-terminal.ts";
import { ScriptedClient } from "./scripted-client.ts";

const offered = async (text: string) => {
  const found = await completeSlash(text, new ScriptedClient({}));
  return found && { from: found.from, values: found.options.map(({ value }) => value) };
};

test("commands that begin so come first, then those that have the letters; modes say what they mean", async () => {
  expect((await offered("/re"))?.values.slice(0, 3)).toEqual(["/recall", "/rewind", "/resume"]);
  expect((await offered("/mdl"))?.values).toEqual(["/model"]);
  expect(await offered("/mode tru")).toEqual({ from: 6, values: ["trusted"] });
  const all = await completeSlash("/mode ", new ScriptedClient({}));
  expect(all?.options[0]).toEqual({ value: "ask", what: "everything asks" });
  expect(await offered("/nosuch x")).toBeUndefined();
  expect(await offered("/etc/hosts")).toBeUndefined();
});

test("the nearest path has the letters at beginnings of its words, or together", () => {
  const paths = ["docs/prompting.md", "src/tui/prompt-screen.ts", "src/app/person.ts", "src/tui/PromptScreen.tsx"];
  const near = (query: string) => nearest(paths, query, (each) => each, 9);
  expect(near("prscr")[0]).toBe("src/tui/prompt-screen.ts");
  expect(near("PS")).toContain("src/tui/PromptScreen.tsx");
  expect(near("screen")).toHaveLength(2);
  expect(near("zzz")).toEqual([]);
  expect(nearest(paths, "", (each) => each, 2)).toEqual(paths.slice(0, 2));
});

test("a paste is told from keys, in whatever pieces it comes", () => {
  const whole = "ab\x1b[200~one\x1b[2~\ntwo\x1b[201~c\x1b[200~\x1b[201~\x1b[A";
  for (let size = 1; size < whole.length; size++) {
    const reader = new PasteReader();
    const found: string[] = [];
    let typed = "";
    for (let at = 0; at < whole.length; at += size)
      for (const { kind, text } of reader.take(whole.slice(at, at + size)))
        if (kind === "typed") typed += text;
        else found.push(text);
    // A mark of its beginning comes in one piece from a terminal; cut in two it is the library's.
    if (typed === "abc\x1b[A") expect(found).toEqual(["one\x1b[2~\ntwo", ""]);
  }
  const reader = new PasteReader();
  expect(reader.take("\x1b[200~x\x1b[2")).toEqual([]);
  expect(reader.take("01~y")).toEqual([
    { kind: "pasted", text: "x" },
    { kind: "typed", text: "y" },
  ]);
});
