import fc from "fast-check";
import { expect, test } from "vitest";
import { checkPathTables, environmentFiles, type PathTable, secretFiles } from "../../../src/guard/rules/paths.ts";

/** fast-check makes no texts for lookarounds: without them a pattern matches more, and what it matches is asked again. */
const withoutLookarounds = (source: string): string => {
  const start = source.search(/\(\?<?[!=]/);
  if (start < 0) return source;
  let depth = 0;
  let end = start;
  do {
    if (source[end] === "\\") end += 1;
    else if (source[end] === "(") depth += 1;
    else if (source[end] === ")") depth -= 1;
    end += 1;
  } while (depth > 0);
  return withoutLookarounds(source.slice(0, start) + source.slice(end));
};

test.each<[string, PathTable]>([
  ["environmentFiles", environmentFiles],
  ["secretFiles", secretFiles],
])("property: whatever a pattern of %s matches is telling", (_name, { telling, patterns }) => {
  for (const pattern of patterns) {
    const like = fc.stringMatching(new RegExp(withoutLookarounds(pattern.source)));
    fc.assert(
      fc.property(like, fc.constantFrom("", ".py", ".ts", ".json", ".key"), (text, end) => {
        const path = text.toLowerCase() + end;
        if (pattern.test(path)) expect(telling?.test(path), `${pattern.source} ${path}`).toBe(true);
      }),
      { numRuns: 300 },
    );
  }
});

test("every table holds what it says that it holds, and nothing of what it says that it does not", () => {
  expect(checkPathTables()).toEqual([]);
});
