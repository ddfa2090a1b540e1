// One URL, one host: what programs could read in different ways is no address. Both readings are looked at, that of
// browsers (WHATWG) and the plain one of RFC 3986, and the host must be written as it will be reached.
import { classifyHost, type HostClass } from "./address.ts";

interface WebAddress {
  url: URL;
  /** Lower case, ASCII, without a final dot; IPv6 without brackets. */
  host: string;
  /** `host` or `host:port`; the port only when it is not the scheme's own. */
  target: string;
  kind: HostClass;
  /** A user name or password stands in it. */
  credentials: boolean;
  /** The host is spelled with other letters than ASCII, or by their code. */
  international: boolean;
  /** Letters of scripts that look like each other stand in one word of it. */
  mixed: boolean;
}

/** `ambiguous`: programs would disagree on the host. */
type WebReading = WebAddress | { problem: string; code: "not-a-url" | "scheme" | "ambiguous" | "user-name" };

const disagree = { problem: "is spelled so that programs disagree on its host", code: "ambiguous" } as const;
const hides = { problem: "hides its host behind a user name", code: "user-name" } as const;

const control = new RegExp("[\\u0000-\\u001f\\u007f\\u2028\\u2029]");
const plainAuthority = /^(?:([^@]*)@)?(\[[0-9a-f:.]+\]|[\p{L}\p{N}\p{M}\p{So}._-]+)(?::(\d{0,5}))?$/iu;

export function readWebAddress(given: string): WebReading {
  const text = given.replace(/^[ \n]+|[ \n]+$/g, "");
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && !/^https?$/.test(scheme) && !/^[\w.-]+:\d+(\/|$)/.test(text))
    return { problem: `uses ${scheme}:, only http and https are fetched`, code: "scheme" };
  if (!url || (url.protocol !== "http:" && url.protocol !== "https:"))
    return { problem: "is not an address that can be fetched", code: "not-a-url" };
  if (control.test(text)) return disagree;
  const rest = /^https?:\/\/(?=[^/\\])(.*)$/isu.exec(text)?.[1];
  const written = rest === undefined ? undefined : /^[^/?#]*/.exec(rest)?.[0];
  if (rest === undefined || written === undefined) return disagree;
  if (written.includes("\\")) return disagree;
  const late = lateHost(rest, written);
  if (late) return late;
  return addressOf(url, written);
}

/** `http://a.example#@b.example/`: a program that ends the host at the first slash alone reaches another one. */
function lateHost(rest: string, written: string): WebReading | undefined {
  const naive = /^[^/\\]*/.exec(rest)?.[0] ?? "";
  const tail = naive.slice(written.length);
  const at = tail.lastIndexOf("@");
  if (at < 0) return undefined;
  const named = tail.slice(at + 1).replace(/[?#&;].*$/s, "");
  const kind = classifyHost(named.replace(/:\d*$/, ""));
  const parameter = tail.slice(0, at).includes("=");
  return parameter && (kind === "public" || kind === "invalid" || !/[.:\d]|localhost/i.test(named)) ? undefined : hides;
}

const lookAlike = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Coptic}]/u;

function addressOf(url: URL, written: string): WebReading {
  const found = plainAuthority.exec(written);
  if (!found) return written.includes("@") && !/[%\s]/.test(written) ? hides : disagree;
  const [, user, name = "", port] = found;
  if (user !== undefined && !plainUser(user)) return hides;
  if (!sameHost(name, url.hostname) || (port !== undefined && port !== "" && !samePort(port, url))) return disagree;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  return {
    url,
    host,
    target: `${host.includes(":") ? `[${host}]` : host}${url.port === "" ? "" : `:${url.port}`}`,
    kind: classifyHost(host),
    credentials: user !== undefined,
    mixed: name.split(".").some((label) => /\p{Script=Latin}/u.test(label) && lookAlike.test(label)),
    international: /[^\u0000-\u007f]/.test(name) || /(^|\.)xn--/.test(host),
  };
}

/** A name and perhaps a password, none of which could be taken for a host. */
const plainUser = (user: string): boolean => {
  const [name = "", password = ""] = user.split(":", 2);
  return (
    user.split(":").length <= 2 &&
    /^[\w+~-]*$/.test(name) &&
    /^[\w+~!$*-]*$/.test(password) &&
    ![name, password].some((word) => /^(\d+|0x[0-9a-f]*|.*localhost.*|metadata)$/i.test(word))
  );
};

const samePort = (port: string, url: URL): boolean =>
  port === url.port || (url.port === "" && port === (url.protocol === "https:" ? "443" : "80"));

/** Written as it will be reached: no octal or short address, no letters that turn into others. */
function sameHost(written: string, reached: string): boolean {
  const lower = written.toLowerCase();
  if (lower === reached) return true;
  if (lower.startsWith("[")) return classifyHost(lower) === classifyHost(reached) && !lower.includes("%");
  // An international name is spelled in its own letters, and only those were recoded.
  if (!/[^\u0000-\u007f]/.test(lower) || lower.normalize("NFKC") !== lower.normalize("NFC")) return false;
  const labels = lower.split(".");
  // Some programs count in the digits of any script.
  if (labels.some((label) => /^\p{N}+$/u.test(label) && /[^\u0000-\u007f]/.test(label))) return false;
  const recoded = reached.split(".");
  return (
    labels.length === recoded.length &&
    labels.every((label, at) =>
      /[^\u0000-\u007f]/.test(label) ? (recoded[at] ?? "").startsWith("xn--") : label === recoded[at],
    )
  );
}
