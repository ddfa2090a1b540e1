import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNamedInside, parsePattern, pathCovered } from "../../src/base/host-pattern.ts";
import { readWebAddress } from "../../src/base/web-address.ts";
import { explainBatch } from "../../src/guard/explain.ts";
import { hostMatches } from "../../src/guard/matching/patterns.ts";

const batch = (urls: readonly string[], addresses?: (host: string) => readonly string[] | undefined) =>
  explainBatch(
    urls.map((url, at) => ({ id: String(at), tool: "fetch", input: { url } })),
    "/w",
    () => ({ problem: "unknown tool" }),
    addresses,
  );
const corpus = (name: string) =>
  readFileSync(new URL(`./assess/corpus/${name}.txt`, import.meta.url), "utf8")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
const wrongly = (urls: readonly string[], wanted: string) =>
  batch(urls).flatMap(({ verdict }, at) => (verdict === wanted ? [] : [`${verdict} ${urls[at]}`]));

test("addresses inside are refused in every spelling that public tests know", () => {
  expect(wrongly(corpus("web-inside"), "deny")).toEqual([]);
});

test("ordinary addresses are asked for, never refused", () => {
  expect(wrongly(corpus("web-honest"), "ask")).toEqual([]);
});

const octets = fc.oneof(
  fc.tuple(fc.constant(127), fc.nat(255), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(10), fc.nat(255), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(192), fc.constant(168), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(172), fc.integer({ min: 16, max: 31 }), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(169), fc.constant(254), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.constant(100), fc.integer({ min: 64, max: 127 }), fc.nat(255), fc.nat(255)),
  fc.tuple(fc.integer({ min: 224, max: 255 }), fc.nat(255), fc.nat(255), fc.nat(255)),
);
type Octets = [number, number, number, number];
const hex = (value: number, width = 0) => value.toString(16).padStart(width, "0");
const whole = ([a, b, c, d]: Octets) => a * 2 ** 24 + b * 65536 + c * 256 + d;
const dotted = (o: Octets) => o.join(".");
const pairs = ([a, b, c, d]: Octets) => `${hex(a * 256 + b)}:${hex(c * 256 + d)}`;
const lettered = (text: string, make: (digit: number) => string) => text.replace(/\d/g, (digit) => make(Number(digit)));

