import assert from "node:assert/strict";
import test from "node:test";
import { page } from "../src/page.ts";

test("the second page begins where the first one ends", () => {
  assert.deepEqual(page(["a", "b", "c"], 2, 2), ["c"]);
});
