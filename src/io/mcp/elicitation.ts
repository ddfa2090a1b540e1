// What a server asks the person in the middle of a call: a form, a field at a time, or an address that they may open.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { readWebAddress } from "../../base/web-address.ts";
import type { McpTalk } from "./spec.ts";

type Ask = McpTalk["ask"];

interface Asked {
  server: string;
  ask: Ask;
  /** What became of it, a sentence for the model. */
  told(text: string): void;
}

const decline = "Decline";
const skip = "Leave it out";
const opened = "I have opened it";
const mostFields = 20;
const longestMessage = 2_000;

/** Nothing is opened, and nothing that is asked for like a password is passed on. */
export async function elicited(params: ElicitRequestParams, of: Asked): Promise<ElicitResult> {
  const message = params.message.slice(0, longestMessage);
  const declined = (why: string): ElicitResult => {
    of.told(`the MCP server ${of.server} asked the person something, and ${why}`);
    return { action: "decline" };
  };
  if (params.mode === "url") return elicitedByAddress(params.url, message, { of, declined });
  const fields = Object.entries(params.requestedSchema.properties).slice(0, mostFields);
  const secret = fields.find(([name, field]) => wantsSecret(name, field as FormField, params.message));
  if (secret) return declined(`what it wanted (${secret[0].slice(0, 60)}) looks like a secret, so it was declined`);
  const content = new Map<string, string | number | boolean | string[]>();
  for (const [at, [name, field]] of fields.entries()) {
    const required = params.requestedSchema.required?.includes(name) === true;
    const wanted = { name, field: field as FormField, required };
    const value = await askField(wanted, at === 0 ? message : "", of);
    if (value === "unanswered") return declined("nobody can answer here, so it was declined");
    if (value === "declined") return declined("the person declined");
    if (value !== undefined) content.set(name, value.given);
  }
  if (fields.length > 0) return { action: "accept", content: Object.fromEntries(content) };
  const answer = await of.ask(`The MCP server ${of.server} asks: ${message}`, ["Accept", decline]);
  if (answer === undefined) return declined("nobody can answer here, so it was declined");
  return answer === "Accept" ? { action: "accept", content: {} } : declined("the person declined");
}

/** A server calls its field as it likes: of free text its description and what is said above it count, too. */
const wantsSecret = (name: string, field: FormField, message: string): boolean => {
  const free = field.type === "string" && choicesOf(field).length === 0;
  return secretWords.test(`${name} ${field.title ?? ""} ${free ? `${field.description ?? ""} ${message}` : ""}`);
};

const secretWords = /pass(?:word|wd|phrase)|secret|token|api.?key|credential|\bpin\b|card.?number|\bcvv\b/i;

async function elicitedByAddress(
  url: string,
  message: string,
  { of, declined }: { of: Asked; declined(why: string): ElicitResult },
): Promise<ElicitResult> {
  const read = readWebAddress(url);
  const usable = !("problem" in read) && !read.credentials && !read.mixed && usableKind(read.kind, read.url.protocol);
  if (!usable || "problem" in read) return declined("its address is none that a person should open");
  const text = `The MCP server ${of.server} wants you to open ${read.target}: ${read.url.href}\n${message}\nfettle does not open it. Open it yourself if you know ${read.target}.`;
  const answer = await of.ask(text, [opened, decline]);
  if (answer === undefined) return declined("nobody can answer here, so it was declined");
  return answer === opened ? { action: "accept" } : declined("the person declined");
}

const usableKind = (kind: string, protocol: string): boolean =>
  kind === "loopback" || (kind === "public" && protocol === "https:");

