import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyHost, dottedIpv4 } from "../../src/base/address.ts";
import addressRows from "./address.json" with { type: "json" };

const table: Record<string, string[]> = addressRows;

for (const [expected, hosts] of Object.entries(table)) {
  test.each(hosts)(`${expected}: %s`, (host) => expect(classifyHost(host)).toBe(expected));
}

test("every spelling of an IPv4 address gets the class of its dotted form", () => {
  fc.assert(
    fc.property(fc.ipV4(), (dotted) => {
      const [a = 0, b = 0, c = 0, d = 0] = dotted.split(".").map(Number);
      const number = a * 2 ** 24 + b * 65536 + c * 256 + d;
      const hex = (value: number) => value.toString(16);
      const spellings = [
        String(number),
        `0x${hex(number)}`,
        `0${number.toString(8)}`,
        `${a}.${b * 65536 + c * 256 + d}`,
        `0x${hex(a)}.${b}.0${(c * 256 + d).toString(8)}`,
        `${dotted}.`,
      ];
      const carried = [`::ffff:${dotted}`, `[::ffff:${hex(a * 256 + b)}:${hex(c * 256 + d)}]`, `64:ff9b::${dotted}`];
      for (const spelling of carried) {
        const kind = classifyHost(dotted);
        expect([spelling, classifyHost(spelling)]).toEqual([spelling, kind === "public" ? "private" : kind]);
      }
      for (const spelling of spellings)
        expect([spelling, classifyHost(spelling)]).toEqual([spelling, classifyHost(dotted)]);
      expect(dottedIpv4(String(number))).toBe(dotted);
    }),
  );
});

test("whatever the URL parser takes as an address is classified as one", () => {
  fc.assert(
    fc.property(fc.oneof(fc.webAuthority(), fc.ipV4Extended(), fc.ipV6(), fc.domain()), (authority) => {
      const text = isIPv6(authority) ? `[${authority}]` : authority;
      if (!URL.canParse(`http://${text}/`)) return;
      const { hostname } = new URL(`http://${text}/`);
      if (!isIPv4(hostname) && !hostname.startsWith("[")) return;
      expect(classifyHost(hostname)).not.toBe("invalid");
      if (!text.includes("@") && !/:\d*$/.test(text)) expect(classifyHost(text)).toBe(classifyHost(hostname));
    }),
  );
});

test("no text makes it throw", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(typeof classifyHost(text)).toBe("string");
    }),
  );
});
