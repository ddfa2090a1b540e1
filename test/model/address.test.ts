import { isIPv4, isIPv6 } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { classifyHost, dottedIpv4 } from "../../src/base/address.ts";

const table: Record<string, string[]> = {
  loopback: [
    "127.0.0.1",
    "127.1",
    "127.255.255.254",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0177.0.0.1",
    "017700000001",
    "0",
    "0.0.0.0",
    "localhost",
    "LOCALHOST",
    "localhost.",
    "a.b.localhost",
    "::1",
    "[::1]",
    "0:0:0:0:0:0:0:1",
    "::",
    "::ffff:127.0.0.1",
    "[::ffff:7f00:1]",
    "::127.0.0.1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "127.0.0.1.",
    "１２７.0.0.1",
    "①②⑦.0.0.1",
    "127。0。0。1",
    "%31%32%37.0.0.1",
    "::ffff:0:127.0.0.1",
    "::1%lo",
    "0x7f.0x0.0x0.0x1",
    "127.0.0.1.nip.io",
    "app-127-0-0-1.example.com",
    "2001:0:0:0:0:0:80ff:fffe",
  ],
  private: [
    "10.0.0.1",
    "10.1",
    "172.16.0.1",
    "172.31.255.255",
    "192.168.1.1",
    "0xc0a80101",
    "3232235777",
    "100.64.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "198.18.0.1",
    "fc00::1",
    "fd12:3456::1",
    "ff02::1",
    "2001:db8::1",
    "2001::1",
    "printer",
    "nas.local",
    "db.internal",
    "::ffff:10.0.0.1",
    "2002:a00:1::",
    "0.1.2.3",
    "fec0::1",
    "::ffff:8.8.8.8",
    "64:ff9b::8.8.8.8",
    "2002:808:808::1",
    "2001:20::1",
    "3ffe::1",
    "192.31.196.1",
    "a.10.0.0.1.example.com",
    "foo.lvh.me",
    "7f000001.nip.io",
    "kubernetes.default.svc",
    "vault.service.consul",
    "1.0.0.127.in-addr.arpa",
  ],
  "link-local": ["169.254.1.1", "fe80::1", "fe80::1%eth0", "[fe80::1%25eth0]", "febf::1"],
  metadata: [
    "169.254.169.254",
    "0xa9fea9fe",
    "2852039166",
    "0251.0376.0251.0376",
    "::ffff:169.254.169.254",
    "fd00:ec2::254",
    "metadata.google.internal",
    "100.100.100.200",
    "169.254.170.2",
  ],
  public: [
    "8.8.8.8",
    "134744072",
    "example.com",
    "EXAMPLE.com.",
    "2606:4700::1111",
    "172.32.0.1",
    "nip.io",
    "1.2.3.4.example.com",
    "a-.example.com",
    "münchen.de",
  ],
  invalid: [
    "",
    "256.1.1.1",
    "1.2.3.4.5",
    "1.2.3.09",
    "a..b",
    "exa mple.com",
    "::1::",
    "1:2:3",
    "[::1",
    "a/b",
    "-a.com",
    "4294967296",
    "%zz%31.com/",
  ],
};

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
