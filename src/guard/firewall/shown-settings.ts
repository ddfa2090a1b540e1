// Settings of package managers and build tools hold a token among much that is no secret: commands see them without the
// values that are, or whole where there is none.
import path from "node:path";
import { plainPath } from "../rules/plain-path.ts";
import { scan } from "./scan.ts";

/** By base name, or by the last two parts. All else that holds secrets is hidden whole. */
const settings =
  /(?:^|\/)(?:\.npmrc|\.yarnrc\.yml|\.pypirc|pip\.conf|pip\.ini|database\.yml|\.m2\/settings\.xml|\.gradle\/gradle\.properties|\.cargo\/credentials(?:\.toml)?)$/;

export const isSettings = (file: string): boolean => settings.test(plainPath(file));

export const largestSettings = 64 * 1024;

/** What the name of a value has to say for the value to be left out. */
const secretName =
  /auth|token|secret|passw|pwd|passphrase|credential|private|otp|(?:^|[^a-z])key(?!file|s?path|store$)|apikey|cert$|^ca$|user(?:name)?$|login|email/i;
/** `NAME = VALUE`, `NAME: VALUE`, each with its indentation; lists and sections are left alone. */
const line = /^([ \t]*(?:-[ \t]+)?["']?)([^\s=:"'#;<>][^=\n]*?)(["']?[ \t]*(?:=|:(?=[ \t]|$))[ \t]*)(.*)$/;
const element = /<([\w.:-]+)([^<>]*)>([^<]*)<\/\1>/g;
const withLogin = /(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/@"'<>]+@/gi;
/** Nothing, a switch, a number, or a reference to a value that stands elsewhere. */
const harmless = /^["']?(?:|true|false|null|~|none|never|always|\d{1,5}|(?:\$\{[^}]*\}|%\w+%|\$\w+|<%=.*%>)+)["']?$/i;
/** Random text that no name tells of. */
const random = /(?<![\w./@:-])(?=[\w+/-]*\d)(?=[\w+/-]*[a-z])[\w+/-]{20,}={0,2}(?![\w./:-])/gi;
/** Values over several lines are not looked through: the file is hidden whole. */
const severalLines = /^[^\n#;]*[:=][ \t]*(?:[|>][-+\d]*[ \t]*$|"""|''')|\\$|-----BEGIN/m;

/**
 * The text without its secret values; the text itself when it holds none, undefined where that cannot be told. It is
 * checked with what finds secrets everywhere else.
 */
export function withoutSecretValues(file: string, text: string): string | undefined {
  if (text.length > largestSettings || text.includes("\0") || severalLines.test(text)) return undefined;
  const shown = path.extname(file) === ".xml" ? elements(text) : text.split("\n").map(lineOf).join("\n");
  const left = shown.replace(withLogin, "$1").replace(random, "");
  return scan(left).some(({ from, to }) => !harmless.test(left.slice(from, to))) ? undefined : left;
}

function lineOf(all: string): string {
  const [, before = "", name = "", between = "", value = ""] = line.exec(all.replace(/\r$/, "")) ?? [];
  if (name === "" || !secretName.test(lastPart(name)) || harmless.test(value.trim())) return all;
  const quote = /^["']/.exec(value)?.[0] ?? "";
  return `${before}${name}${between}${quote}${quote}`;
}

/** `//registry.example.com/:_authToken` is named by its end. */
const lastPart = (name: string): string => name.slice(name.lastIndexOf(":") + 1).trim();

const elements = (text: string): string =>
  text.replace(element, (all, name: string, attributes: string, value: string) =>
    secretName.test(name) && !harmless.test(value.trim()) ? `<${name}${attributes}></${name}>` : all,
  );
