// Notes in a file that a person edits too, and which of them a prompt is about.
import fc from "fast-check";
import { expect, test } from "vitest";
import { readNotes, withNote, withoutNote } from "../../src/memory/notes/notes.ts";
import { alike, corrections, relevantNotes, sameDemand } from "../../src/memory/notes/relevance.ts";
import { draws } from "../support/draws.ts";

const said = { date: "2026-11-24", by: "local:anna", where: "session 4f2a" };
const note = (text: string) => ({ id: text.slice(0, 6), text });

const line = fc.oneof(
  fc.constantFrom(
    "",
    "# Mine",
    "- a note",
    "* another",
    "  more of it",
    "  *2026-01-01, local:x, session 1*",
    "plain",
    "\t- deep",
    "-",
    "- ",
  ),
  fc.string(),
);
const files = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));

test("property: what is kept is read again, what is forgotten is gone, and nothing else of the file changes", () => {
  fc.assert(
    fc.property(files, fc.string({ minLength: 1 }), fc.string(), (file, text, by) => {
      const plain = text.replace(/\s+/g, " ").trim();
      fc.pre(plain !== "");
      const before = readNotes(file);
      const after = withNote(file, { text, said: { ...said, by } });
      if (file.trim() !== "") expect(after.startsWith(file)).toBe(true);
      const rows = readNotes(after);
      expect(rows.slice(0, -1)).toEqual(before);
      expect(rows.at(-1)?.text).toBe(plain);
      const id = rows.at(-1)?.id ?? "";
      const gone = withoutNote(after, id);
      expect(gone?.text).toBe(plain);
      expect(readNotes(gone?.file ?? "")).toHaveLength(before.length);
    }),
    { numRuns: draws(2_000) },
  );
});

test("a note has its day, its person and its place; one that was written by hand has its words alone", () => {
  const file = withNote("# Mine\n\nKept since March.\n\n- tabs, never spaces\n  in every file\n", {
    text: "no default\nexports",
    said,
  });
  expect(readNotes(file)).toEqual([
    { id: expect.stringMatching(/^[0-9a-f]{6}$/), text: "tabs, never spaces in every file" },
    { id: expect.stringMatching(/^[0-9a-f]{6}$/), text: "no default exports", said },
  ]);
  expect(withoutNote(file, "ffffff")).toBeUndefined();
  expect(withoutNote(file, "")).toBeUndefined();
});

test("few notes go along whole; of many, those that a prompt is about, and no more than there is room for", () => {
  const few = [note("no default exports"), note("prices are in cents")];
  expect(relevantNotes(few, "fix the login")).toEqual(few);
  const many = Array.from({ length: 60 }, (_, at) =>
    note(`the service number ${at} is called quark${at}x and needs a restart`),
  );
  const chosen = relevantNotes(
    [...many, note("invoices are rounded half to even")],
    "why is the invoice rounded down?",
  );
  expect(chosen.map(({ text }) => text)).toEqual(["invoices are rounded half to even"]);
  const all = relevantNotes(many, "restart the service");
  expect(all.length).toBeGreaterThan(3);
  expect(Buffer.byteLength(all.map(({ text }) => text).join(""))).toBeLessThanOrEqual(1_200);
});

test("what says the same otherwise is found; what forbids it is told as such", () => {
  const notes = [note("use default exports in components"), note("prices are in cents")];
  expect(alike(notes, "no default exports")).toMatchObject([{ text: notes[0]?.text, against: true }]);
  expect(alike(notes, "components use default exports")).toMatchObject([{ against: false }]);
  expect(alike(notes, "answer in short sentences")).toEqual([]);
});

test("sentences that demand are told from those that ask for work; said twice in other words they are one", () => {
  expect(corrections("Fix the date. We never use default exports! Why not?")).toEqual([
    "We never use default exports!",
  ]);
  expect(corrections("add a test\nbitte keine Default-Exporte")).toEqual(["bitte keine Default-Exporte"]);
  expect(corrections("rename the function")).toEqual([]);
  expect(sameDemand("no default exports", "please never use default exports")).toBe(true);
  expect(sameDemand("no default exports", "always use default exports")).toBe(false);
  expect(sameDemand("no default exports", "no semicolons")).toBe(false);
});
