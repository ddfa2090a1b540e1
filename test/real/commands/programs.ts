// Forms of programs: from the rule tables, and from the help of the programs that are installed.
import { spawnSync } from "node:child_process";
import type { Row } from "../../../src/guard/rules/row.ts";
import { tables } from "../../../src/guard/programs/tables.ts";
import { type Outer, rustRoot } from "./outer.ts";

export interface Option {
  name: string;
  /** The letter of the rule table for its value; `` for text, undefined for a flag. */
  value?: string | undefined;
  /** The value follows after `=`. */
  joined: boolean;
}

export interface Form {
  /** `git log`; the first of several names. */
  words: string[];
  names: string[];
  options: Option[];
  /** Options that only the program's own help names. */
  fromHelp: Option[];
  operands: string;
  risk: string;
  /** What the table itself shows of the row. */
  examples: string[];
}

const onlyFixed = /^-?[*#]/;

function optionOf(text: string): Option | undefined {
  const found = /^(-[^:?!]+)(?:(:)([a-z]?)|(\?)[a-z]?)?(?:!\d)?$/.exec(text);
  if (!found || onlyFixed.test(text)) return undefined;
  const [, name = "", takes, letter, optional] = found;
  return { name, value: takes ? (letter ?? "") : optional ? "" : undefined, joined: optional !== undefined };
}

function formsOf(row: Row, before: string[]): Form[] {
  const names = row.names.split(" ");
  const own: Form = {
    words: before,
    names,
    options: (row.options ?? "").split(" ").flatMap((text) => optionOf(text) ?? []),
    fromHelp: [],
    operands: row.operands ?? "",
    risk: row.risk ?? "L0",
    examples: [...row.match, ...(row.notMatch ?? [])],
  };
  return [own, ...(row.subcommands ?? []).flatMap((sub) => formsOf(sub, [...before, names[0] ?? ""]))];
}

const inSystem = new Map<string, boolean>();

/** In a folder of the system, or in the toolchain that the outer sandbox shows like one. */
export function isInstalled(name: string): boolean {
  const known = inSystem.get(name);
  if (known !== undefined) return known;
  const rust = /^(cargo|rustc|rustdoc|rustfmt)$/.test(name) && rustRoot() !== undefined;
  const env = { PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" };
  const found = rust || spawnSync("/bin/sh", ["-c", 'command -v "$1"', "sh", name], { env }).status === 0;
  inSystem.set(name, found);
  return found;
}

/** Programs that do nothing but wait, or fill the machine. */
const leftOut = new Set(["yes", "sleep", "sync", "shutdown", "reboot", "halt", "poweroff", "init", "telinit"]);

/** All rows at L0 and L1 of which this machine has a program. */
export function installedForms(): Form[] {
  const known = new Map<string, boolean>();
  const has = (name: string): boolean => {
    if (!known.has(name)) known.set(name, !leftOut.has(name) && isInstalled(name));
    return known.get(name) ?? false;
  };
  return tables
    .flatMap((row) => formsOf(row, []))
    .map((form) => (form.words.length > 0 ? form : { ...form, names: form.names.filter(has) }))
    .filter(({ words, names, risk }) => names.length > 0 && has(words[0] ?? names[0] ?? "") && risk <= "L1");
}

export function optionsOfHelp(text: string): Option[] {
  const found = new Map<string, Option>();
  for (const [, name = "", optional, value] of text.matchAll(/(?<![\w-])(--?[A-Za-z0-9][\w-]*)(\[?=)?(<?[A-Za-z]*)/g)) {
    if (!name.startsWith("--") && name.length > 2) continue;
    found.set(name, { name, value: optional && value !== undefined ? "" : undefined, joined: optional !== undefined });
  }
  return [...found.values()];
}

/** Asks every program for its help, within the outer sandbox. */
export async function addHelp(forms: readonly Form[], outer: Outer): Promise<void> {
  const seen = await outer.run(
    forms.map(({ words, names }) => ({
      shell: ["sh"],
      command: words[0] === "git" ? `git ${names[0]} -h` : [...words, names[0], "--help"].join(" "),
    })),
    true,
  );
  for (const [at, form] of forms.entries()) {
    const known = new Set(form.options.map(({ name }) => name));
    form.fromHelp = optionsOfHelp(seen[at]?.output ?? "").filter(({ name }) => !known.has(name));
  }
}
