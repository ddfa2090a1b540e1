// Output while it comes holds no secret, in whatever pieces it comes.
import { expect, test } from "vitest";
import { shownOutput } from "../../src/guard/fence/shown-output.ts";
import { createFirewall } from "../../src/guard/firewall/firewall.ts";
import { random } from "./secret-examples.ts";

const firewall = createFirewall(Buffer.alloc(32, 5));
const body = [random, random, random, random].map((line) => `${line}${line.slice(0, 28)}`);
const key = [
  "-----BEGIN RSA ",
  "PRIVATE KEY-----\n",
  ...body.map((line) => `${line}\n`),
  "-----END RSA ",
  "PRIVATE KEY-----\n",
];

function shown(pieces: readonly string[]): string[] {
  const all: string[] = [];
  const output = shownOutput(firewall, (text) => all.push(text));
  for (const piece of pieces) output.push(piece);
  output.end();
  return all;
}

test("a private key that comes line by line is one mark, and what comes around it stays", () => {
  const text = shown(["before\n", ...key, "after\n"]).join("");
  for (const line of body) expect(text).not.toContain(line);
  expect(text).toMatch(/^before\n«secret:private-key:[0-9a-f]{10}»\s*after\n$/);
});

test("a token in two pieces is one mark", () => {
  expect(shown([`a ghp_${random.slice(0, 9)}`, `${random.slice(9)}\n`]).join("")).toMatch(/^a «secret:github:\w+»\n$/);
});

test("a block that never ends is shown when too much is held, and lines beside it at once", () => {
  expect(shown(["one\n", "two\n"])).toEqual(["one\n", "two\n"]);
  const pieces = shown(["-----BEGIN NOTHING\n", ...Array.from({ length: 30 }, () => `${"word ".repeat(200)}\n`)]);
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("")).toHaveLength(19 + 30 * 1001);
});