const spellings: Record<string, (o: Octets) => string> = {
  plain: dotted,
  "final dot": (o) => `${dotted(o)}.`,
  decimal: (o) => String(whole(o)),
  hexadecimal: (o) => `0x${hex(whole(o))}`,
  "capital hexadecimal": (o) => `0X${hex(whole(o)).toUpperCase()}`,
  octal: (o) => `0${whole(o).toString(8)}`,
  "dotted hexadecimal": (o) => o.map((part) => `0x${hex(part)}`).join("."),
  "dotted octal": (o) => o.map((part) => `0${part.toString(8)}`).join("."),
  "padded octal": (o) => o.map((part) => part.toString(8).padStart(7, "0")).join("."),
  "two parts": ([a, b, c, d]) => `${a}.${b * 65536 + c * 256 + d}`,
  "three parts": ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  mixed: ([a, b, c, d]) => `0x${hex(a)}.${b}.0${(c * 256 + d).toString(8)}`,
  overflow: ([a, b, c, d]) => `${a + 256}.${b}.${c}.${d}`,
  "percent-encoded": (o) => [...dotted(o)].map((char) => `%${hex(char.charCodeAt(0))}`).join(""),
  "doubly encoded": (o) => [...dotted(o)].map((char) => `%25${hex(char.charCodeAt(0))}`).join(""),
  "full width": (o) => lettered(dotted(o), (digit) => String.fromCodePoint(0xff10 + digit)),
  "in circles": (o) => lettered(dotted(o), (digit) => (digit === 0 ? "⓪" : String.fromCodePoint(0x245f + digit))),
  "mathematical digits": (o) => lettered(dotted(o), (digit) => String.fromCodePoint(0x1d7ce + digit)),
  "other digits": (o) => lettered(dotted(o), (digit) => String.fromCodePoint(0x660 + digit)),
  "ideographic stops": (o) => o.join("。"),
  "full width stops": (o) => o.join("．"),
  "zero width": (o) => o.join("\u200b."),
  mapped: (o) => `[::ffff:${dotted(o)}]`,
  "mapped in hexadecimal": (o) => `[::ffff:${pairs(o)}]`,
  "mapped in full": (o) => `[0:0:0:0:0:FFFF:${pairs(o)}]`,
  compatible: (o) => `[::${dotted(o)}]`,
  translated: (o) => `[64:ff9b::${dotted(o)}]`,
  "translated locally": (o) => `[64:ff9b:1::${pairs(o)}]`,
  "6to4": (o) => `[2002:${pairs(o)}::1]`,
  Teredo: ([a, b, c, d]) => `[2001:0:1:2:3:4:${pairs([255 - a, 255 - b, 255 - c, 255 - d])}]`,
  "with a zone": (o) => `[::ffff:${dotted(o)}%25eth0]`,
  "wildcard DNS": (o) => `${dotted(o)}.nip.io`,
  "wildcard DNS with dashes": (o) => `x-${o.join("-")}.sslip.io`,
};
const tricks: Record<string, (host: string) => string> = {
  plain: (host) => `http://${host}/`,
  secure: (host) => `https://${host}/a?b#c`,
  port: (host) => `http://${host}:8080/`,
  capitals: (host) => `HTTP://${host.toUpperCase()}/`,
  "user name": (host) => `http://example.com@${host}/`,
  "user name and password": (host) => `http://example.com:80@${host}/`,
  "after a fragment": (host) => `http://example.com#@${host}/`,
  "after a query": (host) => `http://example.com?@${host}/`,
  "after a backslash": (host) => `http://example.com\\@${host}/`,
  "before a user name": (host) => `http://${host}@example.com/`,
  "one slash": (host) => `http:/${host}/`,
  "no slash": (host) => `http:${host}/`,
  "three slashes": (host) => `http:///${host}/`,
  backslashes: (host) => `http:\\\\${host}/`,
  tab: (host) => `http://${host.slice(0, 1)}\t${host.slice(1)}/`,
  newline: (host) => `ht\ntp://${host}/`,
  "leading space": (host) => ` http://${host}/`,
  "encoded end": (host) => `http://${host}%2f@example.com/`,
  "two ports": (host) => `http://${host}:80:8080/`,
  "two hosts": (host) => `http://example.com:80@${host}:80@example.org/`,
  "another scheme": (host) => `gopher://${host}:70/_x`,
};

test.each(Object.keys(spellings))("an address inside is refused when written %s, whatever trick carries it", (name) => {
  fc.assert(
    fc.property(octets, fc.constantFrom(...Object.keys(tricks)), (address, trick) => {
      const url = tricks[trick]?.(spellings[name]?.(address) ?? "") ?? "";
      expect(wrongly([url], "deny")).toEqual([]);
    }),
    { numRuns: 150 },
  );
});

