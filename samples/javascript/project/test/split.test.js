import assert from "node:assert/strict";
import { test } from "node:test";
import { createInvoice } from "../src/invoice.js";
import { splitByWeight, splitEvenly } from "../src/split.js";

const sum = (shares) => shares.reduce((left, right) => left + right, 0);

test("even shares add up to the total", () => {
  for (const [total, people] of [[1000, 3], [100, 7], [5, 2], [900, 3]]) {
    assert.equal(sum(splitEvenly(total, people)), total, `${total} cents for ${people}`);
  }
});

test("even shares differ by at most one cent", () => {
  const shares = splitEvenly(1000, 3);
  assert.ok(Math.max(...shares) - Math.min(...shares) <= 1);
});

test("weighted shares add up to the total", () => {
  assert.deepEqual(splitByWeight(1000, [20, 15, 12]), [426, 319, 255]);
});

test("an invoice names everybody", () => {
  const invoice = createInvoice([{ what: "internet", amount: "30.00" }], ["Ada", "Bo"]);
  assert.deepEqual(invoice, [
    { name: "Ada", amount: "15.00" },
    { name: "Bo", amount: "15.00" },
  ]);
});
