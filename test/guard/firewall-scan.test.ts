import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { expanded } from "../../src/guard/firewall/patterns/spec.ts";
import { tokenRows } from "../../src/guard/firewall/patterns/tokens.ts";
import { scan } from "../../src/guard/firewall/scan.ts";
import { findable, innocent } from "./secret-examples.ts";

test.each(findable)("%s: %s", (kind, text, secret) => {
  for (const before of ["", "const x = 1;\n"]) {
    const whole = before + text;
    const found = scan(whole).map(({ from, to, kind: rule }) => ({ rule, text: whole.slice(from, to) }));
    expect(found.map(({ rule }) => rule)).toContain(kind);
    if (secret !== undefined) expect(found.map((each) => each.text)).toContain(secret);
  }
});

test.each(innocent)("stays: %s", (text) => expect(scan(text)).toEqual([]));

test("every token that says what it is is found in each of its beginnings, by that name", () => {
  const missed: string[] = [];
  for (const [kind, beginnings, body] of tokenRows) {
    const form = new RegExp(`^${expanded(body).replace(/\(\?[<=!][^)]*\)/g, "")}$`);
    const bodies = fc.sample(fc.stringMatching(form, { size: "max" }), { numRuns: 40, seed: 7 });
    for (const beginning of beginnings.split(" ")) {
      const kinds = bodies.map((each) => scan(`value "${beginning}${each}" end`).map((found) => found.kind));
      if (!kinds.some((found) => found.includes(kind))) missed.push(`${kind} ${beginning}`);
    }
  }
  expect(missed).toEqual([]);
});

test("scanning stays fast on large and on hostile texts", () => {
  const code = "export function tokenOf(key: string): Token { return secrets.get(key) ?? fail('no token: ' + key); }\n";
  const mean = [
    "-----BEGIN PRIVATE KEY-----\n",
    "-----BEGIN ",
    "-----END ",
    "A".repeat(70) + "\n-----END ",
    "password=",
    "password ",
    'password="',
    "eyJaaaaaaaaaaaa.eyJ",
    "eyJ",
    "-eyJaaaaaaaaaa",
    "a://b:c",
    "a://b:c@",
    "token = ",
    "sk-",
    "ghp_",
    '"d":"aaaaaaaaaaaaaaaaaaaaaaaaaa"',
    "authorization: bearer ",
    "curl -u a:b ",
    "mysql mysql ",
    "$2a$10$",
    "x:$6$",
    "machine login password ",
    "kind: Secret\ndata:\n  a: aaaa\n",
    "mnemonic: aaa aaa aaa ",
    "_auth=",
    "Q~",
    ":APA91b",
    "sig=",
    "secret\n\n\n\n",
    "`token",
    "<password ",
  ];
  const size = 2_000_000;
  const texts = [
    code.repeat(50_000),
    randomBytes(1_500_000).toString("base64"),
    "a".repeat(size),
    ...mean.map((text) => text.repeat(Math.ceil(size / text.length))),
  ];
  const slow: string[] = [];
  for (const text of texts) {
    const started = performance.now();
    scan(text);
    const took = performance.now() - started;
    if (took > 4000) slow.push(`${JSON.stringify(text.slice(0, 40))} took ${Math.round(took)} ms`);
  }
  expect(slow).toEqual([]);
}, 120_000);