describe("names", () => {
  test.each([
    "http://localhost/",
    "http://LOCALHOST:3000/",
    "http://localhost./",
    "http://a.localhost/",
    "http://ⓛocalhost/",
    "http://lo\u00adcalhost/",
    "http://metadata.google.internal/computeMetadata/v1/",
    "http://metadata/",
    "http://kubernetes.default.svc.cluster.local/",
    "http://foo.localtest.me/",
    "https://intranet/",
    "https://example.com/?u=http://169.254.169.254/latest/",
    "https://example.com/go/http%3A%2F%2F169.254.169.254%2F",
    "http://1.1.1.1 &@2.2.2.2# @3.3.3.3/",
    "http://exаmple.com/",
    "http://0x8.8.8.8/",
    "file:///etc/passwd",
    "jar:http://example.com!/",
    "javascript:alert(1)",
    "//example.com/",
    "http://",
    "http://[::1",
  ])("%s is refused", (url) => expect(wrongly([url], "deny")).toEqual([]));

  test.each([
    "https://münchen.de/",
    "https://例え.jp/",
    "https://git@github.com/a/b.git",
    "https://example.com?email=a@b.com",
    "https://example.com/a b|c\\d",
    "https://web.archive.org/web/2020/http://localhost:8080/",
    "https://my-.github.io/",
    "https://foo_bar.example.com/",
    "https://[2606:4700:4700::1111]:8443/",
    "http://1.1.1.1/",
    "https://nip.io/",
    "https://example.com:443/",
    "HTTPS://EXAMPLE.COM./",
  ])("%s is asked for", (url) => expect(wrongly([url], "ask")).toEqual([]));
});

test("names that are known to lead inside are refused, those that lead out are asked for", () => {
  const known: Record<string, string[]> = {
    "good.example": ["93.184.216.34", "2606:2800:220:1::1"],
    "test.example": ["203.0.113.7"],
    "bad.example": ["10.1.2.3"],
    "half.example": ["93.184.216.34", "::1"],
    "mapped.example": ["::ffff:169.254.169.254"],
  };
  const urls = [...Object.keys(known), "unknown.example"].map((host) => `https://${host}/`);
  const verdicts = batch([...urls, "https://BAD.example./x"], (host) => known[host]).map(({ verdict }) => verdict);
  expect(verdicts).toEqual(["ask", "ask", "deny", "deny", "deny", "ask", "deny"]);
});

test("one host comes out of every address that is read, and it is the one that will be reached", () => {
  fc.assert(
    fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
      const read = readWebAddress(url);
      if ("problem" in read) return;
      expect(new URL(url).hostname.replace(/\.$/, "").replace(/^\[|\]$/g, "")).toBe(read.host);
    }),
  );
});

test("patterns: method and path narrow what is fetched, not what is forbidden", () => {
  const matches = (pattern: string, url: string, wide = false) => hostMatches(new URL(url).host, pattern, wide, url);
  expect(matches("GET api.example.com/v1/", "https://api.example.com/v1/users")).toBe(true);
  expect(matches("api.example.com/v1", "https://api.example.com/v1")).toBe(true);
  expect(matches("api.example.com/v1", "https://api.example.com/v10")).toBe(false);
  expect(matches("api.example.com/v1", "https://api.example.com/v1/../admin")).toBe(false);
  expect(matches("api.example.com/v1", "https://api.example.com/v1/%2e%2e%2fadmin")).toBe(false);
  expect(matches("POST api.example.com", "https://api.example.com/")).toBe(false);
  expect(matches("POST api.example.com/v1", "https://api.example.com/v2", true)).toBe(true);
  expect(hostMatches("api.example.com", "GET api.example.com/v1/")).toBe(false);
  expect(matches("*.example.com:8443/a", "https://x.example.com:8443/a/b")).toBe(true);
  expect(matches("*.example.com", "https://example.com.evil.net/")).toBe(false);
  expect(pathCovered("/a;/../b", "/a")).toBe(false);
});

test("an address inside is granted as itself alone", () => {
  const named = (pattern: string, name: string, port?: string) =>
    isNamedInside(parsePattern(pattern), { name, port, ownPort: "80" });
  expect(named("localhost:3000", "localhost", "3000")).toBe(true);
  expect(named("[::1]:3000", "::1", "3000")).toBe(true);
  expect(named("localhost", "localhost", "3000")).toBe(false);
  expect(named("*:3000", "localhost", "3000")).toBe(false);
  expect(named("169.254.169.254:80", "169.254.169.254")).toBe(false);
  expect(named("printer.local:80", "printer.local")).toBe(false);
});
