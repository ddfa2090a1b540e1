// `name = value` in the spellings of programming languages, configuration formats, shells, SQL, XML and prose.
import { promiseOf } from "./names.ts";
import { lineStart } from "./spec.ts";
import { holdsSecret } from "./values.ts";

export interface Range {
  from: number;
  to: number;
}

const nameBefore = /[\w.$-]/;
const mostName = 64;

const joint = new RegExp(
  [
    // `</key><string>`, `" value="`, `<password attribute>`
    /<\/key>\s{0,40}<string>\s{0,40}/,
    // `name string = "…"`, `name As String = "…"`.
    /[ \t]{1,3}(?:As |as )?\*?(?:[sS]tring|str|STRING|char|text)(?:\[\])?\??[ \t]{0,3}=(?![=>])[ \t]{0,24}(?=["'`@])/,
    // `name { get; set; } = "…"`, `name[] = "…"`, `name{"…"}`, `name={"…"}`.
    /[ \t]{0,3}\{[ \t]{0,3}get;[^}\n]{0,40}\}[ \t]{0,3}=[ \t]{0,3}(?=["'@])/,
    /\[\d{0,4}\][ \t]{0,3}=[ \t]{0,3}\{?[ \t]{0,2}(?=["'])/,
    /=?\{[ \t]{0,2}(?=["'`])/,
    // Ada.
    /[ \t]{0,3}:[ \t]{0,3}(?:aliased )?constant [A-Za-z_. ]{1,30}:=[ \t]{0,3}(?=")/,
    // YAML: a tag, a block, a value on a line of its own.
    /["']?:[ \t]{1,3}!!?(?:str|string|binary)[ \t]{1,3}/,
    /["']?:[ \t]{0,3}(?:[|>][+-]?[ \t]{0,3})?\r?\n[ \t]{1,24}(?=[^\s"'#:-][^\s:]{5,400}[ \t]{0,4}(?:\r?\n|$))/,
    // `<property name="…"><value>`, `variable "…" { default =`.
    /["'] {0,2}>\s{0,40}<[vV]alue>\s{0,40}/,
    /["'][ \t]{0,3}\{\s{1,20}(?:(?:type|sensitive|description)[^\n]{0,80}\n\s{0,20}){0,4}default[ \t]{0,12}=[ \t]{0,4}(?=")/,
    // A row of a table.
    /[`*]{0,2}[ \t]{1,20}\|[ \t]{1,20}[`*]{0,2}(?=[^\s|`*-])/,
    // A tuple of Erlang, and a setter: only behind `{` and in names that begin with `set`.
    /,[ \t]{1,3}(?=")/,
    /\([ \t]{0,2}(?=["'])/,
    // A declaration with any type.
    /\\?["'`]?[?!]?[ \t]{0,3}:[ \t]{0,2}[A-Za-z_&'][\w&'.<>|?[\], ]{1,60}?[ \t]{0,4}=(?![=>])[ \t]{0,24}(?:(?:Some|Secret|SecretStr|String::from|new String)\()?(?=["'`])/,
    /(?:\\?["']|\b)\s{0,6},?\s{0,40}(?:\\?["'])?[vV]alue(?:\\?["'])?\s{0,4}[:=]\s{0,4}/,
    // A type between name and value, then any sign that gives a value; SQL and prose have words instead.
    /(?:\\?["'`]|&quot;|\*\*)?[\])]?(?:[ \t]{0,3}:[ \t]{0,2}(?:&?(?:'static )?[A-Za-z]{3,8}(?:<\w{1,10}>)?|string \| undefined))?[ \t]{0,24}(?:=>|:{1,3}=|\?=|[.+]=(?!=)|\|\|=|\?\?=|={1,3}|!==?|:(?!:)|->|<-|\|\||\?\?|\bis\b:?|\bBY\b|\bby\b|(?<=[ \t])[-–—](?=[ \t]))[ \t]{0,24}(?:\n[ \t]{1,24}(?=["'`]))?/,
    /(?:["'`])[ \t]{0,4},[ \t]{0,8}(?=["'`])/,
  ]
    .map((each) => each.source)
    .join("|"),
  "y",
);
const element = /(?:["'])?(?: [^<>\n]{0,80})?>(?:[ \t]{0,8}\r?\n[ \t]{0,80})?(?:<!\[CDATA\[)?(?=[^<\n])/y;
const gap = /(?:["'`])?[ \t]{1,8}(?=\S)/y;
const opening = /(?:[rbfuLB@]{1,2}(?=["']))?(?:"""|'''|\\?["'`]|&quot;|&#39;)/y;
const bare = /[^\s"'`<>,;(){}[\]|\\«»]{1,400}/y;
const plain = /[^\s"'`<>{}[\]|\\«»]{1,400}/y;
const longestQuoted = 2200;
const scheme = /^(?:(?:Bearer|Basic|Token|token|ApiKey|SSWS|Bot|key) +|base64:)/;

/** Where the name around a trigger begins and ends; names of several words (`API key`) count as one. */
function nameAround(text: string, at: number): Range {
  let from = at;
  while (from > 0 && at - from < mostName && nameBefore.test(text.charAt(from - 1))) from--;
  let to = at;
  while (to < text.length && to - at < mostName && nameBefore.test(text.charAt(to))) to++;
  const more = /(?:[ ](?:[kK]ey|[tT]oken|[sS]ecret|[pP]assword|KEY|TOKEN|SECRET|PASSWORD)){1,2}(?![\w])/y;
  more.lastIndex = to;
  const next = more.exec(text);
  if (next) to += next[0].length;
  // A sentence's end, `--` of an option and quotes are no part of it.
  while (to > from && /[.-]/.test(text.charAt(to - 1))) to--;
  return { from, to };
}

const fileName = /\.(?:[cm]?[jt]sx?|json|ya?ml|py|rb|go|rs|java|php|md|txt|html?|css|sh|lock|map)$/i;

interface ValuePosition {
  at: number;
  configuration: boolean;
  query: boolean;
}

function valuePlace(text: string, { from, to }: Range): ValuePosition | undefined {
  const first = text.charAt(from - 1);
  const query = /[?&#]/.test(first);
  joint.lastIndex = to;
  const joined = joint.exec(text);
  // A list of words, and the parts of an address such as `arn:…:secret:NAME`, give no values.
  if (joined && /^["'`][ \t]*,/.test(joined[0]) && /,\s*["'`]$/.test(text.slice(Math.max(0, from - 4), from)))
    return undefined;
  if (joined?.[0] === ":" && first === ":") return undefined;
  if (joined?.[0].startsWith(",") && first !== "{") return undefined;
  if (joined?.[0].startsWith("(") && !/(?:^|\.)(?:set|with)_?[A-Z]/.test(text.slice(from, to))) return undefined;
  if (joined) return { at: to + joined[0].length, configuration: configured(text, from, joined[0]), query };
  if (first === "<" || text.slice(to, to + 2) === '">') {
    element.lastIndex = to;
    const found = element.exec(text);
    if (found) return { at: to + found[0].length, configuration: true, query };
  }
  gap.lastIndex = to;
  const spaced = gap.exec(text);
  if (!spaced) return undefined;
  const after = to + spaced[0].length;
  const option = text.startsWith("--", from) || text.startsWith("--", from - 2);
  const keyword = isKeyword(text, from, to);
  const quoted = /["']/.test(text.charAt(after)) && (first === ":" || opensLine(text, from));
  const statement = quoted || (/pass|pwd/i.test(text.slice(from, to)) && /["']/.test(text.charAt(after)));
  return option || keyword || statement ? { at: after, configuration: option || keyword, query } : undefined;
}

const opensLine = (text: string, from: number): boolean =>
  declaresQuoted.test(text.slice(lineStart(text, from, 60), from));

/** Words after which a name and its value follow. */
const declares = /^\s*(?:ENV|setenv|setx|set -[a-zA-Z]{1,3})\s+$/;
const declaresQuoted = /^[ \t]*(?:#[ \t]*define[ \t]+|\((?:setq|setq-default|defvar|defconst|def)[ \t]+)?$/;

/** `password x` of .netrc and of configuration files whose lines begin with a keyword. */
function isKeyword(text: string, from: number, to: number): boolean {
  const name = text.slice(from, to);
  if (declares.test(text.slice(lineStart(text, from, 60), from))) return true;
  if (/^(?:password|requirepass|masterauth|rpcpassword|secret|passwd)$/i.test(name)) {
    const line = text.slice(lineStart(text, from, 120), from);
    return /^\s*$|\blogin\s|\bmachine\s|\buser(?:name)?\s+\S+\s+$/.test(line);
  }
  return false;
}

/** Code says what an unquoted value is by an expression; a configuration, a shell and prose say the value itself. */
function configured(text: string, from: number, sign: string): boolean {
  const line = text.slice(lineStart(text, from, 200), from);
  if (/\b(?:const|let|var|val|final|private|public|static|return|if|def|func|new|await)\b/.test(line)) return false;
  return (
    /^(?:["'`\])*]|&quot;|\\)*\s*(?:=|->|:|:{1,3}=|:[ \t]*(?:!!?\w+|[|>][+-]?)|\?=|[.+]=|is:?|[-–—]|[`*]*\s+\|\s+[`*]*)\s*$|value["']?\s*[:=]\s*$/i.test(
      sign,
    ) || />$/.test(sign)
  );
}

/** The value's own range, without its quotes and without `Bearer` and its like. */
function valueRange(
  text: string,
  { at, query }: ValuePosition,
): (Range & { quoted: boolean; after: string }) | undefined {
  opening.lastIndex = at;
  const quote = opening.exec(text);
  if (!quote) {
    const form = query ? /[^\s"'`<>&#{}[\]|\\«»]{1,400}/y : /[;,(]/.test(text.charAt(at)) ? bare : plain;
    form.lastIndex = at;
    const found = form.exec(text)?.[0];
    if (found === undefined) return undefined;
    const cut = /[;,(]|&\w{2,30}=/.test(found) ? cutOff(found) : found;
    const value = cut.replace(/[.,:;)]+$/, "");
    return { from: at, to: at + value.length, quoted: false, after: text.charAt(at + value.length) };
  }
  const from = at + quote[0].length;
  const mark = quote[0].replace(/^[rbfuLB@]+/, "");
  const to = closing(text.slice(from, from + longestQuoted), mark);
  return to <= 0 ? undefined : { from, to: from + to, quoted: true, after: mark };
}

/** Where the quotation ends that begins with the text; quotes of one letter end with their line. */
function closing(text: string, mark: string): number {
  let to = text.indexOf(mark);
  while (to > 0 && mark.length === 1 && text.charAt(to - 1) === "\\") to = text.indexOf(mark, to + 1);
  const line = mark.length === 3 ? -1 : text.indexOf("\n");
  return line >= 0 && line < to ? -1 : to;
}

/** Connection strings end a value with a semicolon, lists with a comma, calls begin with a parenthesis. */
const cutOff = (found: string): string => found.slice(0, found.search(/[;,(]|&\w{2,30}=/));

export interface Assigned extends Range {
  /** Nothing before this place has to be looked at again. */
  nameEnd: number;
  secret: boolean;
}

/** What the name around `at` is given; `near` is the end of the last vendor's name before it. */
export function assignedAt(text: string, at: number, near: number): Assigned | undefined {
  const name = nameAround(text, at);
  const none = { from: 0, to: 0, nameEnd: name.to, secret: false };
  if (/[/\\«]/.test(text.charAt(name.from - 1)) || fileName.test(text.slice(name.from, name.to))) return none;
  const promised = promiseOf(text.slice(name.from, name.to).replace(/^-D/, ""));
  if (!promised) return none;
  const place = valuePlace(text, name);
  // The verdict of a test.
  if (!place || (text.slice(name.from, name.to) === "PASS" && text.charAt(name.to) === ":")) return none;
  const range = valueRange(text, place);
  if (!range) return none;
  const start = scheme.exec(text.slice(range.from, range.from + 8))?.[0].length ?? 0;
  const from = range.from + (start < range.to - range.from ? start : 0);
  const vendor = promised.vendor || (name.from - near >= 0 && name.from - near < 60);
  const joined = range.quoted ? text.slice(from, range.to).search(/&[a-z_]{2,30}=/i) : -1;
  const to = joined > 0 ? from + joined : range.to;
  const value = { ...range, text: text.slice(from, to), configuration: place.configuration };
  const secret = holdsSecret(
    { ...promised, vendor, mayBeUuid: promised.mayBeUuid || (vendor && promised.kept !== "vendor") },
    value,
  );
  // A long word is not gone through again from each of the names in it.
  return { from, to, nameEnd: !range.quoted && to - from > 100 ? to : name.to, secret };
}
