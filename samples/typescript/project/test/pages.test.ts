import assert from "node:assert/strict";
import test from "node:test";
import { pages } from "../src/pages.ts";

test("what does not fill a page needs one", () => {
  assert.equal(pages(21, 10), 3);
});

test("full pages need no more", () => {
  assert.equal(pages(20, 10), 2);
});
