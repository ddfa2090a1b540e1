// Where a host name or address leads, judged from its spelling alone. A public name may still resolve to a private
// address: who connects must classify the resolved address again.

export type HostClass = "public" | "loopback" | "private" | "link-local" | "metadata" | "invalid";

/** `host` as it stands in a URL or a command: no port; IPv6 with or without brackets, with or without a zone. */
export function classifyHost(host: string): HostClass {
  const name = canonicalName(host);
  if (name === undefined) return "invalid";
  if (name.includes(":")) {
    const groups = parseIpv6(name);
    return groups ? classifyIpv6(groups) : "invalid";
  }
  const labels = name.split(".");
  if (isNumeric(labels.at(-1) ?? "")) {
    const address = parseIpv4(labels);
    return address === undefined ? "invalid" : classifyIpv4(address);
  }
  return classifyName(name, labels);
}

/** Dotted decimal of an IPv4 address in any spelling (`0x7f.1`, `2130706433`, `0177.0.0.1`); undefined when it is none. */
export function dottedIpv4(host: string): string | undefined {
  const name = canonicalName(host);
  const address = name === undefined || name.includes(":") ? undefined : parseIpv4(name.split("."));
  return address === undefined ? undefined : octets(address).join(".");
}

/** Addresses of examples (RFC 5737, 3849, 9637): nobody has them, but test networks use them as public ones. */
export function isDocumentation(host: string): boolean {
  const name = canonicalName(host);
  if (name === undefined) return false;
  const groups = name.includes(":") ? parseIpv6(name) : undefined;
  if (groups) {
    const [first = 0, second = 0] = groups;
    return (first === 0x2001 && second === 0xdb8) || (first === 0x3fff && second < 0x1000);
  }
  return /^(192\.0\.2|198\.51\.100|203\.0\.113)\.\d+$/.test(dottedIpv4(name) ?? "");
}

/** As resolvers and URL parsers see it: percent escapes and look-alike digits resolved, lower case, no brackets, no final dot. */
function canonicalName(host: string): string | undefined {
  let name = host;
  if (/%[0-9a-f]{2}/i.test(name) && !name.includes(":")) {
    try {
      name = decodeURIComponent(name);
    } catch {
      return undefined;
    }
  }
  name = name
    .normalize("NFKC")
    .replace(/[\u00AD\u200B-\u200D\u2060\uFEFF]/g, "")
    .replaceAll("\u3002", ".")
    .toLowerCase();
  if (name.startsWith("[") !== name.endsWith("]")) return undefined;
  name = name.replace(/^\[(.*)\]$/, "$1").replace(/\.$/, "");
  if (name === "" || name.length > 253) return undefined;
  if (/[\s/\\@?#<>^|"`{}[\]\u0000-\u001f\u007f]/.test(name)) return undefined;
  return name.split(".").includes("") && !name.includes(":") ? undefined : name;
}

const isNumeric = (label: string): boolean => /^(\d+|0x[0-9a-f]*)$/.test(label);

function parseNumber(label: string): number | undefined {
  if (/^0x[0-9a-f]*$/.test(label)) return label === "0x" ? 0 : Number.parseInt(label.slice(2), 16);
  if (/^0[0-7]*$/.test(label)) return Number.parseInt(label, 8);
  return /^[1-9]\d*$/.test(label) ? Number(label) : undefined;
}

function parseIpv4(labels: readonly string[]): number | undefined {
  if (labels.length > 4) return undefined;
  const numbers = labels.map(parseNumber);
  let address = 0;
  for (const [index, number] of numbers.entries()) {
    const last = index === numbers.length - 1;
    const limit = last ? 256 ** (5 - numbers.length) : 256;
    if (number === undefined || number >= limit) return undefined;
    address += last ? number : number * 256 ** (3 - index);
  }
  return address;
}

const octets = (address: number): number[] => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);
const ipv4 = (dotted: string): number => dotted.split(".").reduce((sum, part) => sum * 256 + Number(part), 0);

const metadataIpv4 = new Set(
  [
    "169.254.169.254",
    "169.254.170.2",
    "169.254.170.23",
    "100.100.100.200",
    "168.63.129.16",
    "192.0.0.192",
    "192.80.8.124",
  ].map(ipv4),
);
/** Everything that no host on the public internet has: first address, prefix length, class. */
const specialIpv4: readonly [number, number, HostClass][] = (
  [
    ["0.0.0.0", 32, "loopback"],
    ["127.0.0.0", 8, "loopback"],
    ["169.254.0.0", 16, "link-local"],
    ["0.0.0.0", 8, "private"],
    ["10.0.0.0", 8, "private"],
    ["100.64.0.0", 10, "private"],
    ["172.16.0.0", 12, "private"],
    ["192.0.0.0", 24, "private"],
    ["192.0.2.0", 24, "private"],
    ["192.31.196.0", 24, "private"],
    ["192.52.193.0", 24, "private"],
    ["192.88.99.0", 24, "private"],
    ["192.168.0.0", 16, "private"],
    ["192.175.48.0", 24, "private"],
    ["198.18.0.0", 15, "private"],
    ["198.51.100.0", 24, "private"],
    ["203.0.113.0", 24, "private"],
    ["224.0.0.0", 3, "private"],
  ] as const
).map(([first, length, kind]) => [ipv4(first), length, kind]);

function classifyIpv4(address: number): HostClass {
  if (metadataIpv4.has(address)) return "metadata";
  for (const [first, length, kind] of specialIpv4) {
    const size = 2 ** (32 - length);
    if (address >= first && address < first + size) return kind;
  }
  return "public";
}

/** Eight groups, or undefined. A zone (`%eth0`) is dropped: it only says which interface. */
function parseIpv6(text: string): number[] | undefined {
  const bare = text.replace(/%.*$/, "");
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(bare);
  let address = bare;
  if (dotted) {
    const low = parseIpv4((dotted[2] ?? "").split("."));
    if (low === undefined) return undefined;
    address = `${dotted[1]}${(low >>> 16).toString(16)}:${(low & 0xffff).toString(16)}`;
  }
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const [head = [], tail = []] = halves.map((half) => (half === "" ? [] : half.split(":")));
  if (![...head, ...tail].every((group) => /^[0-9a-f]{1,4}$/.test(group))) return undefined;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 2 ? missing < 1 : missing !== 0) return undefined;
  return [...head, ...Array<string>(missing).fill("0"), ...tail].map((group) => Number.parseInt(group, 16));
}

