import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { hole, literal, nothing, Origin, shown, type Text, unknown } from "../../command-line/syntax/text.ts";

/** Index after an address, or -1 when malformed. */
function afterAddress(script: string, start: number): number {
  let at = start;
  const one = (): boolean => {
    const rest = script.slice(at);
    const plain = /^(\d+(~\d+)?|\$|\+\d+|~\d+)/.exec(rest);
    if (plain) {
      at += plain[0].length;
      return true;
    }
    const custom = rest.startsWith("\\") ? 1 : 0;
    const delimiter = rest[custom];
    if (!custom && delimiter !== "/") return true;
    const end = afterPattern(script, at + custom);
    if (end < 0) return false;
    at = end + (/^[IM]+/.exec(script.slice(end))?.[0].length ?? 0);
    return true;
  };
  if (!one()) return -1;
  while (/\s/.test(script[at] ?? "x")) at++;
  if (script[at] === ",") {
    at++;
    while (/\s/.test(script[at] ?? "x")) at++;
    if (!one()) return -1;
  }
  while (/[\s!]/.test(script[at] ?? "x")) at++;
  return at;
}

/** Index after the delimiter that closes the pattern opened at `open`; -1 when there is none. */
function afterPattern(script: string, open: number): number {
  const delimiter = script[open];
  let bracket = false;
  for (let at = open + 1; at < script.length; at++) {
    const char = script[at];
    if (char === "\\") at++;
    else if (char === "[" && !bracket && delimiter !== "[")
      bracket =
        script.indexOf("]", at + 2) > 0 && !script.slice(at, script.indexOf("]", at + 2)).includes(delimiter ?? "");
    else if (char === "]") bracket = false;
    else if (char === delimiter && !bracket) return at + 1;
    else if (char === "\n" && delimiter !== "\n") continue;
  }
  return -1;
}

const lineEnd = (script: string, at: number): number => {
  const end = script.indexOf("\n", at);
  return end < 0 ? script.length : end;
};

/** Judges what a sed script does besides editing the stream. Answers false when it cannot be read. */
function judgeSed(script: string, at: Context): boolean {
  let index = 0;
  while (index < script.length) {
    if (/[\s;{}]/.test(script[index] ?? "")) {
      index++;
      continue;
    }
    if (script[index] === "#") {
      index = lineEnd(script, index);
      continue;
    }
    index = afterAddress(script, index);
    if (index < 0) return false;
    const command = script[index++] ?? "";
    if (command === "s") index = substitution(script, index, at);
    else if (command === "y") {
      const middle = afterPattern(script, index);
      index = middle < 0 ? -1 : afterPattern(script, middle - 1);
    } else if ("rRwW".includes(command)) {
      const end = lineEnd(script, index);
      judgePath(literal(fileName(script.slice(index, end))), command.toLowerCase() === "r" ? "read" : "write", at);
      index = end;
    } else if (command === "e") {
      const end = lineEnd(script, index);
      const code = script.slice(index, end).trim();
      if (code) at.run.judge.script(code, deeper(at));
      note(at, code ? "L2" : "L3", "sed.execute", "runs commands from sed", "dynamic");
      index = end;
    } else if ("aic".includes(command)) {
      index = lineEnd(script, index);
      while (index < script.length && script[index - 1] === "\\") index = lineEnd(script, index + 1);
    } else if (":btT".includes(command)) {
      // GNU sed ends a label at white space: what follows is a command (`:a e CMD`). A label with other signs in it (`: a$ e
      // CMD`) may not be taken for an empty one, so neither part of the pattern gives anything back.
      const label = /^(?=([ \t]*))\1(?=([\w.-]*))\2(?=[\s;}]|$)/.exec(script.slice(index));
      if (!label) return false;
      index += label[0].length;
    } else if ("lLqQ".includes(command)) index += /^\s*\d*/.exec(script.slice(index))?.[0].length ?? 0;
    else if (!"{}=dDgGhHnNpPxzFv".includes(command)) return false;
    if (index < 0) return false;
  }
  return true;
}

/** All of the line but the white space before it. */
const fileName = (text: string): string => text.replace(/^[ \t]+/, "");

