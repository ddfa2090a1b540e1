// The host that a TLS client names in its first message (SNI): a tunnel to one host of a large network must not be used
// to greet another one there.

/** Longest greeting that is waited for. */
const longest = 32 * 1024;

/**
 * `more`: the message is not complete. Undefined: this is no TLS greeting, or it names no host. Encrypted greetings
 * name the host of their outer part.
 */
export function serverName(bytes: Buffer): string | "more" | undefined {
  const message = handshake(bytes);
  if (message === undefined || message === "more") return message;
  try {
    return nameIn(message);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The ClientHello, put together from its records. */
function handshake(bytes: Buffer): Buffer | "more" | undefined {
  const parts: Buffer[] = [];
  let at = 0;
  let got = 0;
  while (true) {
    if (bytes.length > at && bytes[at] !== 0x16) return undefined;
    if (bytes.length > at + 1 && bytes[at + 1] !== 3) return undefined;
    if (bytes.length < at + 5) return bytes.length > longest ? undefined : "more";
    const length = bytes.readUInt16BE(at + 3);
    const part = bytes.subarray(at + 5, at + 5 + length);
    parts.push(part);
    got += part.length;
    const message = Buffer.concat(parts, got);
    if (message.length > 0 && message[0] !== 1) return undefined;
    if (message.length >= 4 && message.length >= 4 + message.readUIntBE(1, 3)) return message;
    if (part.length < length) return bytes.length > longest ? undefined : "more";
    at += 5 + length;
  }
}

function nameIn(message: Buffer): string | undefined {
  let at = 4 + 2 + 32;
  at += 1 + message.readUInt8(at);
  at += 2 + message.readUInt16BE(at);
  at += 1 + message.readUInt8(at);
  const end = Math.min(message.length, at + 2 + message.readUInt16BE(at));
  at += 2;
  while (at + 4 <= end) {
    const kind = message.readUInt16BE(at);
    const length = message.readUInt16BE(at + 2);
    if (kind === 0) {
      const size = message.readUInt16BE(at + 7);
      return message
        .subarray(at + 9, at + 9 + size)
        .toString("latin1")
        .toLowerCase()
        .replace(/\.$/, "");
    }
    at += 4 + length;
  }
  return undefined;
}
