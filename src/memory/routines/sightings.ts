// Work that was seen: which turns count, and which of them are the same work with other words.
import type { Json } from "../../protocol/message.ts";
import type { Sighting, Template, TemplateJson } from "../../protocol/routine.ts";
import { filled, fits, fixedLength, type Holes, inkOf, templateOf } from "./template.ts";

/** What a routine does, with the values of the runs that it was seen in. */
export interface Pattern {
  steps: { tool: string; input: TemplateJson }[];
  check: Template;
  values: string[][];
  /** The longest that the check was let run, in milliseconds. */
  timeoutMs?: number;
}

const timesSeen = 3;
const most = { parameters: 5, steps: 12, bytes: 24_000 };

/** What is worth remembering: a few steps of a readable size. */
export const isSighting = ({ steps }: Sighting): boolean =>
  steps.length > 0 && steps.length <= most.steps && Buffer.byteLength(JSON.stringify(steps)) <= most.bytes;

/** The same for all sightings that could be of one pattern. */
export const shapeOf = ({ steps, check }: Sighting): string =>
  JSON.stringify([...steps.map(({ tool, input }) => [tool, shapeIn(input)]), firstWord(check)]);

function shapeIn(value: Json): Json {
  if (typeof value === "string") return "text";
  if (Array.isArray(value)) return value.map(shapeIn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, keyedShape(key, each)]));
}

const keyedShape = (key: string, value: Json): Json =>
  key === "command" && typeof value === "string" ? firstWord(value) : shapeIn(value);

const firstWord = (command: string): string => /^\s*(\S*)/.exec(command)?.[1] ?? "";

/** Undefined where what they have in common is not enough to be one piece of work. */
export function patternOf(seen: readonly Sighting[]): Pattern | undefined {
  const [first] = seen;
  if (!first || seen.some((each) => shapeOf(each) !== shapeOf(first))) return undefined;
  const holes: Holes = { values: [] };
  const steps: Pattern["steps"] = [];
  for (const [at, { tool }] of first.steps.entries()) {
    const input = generalised(
      seen.map(({ steps: own }) => own[at]?.input ?? null),
      holes,
    );
    if (!input) return undefined;
    steps.push({ tool, input });
  }
  const check = templateOf(
    seen.map((each) => each.check),
    holes,
  );
  if (!check || holes.values.length > most.parameters) return undefined;
  const whole = Math.min(...seen.map(({ steps: own }) => own.reduce((sum, { input }) => sum + lengthOf(input), 0)));
  const fixed = steps.reduce((sum, { input }) => sum + fixedIn(input), 0);
  if (fixed * 2 < whole) return undefined;
  const times = seen.flatMap(({ timeoutMs }) => timeoutMs ?? []);
  return { steps, check, values: holes.values, ...(times.length > 0 && { timeoutMs: Math.max(...times) }) };
}

type Work = Pick<Pattern, "steps" | "check" | "values">;

/** One of them could have done what the other did last: patterns of the same work drift with the words that it was seen with. */
export const isSameWork = (one: Work, other: Work): boolean => couldDo(one, other) || couldDo(other, one);

function couldDo({ steps, check }: Work, last: Work): boolean {
  const values = last.values.map((row) => row.at(-1) ?? "");
  return (
    steps.length === last.steps.length &&
    fits(check, filled(last.check, values)) &&
    steps.every(({ tool, input }, at) => {
      const other = last.steps[at];
      return other !== undefined && other.tool === tool && fitsInput(input, inputOf(other.input, values));
    })
  );
}

function fitsInput(template: TemplateJson, value: Json): boolean {
  if ("text" in template) return typeof value === "string" && fits(template.text, value);
  if ("value" in template) return template.value === value;
  if ("list" in template)
    return (
      Array.isArray(value) &&
      value.length === template.list.length &&
      template.list.every((each, at) => fitsInput(each, value[at] ?? null))
    );
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = Object.entries(template.members);
  return (
    members.length === Object.keys(value).length &&
    members.every(([key, each]) => key in value && fitsInput(each, value[key] ?? null))
  );
}

function generalised(values: readonly Json[], holes: Holes): TemplateJson | undefined {
  const [first] = values;
  if (typeof first === "string") {
    const text = templateOf(values.map(String), holes);
    return text && { text };
  }
  if (Array.isArray(first)) {
    const list = first.map((_, at) =>
      generalised(
        values.map((value) => (value as Json[])[at] ?? null),
        holes,
      ),
    );
    return list.every((each) => each !== undefined) ? { list } : undefined;
  }
  if (typeof first !== "object" || first === null) return { value: first ?? null };
  const members: Record<string, TemplateJson> = {};
  for (const key of Object.keys(first)) {
    const each = generalised(
      values.map((value) => (value as Record<string, Json>)[key] ?? null),
      holes,
    );
    if (!each) return undefined;
    members[key] = each;
  }
  return { members };
}

function lengthOf(value: Json): number {
  if (typeof value === "string") return inkOf(value);
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce<number>((sum, each) => sum + lengthOf(each), 0);
}

function fixedIn(template: TemplateJson): number {
  if ("text" in template) return fixedLength(template.text);
  if ("value" in template) return 0;
  const parts = "list" in template ? template.list : Object.values(template.members);
  return parts.reduce((sum, each) => sum + fixedIn(each), 0);
}

export interface Repeated {
  pattern: Pattern;
  seen: Sighting[];
}

/** Work that was seen three times: of each shape the newest, with two of those shortly before it. */
export const repeatedIn = (seen: readonly Sighting[]): Repeated[] =>
  [...Map.groupBy(seen, shapeOf).values()].flatMap((group) => {
    const near = group.slice(-1 - nearest, -1);
    const newest = group.slice(-1);
    for (let second = near.length - 1; second > 0; second -= 1)
      for (let first = second - 1; first >= 0; first -= 1) {
        const three = [near[first], near[second], ...newest].filter((each) => each !== undefined);
        const pattern = three.length === timesSeen ? patternOf(three) : undefined;
        if (pattern) return [{ pattern, seen: three }];
      }
    return [];
  });

const nearest = 6;

/** With these values, one for each parameter. */
export function inputOf(template: TemplateJson, values: readonly string[]): Json {
  if ("text" in template) return filled(template.text, values);
  if ("value" in template) return template.value;
  if ("list" in template) return template.list.map((each) => inputOf(each, values));
  return Object.fromEntries(Object.entries(template.members).map(([key, each]) => [key, inputOf(each, values)]));
}
