// A routine as it is kept: a skill folder whose SKILL.md says in words what routine.json holds.
import type { Routine, TemplateJson } from "../../protocol/routine.ts";
import type { Pattern } from "./sightings.ts";
import { shownTemplate } from "./template.ts";

/** After so many failures it is not replayed any more. */
export const mostFailures = 2;

const versionLike = /^v?\d+(?:\.\d+)+/;

/** Names for what is known of the values; two of one kind are numbered. */
export function parameterNames({ values }: Pick<Pattern, "values">): string[] {
  const kinds = values.map((each) =>
    each.every((value) => versionLike.test(value))
      ? "version"
      : each.every((value) => /^[\w-]+$/.test(value))
        ? "name"
        : each.some((value) => /\s/.test(value))
          ? "text"
          : "value",
  );
  return kinds.map((kind, at) => {
    const number = kinds.slice(0, at).filter((each) => each === kind).length;
    return number === 0 ? kind : `${kind}${number + 1}`;
  });
}

/** What a person reads before it is kept, a line for each step, and the check. */
export function patternLines({ steps, check }: Pick<Pattern, "steps" | "check">, names: readonly string[]): string[] {
  return [...steps.map(({ tool, input }) => stepText(tool, input, names)), `check: ${shownTemplate(check, names)}`];
}

function stepText(tool: string, input: TemplateJson, names: readonly string[]): string {
  const member = (key: string) => {
    const each = "members" in input ? input.members[key] : undefined;
    return each && "text" in each ? shownTemplate(each.text, names) : undefined;
  };
  return tool === "shell" ? `$ ${member("command") ?? ""}` : `${tool} ${member("path") ?? ""}`.trim();
}

/** SKILL.md: valid by agentskills.io, and enough for a model that carries it out by itself. */
export function skillText({ name, parameters, steps, check, aside }: Routine): string {
  const words = parameters.map((each) => `{{${each}}}`).join(" ");
  const described = `A routine of this project, ${usage(parameters, name)}: ${patternLines({ steps, check }, parameters).join("; ")}`;
  return [
    "---",
    `name: ${name}`,
    `description: ${JSON.stringify(described.slice(0, 900))}`,
    ...(aside ? ["disable-model-invocation: true"] : []),
    "---",
    words === "" ? "It takes no words." : `It takes, in this order: ${words}`,
    "Do these steps in their order with those words filled in, then run the check. Where one fails, stop and say what happened.",
    wholeText({ steps, check }, parameters),
    "",
  ].join("\n\n");
}

/** All that it does, as Markdown. */
export const wholeText = ({ steps, check }: Pick<Pattern, "steps" | "check">, names: readonly string[]): string =>
  [
    ...steps.map(({ tool, input }) => `### ${tool}\n\n${wholeInput(input, names)}`),
    `### Check\n\n${fenced(shownTemplate(check, names))}`,
  ].join("\n\n");

function wholeInput(input: TemplateJson, names: readonly string[]): string {
  if (!("members" in input)) return fenced(jsonText(input, names));
  return Object.entries(input.members)
    .map(
      ([key, each]) => `${key}:\n${fenced("text" in each ? shownTemplate(each.text, names) : jsonText(each, names))}`,
    )
    .join("\n\n");
}

function jsonText(input: TemplateJson, names: readonly string[]): string {
  const plain = (each: TemplateJson): unknown => {
    if ("text" in each) return shownTemplate(each.text, names);
    if ("value" in each) return each.value;
    if ("list" in each) return each.list.map(plain);
    return Object.fromEntries(Object.entries(each.members).map(([key, inner]) => [key, plain(inner)]));
  };
  return JSON.stringify(plain(input));
}

function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** Values by their order, or each by `name=value`. A problem is a sentence. */
export function argumentsIn(
  text: string,
  { name, parameters, values: seen }: Pick<Routine, "name" | "parameters" | "values">,
): { values: string[] } | { problem: string } {
  const words = [...text.matchAll(/(?:([\w]+)=)?(?:"([^"]*)"|'([^']*)'|(\S+))/g)];
  const given = new Map<string, string>();
  const open = [...parameters];
  for (const [whole, key, double, single, plain] of words) {
    const named = key !== undefined && parameters.includes(key);
    const to = named ? key : open.find((each) => !given.has(each));
    if (to === undefined) return { problem: `/${name} takes ${usage(parameters, name)}; ${whole} is more than that.` };
    given.set(to, named || key === undefined ? (double ?? single ?? plain ?? "") : whole);
  }
  const missing = parameters.filter((each) => !given.has(each));
  const last = parameters.map((each, at) => `${each}=${JSON.stringify(seen[at]?.at(-1) ?? "")}`).join(" ");
  if (missing.length > 0)
    return { problem: `/${name} wants ${missing.join(", ")}: ${usage(parameters, name)}. Last time: ${last}` };
  const values = parameters.map((each) => given.get(each) ?? "");
  const odd = values.findIndex((value, at) => !isPlain(value, seen[at] ?? []));
  if (odd < 0) return { values };
  return {
    problem: `${parameters[odd] ?? ""} may hold letters, digits and . _ - / : @ + , =${seen[odd]?.some((each) => /\s/.test(each)) ? ", and spaces" : ""}: what a shell reads as more is not filled in.`,
  };
}

const usage = (parameters: readonly string[], name: string): string =>
  `/${name}${parameters.map((each) => ` ${each.toUpperCase()}`).join("")}`;

/** Values stand in command lines: nothing in them may be more than a word there, and spaces only where there were some. */
const isPlain = (value: string, seen: readonly string[]): boolean =>
  value !== "" &&
  !value.startsWith("-") &&
  (seen.some((each) => / /.test(each)) ? /^[\p{L}\p{N}._/:@+,= -]+$/u : /^[\p{L}\p{N}._/:@+,=-]+$/u).test(value);
