// The card of a question in the rows that there are, and which keys answer it.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { Answering } from "../../../src/surfaces/cli/terminal/answering.ts";
import { type Entry, emptyEntry, entryOf } from "../../../src/surfaces/cli/terminal/editor.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";

const look: Look = { style: createStyle({ colour: false, unicode: true }), width: 60 };
const key = (name: string) => ({ name, text: "", ctrl: false, alt: false, shift: false });
const body = () => Array.from({ length: 10 }, (_, at) => `row ${at}`);
const choices = [
  { key: "a", label: "approve" },
  { key: "d", label: "deny" },
  { key: "e", label: "details" },
];

function ask(others: string[] = []) {
  let entry: Entry = emptyEntry;
  const answering = new Answering({
    get: () => entry,
    set: (next) => {
      entry = next;
    },
    redraw: () => undefined,
  });
  const question = { title: "", body, choices, behind: () => others };
  const answer = answering.open({ question }, new AbortController().signal, true);
  return { answering, answer, type: (text: string) => (entry = entryOf(text)) };
}

test("the card is whole where it fits; else its body is printed once, and the choices stay", () => {
  const { answering } = ask();
  expect(answering.card(look, 20).lines.slice(9, 13)).toEqual(["row 9", "", "   (a)pprove", "   (d)eny"]);
  expect(answering.card(look, 14).lines.slice(9, 12)).toEqual(["row 9", "", "(a)pprove   (d)eny   d(e)tails"]);
  const small = answering.card(look, 8);
  expect([small.print.length, small.lines[0]]).toEqual([11, "   (a)pprove"]);
  expect(answering.card(look, 8).print).toEqual([]);
});

test("nothing is chosen from the start: Enter alone answers only what an arrow key has gone to, and no draft answers", async () => {
  const { answering, answer, type } = ask();
  answering.press(key("return"));
  type("d and more");
  answering.press(key("down"));
  answering.press(key("return"));
  answering.press(key("return"));
  expect(answering.asking).toBe(true);
  answering.press(key("up"));
  answering.press(key("up"));
  expect(answering.card(look, 20).lines).toContain(" › (d)eny");
  answering.press(key("return"));
  expect(await answer).toBe("d");
});

test("Tab goes to the next question only where one waits", async () => {
  const alone = ask();
  alone.answering.press(key("tab"));
  await sleep(0);
  expect(alone.answering.asking).toBe(true);
  const { answering, answer } = ask(["shell rm b"]);
  expect(answering.card(look, 20).lines.slice(-2)).toEqual(["One more waits (Tab shows the next):", "  • shell rm b"]);
  answering.press(key("tab"));
  expect(await answer).toBe("next");
});
