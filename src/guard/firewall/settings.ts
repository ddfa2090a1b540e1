// `NAME=value` of an environment file. A value may go over several lines: in quotes, as a key in armour, behind `<<WORD`, or
// with a backslash at the end of a line.
import { looksChosen } from "./patterns/entropy.ts";
import { promiseOf } from "./patterns/names.ts";

export interface Setting {
  name: string;
  /** Without its quotes. */
  value: string;
  from: number;
}

const name = /^[^\S\n]*(?:[^\n]{0,10}?[\t|:→])?(?:export[ \t]+)?(?<name>[A-Za-z_][\w.-]*)[ \t]*=[ \t]*/gm;
/** What may follow a quoted value on its last line. */
const lineEnd = /[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y;
const armour = /-----BEGIN [^\n-]{1,60}-----(?:(?!-----)[\s\S]){1,20000}-----END [^\n-]{1,60}-----/y;
const behindWord = /<<[-~]?["']?(\w{1,40})["']?[ \t\r]*\n/y;
const bare = /(?:\\\r?\n|[^\n#«])+/y;
/** A longer one is none. */
const longest = 20_000;

/** `resolveAdmin = resolve`: a line of a program, beside a file of settings in the same output. */
const isCode = (line: string, named: string, value: string): boolean =>
  /\s=\s/.test(line) &&
  /[a-z]/.test(named) &&
  promiseOf(named) === undefined &&
  /^(?:new |await |async |typeof |!|\()?[A-Za-z_$][\w$]*(?:[.([][^"'`\n]*)?[;,]?$/.test(value) &&
  value.split(/[^\w$]+/).every((piece) => !looksChosen(piece));

/** In the order of the text, none within another. */
export function settingsIn(text: string): Setting[] {
  const settings: Setting[] = [];
  const find = new RegExp(name);
  for (let match = find.exec(text); match; match = find.exec(text)) {
    const found = valueAt(text, match.index + match[0].length);
    if (!found) continue;
    const value = text.slice(found.from, found.to);
    if (value === "" || value.includes("«secret:")) continue;
    const bareAt = match.index + match[0].length === found.from;
    if (bareAt && isCode(match[0], match.groups?.["name"] ?? "", value.trimEnd())) continue;
    settings.push({ name: match.groups?.["name"] ?? "", value, from: found.from });
    find.lastIndex = Math.max(find.lastIndex, found.to);
  }
  return settings;
}

interface Range {
  from: number;
  to: number;
}

function valueAt(text: string, at: number): Range | undefined {
  return quoted(text, at) ?? armoured(text, at) ?? untilWord(text, at) ?? unquoted(text, at);
}

function quoted(text: string, at: number): Range | undefined {
  const mark = /^(?:"""|'''|["'`])/.exec(text.slice(at, at + 3))?.[0];
  if (mark === undefined) return undefined;
  const from = at + mark.length;
  let to = text.indexOf(mark, from);
  while (to > 0 && mark !== "'" && text.charAt(to - 1) === "\\") to = text.indexOf(mark, to + 1);
  if (to <= from || to - from > longest) return undefined;
  const line = text.slice(from, to).includes("\n");
  lineEnd.lastIndex = to + mark.length;
  return line && !lineEnd.test(text) ? undefined : { from, to };
}

function armoured(text: string, at: number): Range | undefined {
  armour.lastIndex = at;
  const found = armour.exec(text);
  return found ? { from: at, to: at + found[0].length } : undefined;
}

function untilWord(text: string, at: number): Range | undefined {
  behindWord.lastIndex = at;
  const found = behindWord.exec(text);
  if (!found) return undefined;
  const from = at + found[0].length;
  const end = new RegExp(`^[ \\t]*${found[1] ?? ""}[ \\t\\r]*$`, "m").exec(text.slice(from, from + longest));
  return end && end.index > 0 ? { from, to: from + end.index - 1 } : undefined;
}

/** A quotation that does not end gives its line. */
function unquoted(text: string, at: number): Range | undefined {
  const from = /["'`]/.test(text.charAt(at)) ? at + 1 : at;
  bare.lastIndex = from;
  const found = bare.exec(text)?.[0].trimEnd();
  return found ? { from, to: from + found.length } : undefined;
}
