// Git's packet lines (gitprotocol-common, gitprotocol-pack): four hexadecimal digits of length, then the line.

export const flush = "0000";

export function packet(line: string): string {
  const length = Buffer.byteLength(line) + 4;
  return `${length.toString(16).padStart(4, "0")}${line}`;
}

/** More than any repository has references; empty ones cost more to hold than to send. */
const mostPackets = 2_000_000;

/** Null for a flush. Undefined: these bytes are no packets. */
export function packets(bytes: Buffer): (Buffer | null)[] | undefined {
  const found: (Buffer | null)[] = [];
  for (let at = 0; at < bytes.length; ) {
    const digits = bytes.toString("latin1", at, at + 4);
    if (!/^[0-9a-f]{4}$/i.test(digits) || found.length === mostPackets) return undefined;
    const length = Number.parseInt(digits, 16);
    if (length === 0) found.push(null);
    else if (length < 4 || at + length > bytes.length) return undefined;
    else found.push(bytes.subarray(at + 4, at + length));
    at += Math.max(4, length);
  }
  return found;
}

export interface Advertisement {
  /** By full name. */
  refs: Map<string, string>;
  capabilities: string[];
}

/** What a server of git over HTTP offers; undefined when the answer is none of git's. */
export function readAdvertisement(bytes: Buffer, service: string): Advertisement | undefined {
  const all = packets(bytes);
  if (all?.[0]?.toString("utf8").trim() !== `# service=${service}`) return undefined;
  const refs = new Map<string, string>();
  let capabilities: string[] = [];
  for (const line of all.slice(1)) {
    if (line === null) continue;
    const [head = "", offered] = line.toString("utf8").replace(/\n$/, "").split("\0");
    if (offered !== undefined) capabilities = offered.split(" ").filter(Boolean);
    const entry = /^([0-9a-f]{40}|[0-9a-f]{64}) (\S+)$/.exec(head);
    if (entry?.[1] !== undefined && entry[2] !== undefined && entry[2] !== "capabilities^{}")
      refs.set(entry[2], entry[1]);
  }
  return { refs, capabilities };
}

/** What became of a push: undefined when it went well, else why not; and what the server told meanwhile. */
export function readReport(bytes: Buffer, reference: string, sideBand: boolean): { why?: string; said: string } {
  const outer = packets(bytes);
  if (!outer) return { why: "the answer to the push cannot be read", said: "" };
  const lines = outer.filter((line) => line !== null);
  const band = (wanted: number) =>
    Buffer.concat(lines.filter((line) => line[0] === wanted).map((line) => line.subarray(1)));
  const said = sideBand ? band(2).toString("utf8").trim() : "";
  const fatal = sideBand ? band(3).toString("utf8").trim() : "";
  if (fatal !== "") return { why: fatal, said };
  const report = (sideBand ? (packets(band(1)) ?? []) : outer).map((line) => line?.toString("utf8").trim() ?? "");
  const unpack = report.find((line) => line.startsWith("unpack "));
  if (unpack !== "unpack ok") return { why: unpack ?? "it did not say that it took the objects", said };
  const refused = report.find((line) => line.startsWith(`ng ${reference} `));
  if (refused !== undefined) return { why: refused.slice(`ng ${reference} `.length), said };
  return report.includes(`ok ${reference}`) ? { said } : { why: "it did not say that it took the branch", said };
}
