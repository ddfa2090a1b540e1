// What several texts have in common, with holes where they differ; filled again with other words.
import type { Form, Template } from "../../protocol/routine.ts";

/** What several runs of the same work filled into each hole, one value a run. */
export interface Holes {
  /** A row for each parameter, with the value of each run. */
  readonly values: string[][];
}

const forms: Readonly<Record<Form, (text: string) => string>> = {
  "as is": (text) => text,
  lower: (text) => text.toLowerCase(),
  upper: (text) => text.toUpperCase(),
  capital: (text) => text.charAt(0).toUpperCase() + text.slice(1),
};
const formNames = Object.keys(forms) as Form[];

/** Undefined where the texts differ in more than words. New parameters are added to `holes`. */
export function templateOf(texts: readonly string[], holes: Holes): Template | undefined {
  const lines = texts.map((text) => text.split("\n"));
  const count = lines[0]?.length ?? 0;
  if (lines.some((each) => each.length !== count)) return undefined;
  const parts: (Template[number] | Hole)[] = [];
  for (let at = 0; at < count; at += 1) {
    if (at > 0) parts.push("\n");
    parts.push(...lineParts(lines.map((each) => each[at] ?? "")));
  }
  return joined(parts.map((part) => (typeof part === "object" && "found" in part ? parameterFor(part, holes) : part)));
}

interface Hole {
  /** What each text has there. */
  found: string[];
}

/** A version is one word. */
const tokensOf = (text: string): string[] => text.match(/v?\d+(?:\.\d+)+|[\p{L}\p{N}]+|\s+|[^\p{L}\p{N}\s]/gu) ?? [];

/** Words in columns where there are as many of them in all; else what stands between a common beginning and end. */
function lineParts(lines: readonly string[]): (string | Hole)[] {
  const rows = lines.map(tokensOf);
  const [first = []] = rows;
  if (rows.every((row) => row.length === first.length)) return columns(rows, first.length);
  let start = 0;
  const shortest = Math.min(...rows.map((row) => row.length));
  while (start < shortest && rows.every((row) => row[start] === first[start])) start += 1;
  let end = 0;
  while (end < shortest - start && rows.every((row) => row.at(-1 - end) === first.at(-1 - end))) end += 1;
  const middle = rows.map((row) => row.slice(start, row.length - end).join(""));
  return [first.slice(0, start).join(""), { found: middle }, end === 0 ? "" : first.slice(-end).join("")];
}

/** Versions and names with dots and dashes are one value, as far as they differ. */
const glue = /^[.\-_]$/;

function columns(rows: readonly string[][], count: number): (string | Hole)[] {
  const parts: (string | Hole)[] = [];
  for (let at = 0; at < count; at += 1) {
    const found = rows.map((row) => row[at] ?? "");
    const [same = ""] = found;
    if (found.every((each) => each === same)) {
      parts.push(same);
      continue;
    }
    const [before, glued] = [parts.at(-2), parts.at(-1)];
    if (typeof before === "object" && typeof glued === "string" && glue.test(glued)) {
      parts.splice(-2, 2, { found: before.found.map((each, run) => `${each}${glued}${found[run] ?? ""}`) });
    } else if (typeof glued === "object") {
      parts.splice(-1, 1, { found: glued.found.map((each, run) => `${each}${found[run] ?? ""}`) });
    } else parts.push({ found });
  }
  return parts;
}

/** The same values, also in another case, are one parameter. */
function parameterFor({ found }: Hole, { values }: Holes): Template[number] {
  for (const [parameter, known] of values.entries())
    for (const form of formNames)
      if (known.every((value, run) => forms[form](value) === found[run])) return { parameter, form };
  return { parameter: values.push(found) - 1, form: "as is" };
}

function joined(parts: readonly Template[number][]): Template {
  const found: Template[number][] = [];
  for (const part of parts) {
    const last = found.at(-1);
    if (typeof part === "string" && typeof last === "string") found[found.length - 1] = last + part;
    else if (part !== "") found.push(part);
  }
  return found;
}

export const filled = (template: Template, values: readonly string[]): string =>
  template.map((part) => (typeof part === "string" ? part : forms[part.form](values[part.parameter] ?? ""))).join("");

/** As a person reads it, with the names of the parameters. */
export const shownTemplate = (template: Template, names: readonly string[]): string =>
  template.map((part) => (typeof part === "string" ? part : `{{${names[part.parameter] ?? ""}}}`)).join("");

/** Characters that stand in it whatever the values are. */
export const fixedLength = (template: Template): number =>
  template.reduce((sum, part) => sum + (typeof part === "string" ? inkOf(part) : 0), 0);

/** Characters that are seen. */
export const inkOf = (text: string): number => text.replace(/\s/g, "").length;

/** Whether some values, one for each hole, make this text of it. */
export function fits(of: Template, text: string): boolean {
  const template = joined(of);
  const first = template[0];
  let at = typeof first === "string" ? first.length : 0;
  if (typeof first === "string" && !text.startsWith(first)) return false;
  let open = false;
  for (const [index, part] of template.entries()) {
    if (index === 0 && typeof part === "string") continue;
    if (typeof part !== "string") {
      open = true;
      at += 1;
      continue;
    }
    const found = index === template.length - 1 ? text.length - part.length : text.indexOf(part, at);
    if (found < at || !text.startsWith(part, found) || (!open && found !== at)) return false;
    at = found + part.length;
    open = false;
  }
  return open ? at <= text.length : at === text.length;
}
