// Work that was seen: which turns count, and which of them are the same work with other words.
import type { Json } from "../../protocol/message.ts";
import type { Sighting, Template, TemplateJson } from "../../protocol/routine.ts";
import { filled, fixedLength, type Holes, templateOf } from "./template.ts";

/** What a routine does, with the values of the runs that it was seen in. */
export interface Pattern {
  steps: { tool: string; input: TemplateJson }[];
  check: Template;
  values: string[][];
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
  return fixed * 2 >= whole ? { steps, check, values: holes.values } : undefined;
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
  if (typeof value === "string") return value.replace(/\s/g, "").length;
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