/** As the protocol allows them: texts, numbers, flags, and choices of one or several. */
interface FormField {
  type: string;
  title?: string;
  description?: string;
  default?: unknown;
  enum?: string[];
  enumNames?: string[];
  oneOf?: { const: string; title?: string }[];
  items?: { enum?: string[]; anyOf?: { const: string; title?: string }[] };
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

interface Wanted {
  name: string;
  field: FormField;
  required: boolean;
}

type Given = string | number | boolean | string[];

/** Asks until the answer fits; undefined: it is left out. */
async function askField(
  { name, field, required }: Wanted,
  message: string,
  { server, ask }: Asked,
): Promise<{ given: Given } | "declined" | "unanswered" | undefined> {
  const choices = choicesOf(field);
  const about = [field.title ?? name, field.description].filter(Boolean).join(": ").slice(0, longestMessage);
  const several = field.type === "array" ? " (several: separate them by commas)" : "";
  let problem = "";
  for (let tries = 0; tries < 3; tries += 1) {
    const lines = [`The MCP server ${server} asks: ${message}`.trim(), `${about}${several}`, problem].filter(Boolean);
    const fitting = field.default === undefined ? [] : [`Use ${JSON.stringify(field.default)}`];
    const options = [
      ...choices.map(({ label }) => label).slice(0, 6),
      ...fitting,
      ...(required ? [] : [skip]),
      decline,
    ];
    const answer = await ask(lines.join("\n"), options);
    if (answer === undefined) return "unanswered";
    if (answer === decline) return "declined";
    if (answer === skip) return undefined;
    if (answer === fitting[0]) return { given: field.default as Given };
    const given = readField(answer.trim(), field, choices);
    if (given !== undefined) return { given };
    problem = `"${answer.slice(0, 80)}" does not fit: ${shapeOf(field, choices)}.`;
  }
  return "declined";
}

interface Choice {
  value: string;
  label: string;
}

function choicesOf({ type, enum: values, enumNames, oneOf, items }: FormField): Choice[] {
  if (type === "boolean") return ["true", "false"].map((value) => ({ value, label: value === "true" ? "Yes" : "No" }));
  const titled = oneOf ?? items?.anyOf;
  if (titled) return titled.map((each) => ({ value: each.const, label: each.title ?? each.const }));
  return (values ?? items?.enum ?? []).map((value, at) => ({ value, label: enumNames?.[at] ?? value }));
}

function readField(answer: string, field: FormField, choices: readonly Choice[]): Given | undefined {
  const chosen = (text: string) => choices.find(({ value, label }) => text === label || text === value)?.value;
  switch (field.type) {
    case "boolean": {
      const value =
        chosen(answer) ??
        (/^(?:y|yes|ja|true)$/i.test(answer) ? "true" : /^(?:n|no|nein|false)$/i.test(answer) ? "false" : undefined);
      return value === undefined ? undefined : value === "true";
    }
    case "number":
    case "integer": {
      const value = Number(answer);
      const { minimum = -Infinity, maximum = Infinity } = field;
      const whole = field.type === "number" || Number.isInteger(value);
      return answer !== "" && Number.isFinite(value) && whole && value >= minimum && value <= maximum
        ? value
        : undefined;
    }
    case "array": {
      const values = answer.split(",").map((each) => chosen(each.trim()));
      return values.every((each) => each !== undefined) ? (values as string[]) : undefined;
    }
    default: {
      if (choices.length > 0) return chosen(answer);
      const { minLength = 0, maxLength = Infinity } = field;
      return answer.length >= minLength && answer.length <= maxLength ? answer : undefined;
    }
  }
}

const shapeOf = ({ type, minimum, maximum, minLength, maxLength }: FormField, choices: readonly Choice[]): string => {
  if (choices.length > 0)
    return `one of ${choices
      .map(({ label }) => label)
      .join(", ")
      .slice(0, 500)}`;
  const bounds = [minimum ?? minLength, maximum ?? maxLength].map((each) => each ?? "…").join(" to ");
  if (type === "string") return `a text of ${bounds} characters`;
  return `${type === "integer" ? "a whole number" : "a number"} of ${bounds}`;
};
