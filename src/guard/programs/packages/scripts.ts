// Scripts that a manifest names: looked up in the repository, judged by what they would run.
import { membersOf } from "../../../base/json-text.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { posix } from "node:path";
import { riskRank } from "../../../protocol/risk.ts";
import { type Context, deeper, note } from "../../command-line/context/context.ts";
import { Findings } from "../../command-line/context/findings.ts";
import { unknownKind } from "../../rules/unknown-reasons.ts";
import { type Flow, isStatic, type Text, unknown } from "../../command-line/syntax/text.ts";

interface ScriptCall {
  readonly at: Context;
  /** A declared check: its risk stands unless what it runs is forbidden. */
  readonly checked: boolean;
  readonly folder: Text | undefined;
  /** Words that are handed on to the script. */
  readonly rest?: readonly Text[];
}

/** Folder of the manifest that a command speaks of. */
export function manifestFolder(folder: Text | undefined, at: Context): string | undefined {
  const [from] = at.scope.folders;
  if (from === undefined || (folder && !isStatic(folder))) return undefined;
  return posix.resolve(from, folder?.value ?? ".");
}

/** The scripts of a manifest, as shell source; a list of commands is one after the other. */
export function scriptsOf(file: string, key: string, at: Context): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const scripts = membersOf(at.run.facts.text(file) ?? "")[key];
  if (!scripts || typeof scripts !== "object") return found;
  for (const [name, body] of Object.entries(scripts)) {
    const lines: unknown[] = Array.isArray(body) ? body : [body];
    if (lines.every((line): line is string => typeof line === "string")) found.set(name, lines.join("\n"));
  }
  return found;
}

export function packageScript(name: string, folder: Text | undefined, at: Context): string | undefined {
  const where = manifestFolder(folder, at);
  return where === undefined ? undefined : scriptsOf(posix.join(where, "package.json"), "scripts", at).get(name);
}

/** `npm run NAME -- words`. */
export function script(name: string, { at, checked, folder, rest = [] }: ScriptCall): Flow {
  const texts = [`pre${name}`, name, `post${name}`].map((one) => packageScript(one, folder, at));
  const [before, own, after] = texts;
  if (checked) {
    for (const text of texts) if (text !== undefined) onlyForbidden(text, at);
    judgeChanged(texts, at);
    return unknown();
  }
  if (own === undefined) {
    note(at, "L2", "package.script", `runs the script ${name}, which is not in package.json`, "unknown-program");
    return unknown();
  }
  const where = manifestFolder(folder, at);
  if (!rest.every((text) => isStatic(text) && !text.glob))
    note(at, "L2", "shell.dynamic-option", `gives the script ${name} words that are not known beforehand`, "dynamic");
  const words = rest.filter(isStatic).map((text) => shellWord(text.value));
  const whole = [before, [own, ...words].join(" "), after].filter((text) => text !== undefined);
  runDefined(whole, { what: `the script ${name}`, where, at });
  return unknown();
}

/**
 * A declared check that changed in this session is run on a layer, unless its definition holds something that is known and
 * would be asked by itself.
 */
export function judgeChanged(texts: readonly (string | undefined)[], at: Context): void {
  const { run, part } = at;
  if (!run.findings.segment(part).some(({ code }) => code === "check.changed")) return;
  const findings = new Findings();
  for (const text of texts)
    if (text !== undefined) run.judge.script(text, deeper(at, { run: { ...run, findings, written: new Map() } }));
  if (run.layerHolds({ ...findings, tags: [...findings.tags] })) return;
  const known = findings.reasons.find(({ risk, code }) => risk === "L2" && unknownKind(code) === undefined);
  note(at, "L2", "check.acts", `its definition ${known?.text ?? "does more than check"}`);
}

interface Defined {
  readonly what: string;
  /** Folder of the definition, where it also runs; undefined when it is not known. */
  readonly where: string | undefined;
  readonly at: Context;
}

/** What a manifest defines is at least told, and asked when it changed or nobody watches it. */
export function runDefined(texts: readonly string[], { what, where, at }: Defined): void {
  const { facts } = at.run;
  const changed = where === facts.workspace ? facts.changedDefinitions?.() : undefined;
  if (changed === undefined || where === undefined)
    note(at, "L2", "package.script", `runs ${what}, whose definition is not watched`, "unknown-program");
  else if (changed.length > 0)
    note(
      at,
      "L2",
      "check.changed",
      `runs ${what}, whose definition changed in this session (${changed.join(", ")})`,
      "run-later",
    );
  else note(at, "L1", "package.script", `runs ${what}`);
  for (const text of texts) {
    shadowed(text, where, at);
    at.run.judge.script(text, deeper(at));
  }
}

/** Scripts find the programs of the project's packages before the system's. */
function shadowed(text: string, where: string | undefined, at: Context): void {
  if (where === undefined) return;
  for (const name of new Set(text.match(/[\w.-]+/g))) {
    const row = at.run.row(name);
    if (!row || riskRank(row.risk ?? "L0") > 1) continue;
    if (at.run.facts.path(posix.join(where, "node_modules/.bin", name)).kind !== "missing")
      note(at, "L2", "program.not-system", `${name} is the project's own program here`, "unknown-program");
  }
}

export function onlyForbidden(text: string, at: Context): void {
  const seen = at.run.judge.forbidden(text, at);
  if (seen) note(at, "L3", seen.code, `its script ${seen.text}`, seen.tag);
}
