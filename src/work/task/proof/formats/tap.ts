import { wholeRun } from "../../machine/floor.ts";
import { type Case, type Outcome, saysBroken } from "./cases.ts";

interface Point {
  indent: number;
  ok: boolean;
  name: string;
  directive: string;
  fields: Map<string, string>;
  /** Comments since the last point, where node:test puts what a file says on stderr. */
  remarks: string;
}

const line = /^( *)(not )?ok\b(?: (\d+))?( -)? ?(.*)$/;
/** What tape says where a test does not end as it should, by itself and not by what it compares. */
const unended = /^(?:test exited without ending|\.end\(\) )/;

/** TAP with the diagnostics of node:test; those of tape and node-tap are understood as well. */
export function tapCases(output: string): Case[] | undefined {
  const points = pointsOf(output);
  if (!/^ *TAP version \d+/m.test(output) && points.length === 0) return undefined;
  const cases = points.filter(isCase).map((point): Case => {
    const outcome = outcomeOf(point);
    const detail = outcome === "passed" || outcome === "skipped" ? "" : detailOf(point);
    return { name: point.name, outcome, detail };
  });
  const end = /^Bail out!.*/m.exec(output)?.[0] ?? thrownAtEnd(output);
  if (end === undefined) return cases;
  // A comparison that throws is one, though the runner gives it no name.
  const compares = /^(?:Uncaught )?AssertionError\b/.test(end);
  return [...cases, { name: compares ? wholeRun : "", outcome: compares ? "assertion" : "error", detail: end }];
}

/**
 * What ended a run before its plan was printed. tape has no point for what a test throws: the process ends, and what failed
 * until then would stand for the whole file.
 */
function thrownAtEnd(output: string): string | undefined {
  if (/^1\.\.\d+/m.test(output)) return undefined;
  return /^(?:Uncaught )?\w*Error\b.*(?:\n(?!\s+at ).*){0,5}(?:\n\s+at .+)+/m.exec(output)?.[0];
}

function pointsOf(output: string): Point[] {
  const points: Point[] = [];
  // tape writes the name of a test above its assertions, which have no dash.
  let title = "";
  let remarks: string[] = [];
  const lines = output.split("\n");
  for (let at = 0; at < lines.length; at += 1) {
    const text = lines[at] ?? "";
    const found = line.exec(text);
    if (!found) {
      title = /^# (?!Subtest: )(.*)$/.exec(text)?.[1]?.trim() ?? title;
      if (/^ *# /.test(text) && !/^ *# Subtest: /.test(text)) remarks.push(text.replace(/^ *# /, ""));
      continue;
    }
    const [, space = "", not, , dash, rest = ""] = found;
    const [, words = "", directive = ""] = /^(.*?)(?:(?<!\\)\s*#\s*((?:skip|todo)\b.*))?$/i.exec(rest) ?? [];
    const block = blockAfter(lines, at, space.length);
    at += block.length;
    const own = words.replaceAll(/\\([#\\])/g, "$1").trim();
    const name = dash === undefined && space === "" && title !== "" ? `${title} › ${own}` : own;
    points.push({
      indent: space.length,
      ok: !not,
      name,
      directive,
      fields: fieldsOf(block, space.length),
      remarks: remarks.join("\n"),
    });
    remarks = [];
  }
  return points;
}

function blockAfter(lines: readonly string[], at: number, indent: number): string[] {
  const mark = `${" ".repeat(indent + 2)}`;
  if (lines[at + 1]?.trimEnd() !== `${mark}---`) return [];
  const end = lines.findIndex((text, index) => index > at + 1 && text.trimEnd() === `${mark}...`);
  return end < 0 ? [] : lines.slice(at + 1, end + 1);
}

/** Top-level keys of the YAML block; a text over several lines is kept as it stands. */
function fieldsOf(block: readonly string[], indent: number): Map<string, string> {
  const fields = new Map<string, string>();
  let key = "";
  const inset = /^ */.exec(block[1] ?? "")?.[0].length ?? 0;
  for (const text of block.slice(1, -1)) {
    const inner = text.slice(Math.max(indent + 2, inset));
    const found = /^([\w-]+):(?: (.*))?$/.exec(inner);
    if (found) {
      key = found[1] ?? "";
      fields.set(key, /^[|>][+-]?$/.test(found[2] ?? "") ? "" : unquoted(found[2] ?? ""));
    } else if (key)
      fields.set(key, `${fields.get(key) ?? ""}${fields.get(key) ? "\n" : ""}${inner.replace(/^ {2}/, "")}`);
  }
  return fields;
}

const unquoted = (text: string): string => /^(['"`])([\s\S]*)\1$/.exec(text)?.[2] ?? text;

/** A suite is no test, and a test that failed only because of its parts is told by them. */
function isCase({ ok, fields }: Point): boolean {
  if (fields.get("type") === "suite" && (ok || fields.get("failureType") === "subtestsFailed")) return false;
  return fields.get("failureType") !== "subtestsFailed";
}

function outcomeOf({ ok, name, directive, fields, remarks }: Point): Outcome {
  if (/^skip/i.test(directive) || (!ok && /^todo/i.test(directive))) return "skipped";
  if (ok) return "passed";
  const failure = fields.get("failureType");
  if (fields.has("exitCode")) return saysBroken(remarks) ? "load" : "error";
  const named = /^(?:\w*\.)?Assertion(?:Error|FailedError)$/.test(fields.get("name") ?? "");
  if (fields.get("code") === "ERR_ASSERTION" || named) return failure === "hookFailed" ? "error" : "assertion";
  if (failure !== undefined) return "error";
  const compares = fields.has("operator") || fields.has("compare") || (fields.has("expected") && fields.has("actual"));
  return compares && !unended.test(name.split(" › ").at(-1) ?? "") ? "assertion" : "error";
}

function detailOf({ name, fields, remarks, directive }: Point): string {
  const compared = fields.has("expected")
    ? `${name}: expected ${fields.get("expected")}, actual ${fields.get("actual")?.trim()}`
    : "";
  const said = fields.get("error") ?? fields.get("message") ?? (directive || compared);
  const told = fields.has("exitCode") && remarks !== "" ? remarks : said;
  return [fields.get("name"), told, fields.get("stack")].filter(Boolean).join("\n").trim();
}
