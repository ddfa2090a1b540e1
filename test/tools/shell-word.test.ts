// A text as one word of a shell: what the shell makes of it is the text.
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, test } from "vitest";
import { shellWord } from "../../src/base/shell-word.ts";

test("property: a shell reads each word back as it was", () => {
  const text = fc.oneof(
    fc.string({ unit: "binary" }).filter((each) => !each.includes("\0") && each.isWellFormed()),
    fc.constantFrom(
      "",
      "a b",
      "it's",
      "$HOME",
      "`id`",
      "~",
      "a=b",
      "-n",
      "*",
      "\\",
      "'",
      '"',
      "a\nb",
      "!x",
      "#x",
      "{a,b}",
    ),
  );
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 20 }), (words) => {
      const read = execFileSync("sh", ["-c", `printf '%s\\0' ${words.map(shellWord).join(" ")}`], { encoding: "utf8" });
      expect(read).toBe(words.map((word) => `${word}\0`).join(""));
    }),
    { numRuns: 25 },
  );
});

test.each(["src/a.ts", "--port=80", "a@b", "C++"])("%s needs no quotes", (word) => expect(shellWord(word)).toBe(word));
