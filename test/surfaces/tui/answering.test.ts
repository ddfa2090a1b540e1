// The card of a question in the rows that there are, and which keys answer it.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { attention, nextQuestion, type Question } from "../../../src/surfaces/cli/terminal/console.ts";
import { Answering } from "../../../src/surfaces/cli/terminal/answering.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";

const look: Look = { style: createStyle({ colour: false, unicode: true }), width: 60 };
const key = (name: string) => ({ name, text: "", ctrl: false, alt: false, shift: false });
const body = () => Array.from({ length: 10 }, (_, at) => `row ${at}`);
const choices = [
  { key: "a", label: "approve" },
  { key: "d", label: "deny" },
  { key: "e", label: "details" },
];

function ask(others: string[] = [], more: Partial<Question> = {}) {
  let entry = "";
  const commands: string[] = [];
  const answering = new Answering({
    get: () => entry,
    set: (next) => {
      entry = next;
    },
    redraw: () => undefined,
    command: (text) => commands.push(text),
  });
  const question = {
    title: "",
    body,
    choices,
    head: () => ["the command"],
    behind: () => ({ waiting: others, after: [] }),
    ...more,
  };
  const answer = answering.open({ question }, new AbortController().signal, true);
  return { answering, answer, commands, text: () => entry, type: (text: string) => (entry = text) };
}

test("the card is whole where it fits; else its body is printed once, and the choices stay", () => {
  const { answering } = ask();
  expect(answering.card(look, 20).lines.slice(9, 13)).toEqual(["row 9", "", "   (a)pprove", "   (d)eny"]);
  expect(answering.card(look, 14).lines.slice(9, 12)).toEqual(["row 9", "", "(a)pprove   (d)eny   d(e)tails"]);
  const small = answering.card(look, 8);
  expect([small.print.length, ...small.lines.slice(0, 2)]).toEqual([11, "the command", "   (a)pprove"]);
  expect(answering.card(look, 8).print).toEqual([]);
  // What is asked about, and how to answer, stay in sight.
  expect(answering.card(look, 3).lines).toEqual(["the command", "(a)pprove   (d)eny   d(e)tails"]);
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
  expect(await answer).toBe(nextQuestion);
});

test("Esc gives a draft back, then empties the answer, then is the question's way back, then nobody's: it stops the turn", async () => {
  const plain = ask();
  plain.type("to be kept");
  plain.answering.press(key("return"));
  plain.type("x");
  expect([plain.answering.press(key("escape")), plain.text()]).toEqual([true, "to be kept\nx"]);
  expect(plain.answering.press(key("escape"))).toBe(false);
  const back = ask([], { back: "d" });
  back.type("a");
  expect([back.answering.press(key("escape")), back.text()]).toEqual([true, ""]);
  back.answering.press(key("escape"));
  expect(await back.answer).toBe("d");
});

test("a sentence answers only where own words are asked for; a command is one, and what is pasted is text", async () => {
  const strict = ask();
  const enter = ({ type, answering }: typeof strict, text: string) => {
    type(text);
    answering.press(key("return"));
  };
  enter(strict, "approve it all");
  enter(strict, "/cost");
  enter(strict, "!pwd");
  strict.type("a");
  strict.answering.pasted();
  strict.answering.press(key("return"));
  expect([strict.answering.asking, strict.commands]).toEqual([true, ["/cost", "!pwd"]]);
  const free = ask([], { ownWords: true });
  enter(free, "x");
  expect(free.answering.asking).toBe(true);
  enter(free, "none of these, a third");
  expect(await free.answer).toBe("none of these, a third");
});

test("a letter just after a question has gone is told from a prompt; a second question waits for the first", async () => {
  const first = ask();
  const controller = new AbortController();
  const second = first.answering.open({ title: "And?" }, controller.signal, true);
  expect(first.answering.card(look, 20).lines).toContain("row 9");
  first.type("d");
  first.answering.press(key("return"));
  expect(await first.answer).toBe("d");
  expect(["A", "x", "an"].map((text) => first.answering.late(text))).toEqual([true, false, false]);
  expect(first.answering.card(look, 20).lines).toEqual(["And?"]);
  controller.abort();
  expect(await second).toBe(undefined);
});

test("who is awaited hears the bell, and sees a notification where the terminal is known to show one", () => {
  const said = (env: Record<string, string>) => attention(env).replace("fettle waits for your answer", "TEXT");
  expect(said({ TERM: "xterm-kitty" })).toBe("\x07\x1b]99;;TEXT\x1b\\");
  expect(said({ TERM: "xterm-256color", TERM_PROGRAM: "iTerm.app" })).toBe("\x07\x1b]9;TEXT\x1b\\");
  expect(said({ TERM: "foot" })).toBe("\x07\x1b]777;notify;fettle;TEXT\x1b\\");
  for (const env of [{ TERM: "dumb" }, { TERM: "xterm-kitty", TMUX: "/tmp/x" }, { TERM: "screen" }, { TERM: "linux" }])
    expect(said(env as Record<string, string>)).toBe("\x07");
});
