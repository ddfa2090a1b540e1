// The host that a TLS client names in its first message (SNI): a tunnel to one host of a large network must not be used
// to greet another one there.
import { isA, withFallback } from "../../base/fallback.ts";

/** Longest greeting that is waited for. */
const longest = 32 * 1024;

/**
 * `more`: the message is not complete. `strange`: it is TLS, but no greeting that every server reads in the same way.
 * Without a name this is no TLS, or names no host. Encrypted greetings name the host of their outer part.
 */
export type Greeting = { name?: string } | "more" | "strange";

export function serverName(bytes: Buffer): Greeting {
  const message = handshake(bytes);
  if (message === undefined) return {};
  if (typeof message === "string") return message;
  return withFallback("strange", isA(RangeError), () => nameIn(message));
}

/** A record of any kind: what stands before the greeting might be skipped by the server. */
const isRecord = (bytes: Buffer, at: number): boolean => {
  const [kind = 0x16, version = 3] = bytes.subarray(at);
  return kind >= 0x14 && kind <= 0x18 && version === 3;
};

/** The ClientHello, put together from its records. */
function handshake(bytes: Buffer): Buffer | "more" | "strange" | undefined {
  if (!isRecord(bytes, 0)) return undefined;
  const parts: Buffer[] = [];
  let at = 0;
  let got = 0;
  while (true) {
    if (!isRecord(bytes, at) || (bytes.length > at && bytes[at] !== 0x16)) return "strange";
    if (bytes.length < at + 5) return bytes.length > longest ? "strange" : "more";
    const length = bytes.readUInt16BE(at + 3);
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    got += part.length;
    const message = Buffer.concat(parts, got);
    if (length === 0 || (message.length > 0 && message[0] !== 1)) return "strange";
    if (message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3)) return message;
    if (part.length < length) return bytes.length > longest ? "strange" : "more";
    at += 5 + length;
  }
}

function nameIn(message: Buffer): { name?: string } | "strange" {
  let at = 4 + 2 + 32;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const length = 4 + message.readUIntBE(1, 3);
  if (at === length) return {};
  const end = at + 2 + message.readUInt16BE(at);
  if (end !== length) return "strange";
  const names: string[] = [];
  for (at += 2; at < end; at += 4 + message.readUInt16BE(at + 2)) {
    if (message.readUInt16BE(at) !== 0) continue;
    const size = message.readUInt16BE(at + 7);
    // One list, with one name of the only kind there is.
    if (message.readUInt16BE(at + 2) !== size + 5 || message.readUInt16BE(at + 4) !== size + 3) return "strange";
    if (message.readUInt8(at + 6) !== 0 || at + 9 + size > end) return "strange";
    names.push(message.toString("latin1", at + 9, at + 9 + size));
  }
  if (at !== end || names.length > 1) return "strange";
  return names[0] === undefined ? {} : { name: names[0].toLowerCase().replace(/\.$/, "") };
}
