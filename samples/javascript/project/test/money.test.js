import assert from "node:assert/strict";
import { test } from "node:test";
import { formatAmount, parseAmount } from "../src/money.js";

test("amounts are read and written", () => {
  for (const text of ["0.00", "0.05", "12.30", "-7.01"]) assert.equal(formatAmount(parseAmount(text)), text);
});

test("anything else is refused", () => {
  assert.throws(() => parseAmount("12,30"), /not an amount/);
});
