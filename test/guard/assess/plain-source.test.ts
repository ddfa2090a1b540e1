import fc from "fast-check";
import { expect, test } from "vitest";
import { plainSource } from "../../../src/guard/command-line/context/sensitive.ts";
import { environmentFiles, inTable, secretFiles } from "../../../src/guard/rules/paths.ts";

const words = [
  "src",
  "library",
  "cookies",
  "AppData",
  "local",
  "google",
  "secrets",
  "id_rsa",
  "local_settings",
  "wp-config",
];
const piece = fc.oneof(
  fc.constantFrom(...words, "package", "credentials", "key", ".ssh", ".env", "a"),
  fc.stringMatching(/^[\w.-]{1,8}$/),
);
const suffix = fc.constantFrom("", ".ts", ".mjs", ".py", ".json", ".md", ".key", ".env", ".pem", ".html", ".h");

test("property: what is passed by as plain source is no file for secrets by the tables either", () => {
  fc.assert(
    fc.property(fc.array(piece, { minLength: 1, maxLength: 4 }), suffix, (pieces, end) => {
      const relative = pieces.join("/") + end;
      if (!plainSource.test(relative)) return;
      expect(inTable(secretFiles, `/${relative}`), relative).toBe(false);
      expect(inTable(environmentFiles, relative), relative).toBe(false);
    }),
    { numRuns: 5000 },
  );
  expect(["src/a.ts", "README.md", "package.json", "a/b-c/d_e.test.js"].map((each) => plainSource.test(each))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