function classifyIpv6(groups: readonly number[]): HostClass {
  const [first = 0, second = 0, third = 0] = groups;
  const text = groups.map((group) => group.toString(16)).join(":");
  if (text === "0:0:0:0:0:0:0:0" || text === "0:0:0:0:0:0:0:1") return "loopback";
  if (text === "fd00:ec2:0:0:0:0:0:254" || text === "fd20:ce:0:0:0:0:0:254") return "metadata";
  const embedded = embeddedIpv4(groups);
  if (embedded !== undefined) {
    // Which way such an address is routed depends on the machine, so that none of them counts as public.
    const kind = classifyIpv4(embedded);
    return kind === "public" ? "private" : kind;
  }
  if ((first & 0xffc0) === 0xfe80) return "link-local";
  const routable = (first & 0xe000) === 0x2000;
  // Teredo, benchmarks, ORCHID and their kin; documentation; 6bone; AS112.
  const special =
    (first === 0x2001 && second < 0x200) ||
    (first === 0x2001 && second === 0xdb8) ||
    (first === 0x3fff && second < 0x1000) ||
    first === 0x3ffe ||
    (first === 0x2620 && second === 0x4f && third === 0x8000);
  return routable && !special ? "public" : "private";
}

/** The IPv4 address that a mapped, compatible, translated, 6to4, Teredo or ISATAP address really reaches. */
function embeddedIpv4(groups: readonly number[]): number | undefined {
  const pair = (index: number) => (groups[index] ?? 0) * 65536 + (groups[index + 1] ?? 0);
  const start = (...expected: number[]) => expected.every((group, index) => groups[index] === group);
  if (start(0, 0, 0, 0, 0, 0xffff) || start(0, 0, 0, 0, 0xffff, 0) || start(0, 0, 0, 0, 0, 0)) return pair(6);
  if (start(0x64, 0xff9b, 0, 0, 0, 0)) return pair(6);
  if (start(0x64, 0xff9b, 1)) return pair(6);
  if (start(0x2002)) return pair(1);
  // Teredo hides the client's address by turning its bits over.
  if (start(0x2001, 0)) return ~pair(6) >>> 0;
  if ((groups[4] === 0 || groups[4] === 0x200) && groups[5] === 0x5efe) return pair(6);
  return undefined;
}

const metadataNames = new Set([
  "metadata",
  "metadata.google.internal",
  "metadata.goog",
  "metadata.azure.internal",
  "metadata.tencentyun.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.service.consul",
  "api.metadata.cloud.ibm.com",
  "instance-data",
  "rancher-metadata",
]);
const privateSuffixes =
  "local internal intranet lan home corp private home.arpa localdomain svc consul docker in-addr.arpa ip6.arpa".split(
    " ",
  );
/** Names that lead inside, always or by what stands before them; the sites of the latter are ordinary. */
const insideNames =
  /(^|\.)(localtest\.me|lvh\.(me|pw)|vcap\.me|lacolhost\.com|fuf\.me|ulh\.us|yoogle\.com|localho\.st|local\.sisteron\.dev|localdomain\.pw|localhost\.(pm|direct|run)|127-0-0-1\.org\.uk|bugbounty\.dod\.network|mail\.ebc\.apple\.com|spoofed\.burpcollaborator\.net|r3dir\.me)$|\.(nip\.(io|direct)|sslip\.io|xip\.(io|name)|traefik\.me|backname\.io|ipq\.co|rbndr\.us|rebind\.(network|it)|1u\.ms|cmpxchg8b\.com)$/;

/** `10.0.0.1.example.com`, `app-127-0-0-1.example.com`: an address inside, spelled in a name, is where it leads. */
function spelledAddress(name: string): HostClass | undefined {
  for (const found of name.matchAll(/(?<![\da-z])(\d{1,3})([.-])(\d{1,3})\2(\d{1,3})\2(\d{1,3})(?![\da-z])/g)) {
    const [, a = "", , b = "", c = "", d = ""] = found;
    const address = parseIpv4([a, b, c, d].map((octet) => String(Number(octet))));
    const kind = address === undefined ? "public" : classifyIpv4(address);
    if (kind !== "public" && Number(a) > 0 && Number(a) < 224) return kind;
  }
  return undefined;
}

function classifyName(name: string, labels: readonly string[]): HostClass {
  if (metadataNames.has(name) || name.startsWith("instance-data.")) return "metadata";
  if (labels.at(-1) === "localhost" || name === "localhost.localdomain" || /^(ip6-)?(localhost|loopback)$/.test(name)) {
    return "loopback";
  }
  const wellFormed = labels.every((label) => label.length <= 63 && !label.startsWith("-"));
  if (!wellFormed) return "invalid";
  const spelled = spelledAddress(name);
  if (spelled !== undefined) return spelled;
  const inside =
    insideNames.test(name) || labels.length === 1 || privateSuffixes.some((suffix) => name.endsWith(`.${suffix}`));
  return inside ? "private" : "public";
}
