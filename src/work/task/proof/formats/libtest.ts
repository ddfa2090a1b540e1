import { type Case, jsonLines, type Outcome, plain, type SourceLine } from "./cases.ts";

/** What `cargo test` prints, as text (stable) or as JSON lines (nightly). */
export function libtestCases(output: string, source?: SourceLine): Case[] | undefined {
  const text = plain(output);
  const cases = jsonCases(text, source) ?? textCases(text, source);
  if (!cases) return undefined;
  const bad = cases.some(({ outcome }) => outcome === "assertion" || outcome === "error");
  const crash =
    /^error: (?:test failed|process didn't exit).*\n(?:[\s\S]{0,300}?)\((?:signal: \d+.*|exit status: (?!101).*)\)/m.exec(
      text,
    );
  if (crash && !bad) return [...cases, { name: "", outcome: "error", detail: crash[0] }];
  const uncompiled = /^error: could not compile .*/m.exec(text);
  return uncompiled ? [...cases, { name: "", outcome: "load", detail: compilerSays(text) }] : cases;
}

const compilerSays = (text: string): string => /^error(?:\[E\d+\])?: [\s\S]{0,1500}/m.exec(text)?.[0] ?? "";

function textCases(text: string, source?: SourceLine): Case[] | undefined {
  if (!/^running \d+ tests?$/m.test(text)) return undefined;
  const details = new Map<string, string>();
  for (const [, name = "", detail = ""] of text.matchAll(
    /^---- (.+?) stdout ----\n([\s\S]*?)(?=^---- .+ stdout ----\n|^\n?failures:\n|^test result: |(?![\s\S]))/gm,
  ))
    details.set(name, detail.trim());
  return [
    ...text.matchAll(/^test (.+?)(?: - should panic(?: with .*?)?)? \.\.\. (?:.*?)(ok|FAILED|ignored)(?:, .*)?$/gm),
  ].map(([, name = "", verdict]): Case => {
    if (verdict !== "FAILED") return { name, outcome: verdict === "ok" ? "passed" : "skipped", detail: "" };
    const detail = details.get(name) ?? details.get(`${name} - should panic`) ?? "";
    return { name, outcome: outcomeOf(detail, source), detail };
  });
}

function jsonCases(text: string, source?: SourceLine): Case[] | undefined {
  const cases: Case[] = [];
  let any = false;
  for (const { type, event, name, stdout, message } of jsonLines(text)) {
    if (type === "suite" || type === "test") any = true;
    if (type !== "test" || typeof name !== "string" || event === "started") continue;
    const detail = `${typeof message === "string" ? message : ""}\n${typeof stdout === "string" ? stdout : ""}`.trim();
    if (event === "ok") cases.push({ name, outcome: "passed", detail: "" });
    else if (event === "ignored") cases.push({ name, outcome: "skipped", detail: "" });
    else cases.push({ name, outcome: event === "timeout" ? "error" : outcomeOf(detail, source), detail });
  }
  return any ? cases : undefined;
}

const panic = /panicked at (?:'([\s\S]*?)', )?(\S+?):(\d+):\d+:?\n?([\s\S]*)/;

/** `assert!` with words of its own panics with these words only: what stands in the source then tells. */
function outcomeOf(detail: string, source?: SourceLine): Outcome {
  if (/^(?:note: )?test did not panic as expected/m.test(detail)) return "assertion";
  const found = panic.exec(detail);
  if (!found) return "error";
  const [, old = "", file = "", at = "0", rest = ""] = found;
  const message = old || rest;
  if (/^assertion\b.*\bfailed\b/.test(message)) return "assertion";
  if (/^(?:called `|not (?:yet )?implemented|index out of bounds|range |attempt to |internal error)/.test(message))
    return "error";
  const code = source?.(file, Number(at)) ?? "";
  return /\b\w*assert\w*!\s*[([{]/.test(code) ? "assertion" : "error";
}
