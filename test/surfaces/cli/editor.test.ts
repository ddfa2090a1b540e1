import fc from "fast-check";
import { expect, test } from "vitest";
import { createStyle } from "../../../src/surfaces/cli/text/style.ts";
import { textWidth } from "../../../src/surfaces/cli/text/width.ts";
import {
  edit,
  type Entry,
  emptyEntry,
  entryOf,
  entryText,
  History,
  isOpen,
  type Key,
  moveLine,
} from "../../../src/surfaces/cli/terminal/editor.ts";
import { entryLines } from "../../../src/surfaces/cli/terminal/entry-lines.ts";
import { mentionPrefix, mentionsOf } from "../../../src/surfaces/cli/session/mentions.ts";
import { parseSlash } from "../../../src/surfaces/cli/session/slash.ts";

const key = (name: string, more: Partial<Key> = {}): Key => ({
  name,
  text: "",
  ctrl: false,
  alt: false,
  shift: false,
  ...more,
});
const typed = (text: string): Key => key(text, { text });
const press = (entry: Entry, ...keys: Key[]): Entry => keys.reduce((now, one) => edit(now, one) ?? now, entry);
const ctrl = (name: string) => key(name, { ctrl: true });
const alt = (name: string) => key(name, { alt: true });

test("letters go in at the cursor; whole characters come out", () => {
  const entry = press(emptyEntry, ...["a", "👩‍💻", "b"].map(typed), key("left"), key("backspace"));
  expect(entry).toEqual({ text: "ab", cursor: 1 });
});

test("the usual keys of a shell do the usual", () => {
  const entry = entryOf("one two-three four");
  expect(press(entry, ctrl("w")).text).toBe("one two-three ");
  expect(press(entry, alt("b"), alt("b"), alt("d")).text).toBe("one two- four");
  expect(press(entry, ctrl("a"), ctrl("k"))).toEqual(emptyEntry);
  expect(press(entry, ctrl("a"), alt("f"), ctrl("u")).text).toBe(" two-three four");
  expect(press(entryOf("a\nb"), ctrl("u"))).toEqual({ text: "a\n", cursor: 2 });
  expect(press(entryOf("a"), alt("return"), typed("b")).text).toBe("a\nb");
});

test("keys that type nothing change nothing", () => {
  for (const one of [
    key("f5"),
    key("return"),
    key("tab"),
    ctrl("z"),
    key("escape", { text: "\x1b" }),
    key("constructor"),
    ctrl("constructor"),
  ])
    expect(edit(entryOf("x"), one)).toBeUndefined();
});

test("no sequence of keys leaves the cursor outside the text or splits a character", () => {
  const keys = fc.constantFrom(
    typed("ü"),
    typed("日"),
    typed(" "),
    key("left"),
    key("right"),
    key("backspace"),
    key("delete"),
    ctrl("w"),
    ctrl("k"),
    ctrl("u"),
    ctrl("j"),
    alt("b"),
    alt("f"),
    alt("d"),
    key("home"),
    key("end"),
  );
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 60 }), (pressed) => {
      const { text, cursor } = press(emptyEntry, ...pressed);
      expect(cursor).toBeGreaterThanOrEqual(0);
      expect(cursor).toBeLessThanOrEqual(text.length);
      expect(text).toMatch(/^[ü日 \n]*$/);
    }),
  );
});

test("up and down stay within the entry until its edge", () => {
  const entry: Entry = { text: "abcd\nef\nghij", cursor: 3 };
  const down = moveLine(entry, 1);
  expect(down).toEqual({ text: entry.text, cursor: 7 });
  expect(down && moveLine(down, 1)).toEqual({ text: entry.text, cursor: 10 });
  expect(moveLine(entry, -1)).toBeUndefined();
});

test("an entry stays open after a backslash and inside three quotes", () => {
  expect(isOpen("go on \\")).toBe(true);
  expect(isOpen('"""\nlines')).toBe(true);
  expect(isOpen('"""\nlines\n"""')).toBe(false);
  expect(entryText('"""\n  kept\n"""')).toBe("  kept");
  expect(entryText("one \\\ntwo")).toBe("one \ntwo");
});

test("history goes back, and forward to what was being typed", () => {
  const history = new History(["one"]);
  history.add("two");
  history.prepend(["zero"]);
  expect([history.back("draft"), history.back(""), history.back(""), history.back("")]).toEqual([
    "two",
    "one",
    "zero",
    undefined,
  ]);
  expect([history.forward(), history.forward(), history.forward(), history.forward()]).toEqual([
    "one",
    "two",
    "draft",
    undefined,
  ]);
});

test("the entry is wrapped whole, with the cursor where the text says", () => {
  const look = { style: createStyle({ colour: false, unicode: true }), width: 12 };
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom("a", "日", "\n", " ") }), fc.nat(), (text, at) => {
      const cursor = text.length === 0 ? 0 : at % (text.length + 1);
      const drawn = entryLines({ text, cursor }, "›", look);
      for (const line of drawn.lines) expect(textWidth(line)).toBeLessThan(12);
      expect(drawn.cursor.row).toBeLessThan(drawn.lines.length);
      expect(drawn.cursor.column).toBeLessThan(12);
      expect(drawn.lines.map((line) => line.slice(2)).join("")).toBe(text.replaceAll("\n", ""));
    }),
  );
});

test("mentions are words that begin with @, not addresses", () => {
  expect(mentionsOf('see @src/a.ts, (@b.md) and @"my file.txt"; not a@b.example @')).toEqual([
    "src/a.ts",
    "b.md",
    "my file.txt",
  ]);
  expect(mentionPrefix("look at @src/c")).toEqual({ from: 9, prefix: "src/c" });
  expect(mentionPrefix("me@host")).toBeUndefined();
});

test("slash commands are a word; a path is a prompt", () => {
  expect(parseSlash("/mode plan")).toEqual({ name: "mode", argument: "plan" });
  expect(parseSlash("/etc/hosts is odd")).toBeUndefined();
});
