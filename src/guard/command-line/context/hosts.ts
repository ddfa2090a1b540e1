// Hosts and URLs that a command or a fetch names.
import { classifyHost, type HostClass } from "../../../base/address.ts";
import { secretVariable } from "../../rules/variables.ts";
import { type Context, note } from "./context.ts";
import { hole, Origin, shown, type Text } from "../syntax/text.ts";

export interface Target {
  host: string;
  kind: HostClass;
  scheme: string;
  /** Empty when it is the scheme's own, or none was given. */
  port: string;
}

/** The host of a URL, or of `user@host:path`, `host:port`; undefined when the text names none. */
export function targetOf(text: string): Target | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/*/i.exec(text);
  const rest = scheme && /:\/|:\/\//.test(text.slice(0, scheme[0].length)) ? text.slice(scheme[0].length) : text;
  const authority = /^[^/?#\\]*/.exec(rest)?.[0] ?? "";
  const bare = authority.slice(authority.lastIndexOf("@") + 1);
  const host = /^\[[^\]]*\]/.exec(bare)?.[0] ?? bare.replace(/:.*$/, "");
  const name = scheme?.[1]?.toLowerCase() ?? "";
  const given = /^:(\d+)$/.exec(bare.slice(host.length))?.[1] ?? "";
  if (host === "") return undefined;
  const kind = classifyHost(host);
  const own = (name === "https" && given === "443") || (name === "http" && given === "80");
  return { host: host.toLowerCase(), kind, scheme: name, port: own ? "" : given };
}

const authorityOf = (text: string): string => /^(?:[a-z][a-z0-9+.-]*:\/*)?[^/?#]*/i.exec(text)?.[0] ?? text;

/** `https://host/?k=$TOKEN`: the variable stands inside a word with a scheme or a host. */
const namesSecret = (part: string): boolean =>
  Array.from(part.matchAll(/[\w.-]+[./:][^\s'"]*\$\{?(\w+)/g)).some((found) => secretVariable.test(found[1] ?? ""));

/** A URL or host given to a program that talks to the network. */
export function judgeNetworkWord(text: Text, at: Context): void {
  const { findings } = at.run;
  if (text.holes || text.computed) {
    if (
      text.from & (Origin.file | Origin.secret | Origin.program) &&
      !(text.names && !(text.from & (Origin.file | Origin.secret)))
    )
      note(at, "L3", "network.exfiltrate", "puts the output of a command into a network address", "exfiltrate");
    else if (text.from & Origin.environment && namesSecret(at.part))
      note(at, "L3", "network.exfiltrate", "puts a secret variable into a network address", "exfiltrate");
    else if (text.from & Origin.environment && /\$|…/.test(shown(text)) && /[?=]/.test(text.value))
      note(at, "L2", "network.variable", "puts a variable into a network address", "network");
  }
  const target = targetOf(text.value.split(hole).join("x"));
  // A host that a variable is part of is not known: the words stand for it.
  const known = target && !authorityOf(text.value).includes(hole);
  const place = known ? `${target.host}${target.port === "" ? "" : `:${target.port}`}` : shown(text);
  findings.effect(at.part, "network", place, "irreversible");
  note(at, "L2", "network.host", `uses the network (${target?.host ?? shown(text)})`, "network");
  if (target?.kind === "metadata" || target?.kind === "link-local")
    note(at, "L3", "network.metadata", "reaches the machine's own metadata service", "private-address");
  else if (target && target.kind !== "public" && target.kind !== "invalid") findings.tags.add("private-address");
  if (
    target &&
    /^(file|gopher|dict|ldaps?|tftp|smb|scp|sftp|telnet|jar|netdoc|phar|php|expect)$/.test(target.scheme) &&
    target.scheme !== "file"
  )
    note(at, "L3", "network.scheme", `uses ${target.scheme}:, which smuggles other protocols`, "exfiltrate");
  if (/^[a-z]+:\/\/[^/@\s]+:[^/@\s]+@/i.test(text.value))
    note(at, "L2", "network.credentials", "puts credentials into an address", "network");
  if (
    /(webhook\.site|requestbin|pipedream\.net|ngrok(-free)?\.(io|app)|burpcollaborator\.net|oastify\.com|interact\.sh|oast\.(fun|pro|live|site|online|me)|canarytokens|beeceptor\.com|hookbin\.com|requestcatcher\.com|transfer\.sh|file\.io|0x0\.st|termbin\.com|ix\.io|sprunge\.us|paste\.rs|bashupload\.com|anonfiles|gofile\.io|dnslog\.cn|ceye\.io|\.onion$|trycloudflare\.com|serveo\.net|localtunnel\.me|loca\.lt)/i.test(
      target?.host ?? "",
    )
  )
    note(at, "L3", "network.drop", `reaches a host that is used to carry data away (${target?.host})`, "exfiltrate");
}