function substitution(script: string, open: number, at: Context): number {
  const middle = afterPattern(script, open);
  if (middle < 0) return -1;
  const end = afterPattern(script, middle - 1);
  if (end < 0) return -1;
  let index = end;
  for (; index < script.length; index++) {
    const flag = script[index] ?? "";
    if (flag === "e") note(at, "L3", "sed.execute", "runs what a substitution makes (the e flag of sed)", "dynamic");
    else if (flag === "w") {
      const stop = lineEnd(script, index);
      judgePath(literal(fileName(script.slice(index + 1, stop))), "write", at);
      return stop;
    } else if (!/[gpiIMm0-9]/.test(flag)) break;
  }
  return index;
}

const options =
  "-n --quiet --silent -e: --expression: -f: --file: -E -r --regexp-extended -i? -I? --in-place? -l: --line-length: --posix -s --separate -u --unbuffered -z --null-data --debug --sandbox --follow-symlinks -b --binary --help --version -a";

export const sed: Handler = (argv, at) => {
  const words = argv.slice(1);
  // BSD's `-i ''` has a separate, empty suffix.
  const bsd = words.findIndex((text) => text.value === "-i");
  if (bsd >= 0 && words[bsd + 1]?.value === "") words.splice(bsd + 1, 1);
  const args = readArguments(words, grammarOf(options));
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  const operands = [...args.operands];
  const scripts = args.given.filter(({ name }) => name === "-e" || name === "--expression").map(({ value }) => value);
  const file = args.given.find(({ name }) => name === "-f" || name === "--file")?.value;
  if (file) {
    judgePath(file, "read", at);
    note(at, "L2", "sed.file", "runs a sed script from a file", "interpreter");
  }
  if (scripts.length === 0 && !file) scripts.push(operands.shift());
  for (const script of scripts) {
    if (!script) continue;
    if (script.from & (Origin.network | Origin.decoded))
      note(at, "L3", "shell.run-download", "runs a sed script from the network", "download-and-run");
    judgeScript(script.value, script.numeric && !script.doubtful, at);
    if (script.doubtful || script.glob)
      note(at, "L2", "sed.dynamic", "runs a sed script that is not known beforehand", "dynamic");
  }
  const inPlace = args.given.some(({ name }) => /^(-i|-I|--in-place)$/.test(name));
  for (const operand of operands) judgePath(operand, inPlace ? "edit" : "read", at);
  for (const { name, value } of args.given)
    if (/^(-i|--in-place)$/.test(name) && value) judgeBackup(value, operands, at);
  if (inPlace) {
    for (const operand of operands)
      if (operand.names) note(at, "L2", "path.dynamic", "edits files that are not known beforehand", "dynamic");
    return nothing;
  }
  return operands.length > 0 ? unknown(Origin.file) : unknown(at.scope.stdin.from | Origin.program);
};

/** `-iSUFFIX` keeps the old file: a `*` in it stands for the file's name, a `/` leads into another folder. */
function judgeBackup(suffix: Text, operands: readonly Text[], at: Context): void {
  for (const operand of operands) {
    const slash = operand.value.lastIndexOf("/") + 1;
    const folder = operand.value.slice(0, slash);
    const base = operand.value.slice(slash);
    const name = suffix.value.includes("*") ? suffix.value.replaceAll("*", base) : base + suffix.value;
    judgePath(
      {
        ...operand,
        value: name.includes("/") ? name : folder + name,
        holes: operand.holes || suffix.holes,
        tilde: operand.tilde && !name.includes("/"),
      },
      "write",
      at,
    );
  }
}

function judgeScript(script: string, numeric: boolean, at: Context): void {
  if (script.includes(hole)) {
    const known = script.split(hole).join("1");
    const before = at.run.findings.risk;
    if (!judgeSed(known, at) || at.run.findings.risk !== before)
      note(at, "L2", "sed.dynamic", "runs a sed script that is not known beforehand", "dynamic");
    else if (!numeric || !/^(s(.).*\2.*\2[gp]*|[\d,$]+[pdq])$/.test(known))
      note(at, "L2", "sed.dynamic", "runs a sed script that is not known beforehand", "dynamic");
  } else if (!judgeSed(script, at))
    note(at, "L2", "sed.unparseable", "runs a sed script that cannot be read", "unparseable");
}
