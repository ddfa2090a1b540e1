import assert from "node:assert/strict";
import { test } from "node:test";
import { boils } from "../src/boils.js";

test("water boils at 100 degrees", () => {
  assert.equal(boils(100), true);
  assert.equal(boils(99), false);
});
