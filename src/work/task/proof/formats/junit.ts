import { entryOf } from "../../../../base/entry.ts";
import { type Case, type Outcome, saysBroken } from "./cases.ts";

const entities: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

function decoded(text: string): string {
  const named = (all: string, number?: string, hex?: string, name?: string) => {
    if (name) return entryOf(entities, name) ?? all;
    const code = number ? Number(number) : Number.parseInt(hex ?? "0", 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : all;
  };
  return text
    .split(/(<!\[CDATA\[[\s\S]*?\]\]>)/)
    .map((piece) =>
      piece.startsWith("<![CDATA[")
        ? piece.slice(9, -3)
        : piece.replaceAll(/&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi, named),
    )
    .join("");
}

const attribute = (tag: string, name: string): string =>
  decoded(new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "");

const attributes = `((?:"[^"]*"|[^>"])*?)`;
const testcase = new RegExp(`<testcase\\b${attributes}(?:/>|>([\\s\\S]*?)</testcase>)`, "g");
const failing = new RegExp(`<(failure|error)\\b${attributes}(?:/>|>([\\s\\S]*?)</\\1>)`);

/**
 * JUnit XML as pytest, node:test, surefire, gradle and many others write it: one document, or several after another,
 * wherever in the output they stand.
 */
export function junitCases(output: string): Case[] | undefined {
  if (!/<testsuites?[\s>/]/.test(output) || !/<\/testsuites?>|<testsuites?\b[^>]*\/>/.test(output)) return undefined;
  return [...output.matchAll(testcase)].map(([, head = "", body = ""]): Case => {
    const owner = attribute(head, "classname");
    const title = attribute(head, "name");
    const name = owner === "" || owner === "test" || title.startsWith(owner) ? title : `${owner} › ${title}`;
    const found = failing.exec(body);
    if (!found) return { name, outcome: body.includes("<skipped") ? "skipped" : "passed", detail: "" };
    const [, , tag = "", text = ""] = found;
    const failure: Failure = {
      type: attribute(tag, "type"),
      message: attribute(tag, "message"),
      text: decoded(text).trim(),
    };
    const detail = failure.text.includes(failure.message) ? failure.text : `${failure.message}\n${failure.text}`.trim();
    return { name, outcome: outcomeOf(failure), detail };
  });
}

interface Failure {
  type: string;
  message: string;
  text: string;
}

/** How assertions are called where they have a class. */
const assertionClass =
  /Assertion\w*(?:Error|Failure|Failed\w*|Exception)$|ComparisonFailure|MultipleFailuresError|ConditionNotSatisfiedError|ExpectationFailedException|ExpectationNotMetError|Xunit\.Sdk\.\w+|exceptions\.verification\./;

/** A name of a class that can be thrown, in a dotted one. */
const exceptionClass = /(?:^|[.\\$])[A-Z]\w*(?:Error|Exception|Failure|Throwable|Fault)$/;

function outcomeOf({ type, message, text }: Failure): Outcome {
  if (/^collection failure/.test(message)) return "load";
  if (/^failed on (?:setup|teardown) with/.test(message)) return "error";
  const thrown = exceptionClass.test(type) ? type : thrownIn(message, text);
  if (thrown !== undefined && assertionClass.test(thrown)) return "assertion";
  if (thrown === "Failed" && !/^Failed: Timeout\b/.test(message)) return "assertion";
  return saysBroken(thrown ?? "") || /^test failed\b/.test(message) ? "load" : "error";
}

/** pytest and node:test do not name the class in the tag. */
function thrownIn(message: string, text: string): string | undefined {
  const cause = /\bcause: (?:\[)?(\w+)\b/.exec(text)?.[1];
  if (cause !== undefined) return cause;
  if (/^assert\b/.test(message)) return "AssertionError";
  const named = /^([\w.]*(?:Error|Exception|Failed|Interrupt|Exit|Warning))(?::|$)/m.exec(message)?.[1];
  return named ?? /^(?:\S+:\d+: )?([\w.]*(?:Error|Exception|Failed))(?: \[\w+\])?(?::|$)/m.exec(text)?.[1];
}
