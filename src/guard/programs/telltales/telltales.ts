// What a program's arguments give away, whichever program it is.
import { writableDevices } from "../../rules/paths.ts";
import { shapesOf } from "../../rules/shapes.ts";
import { type Context, deeper, note, originOf } from "../../command-line/context/context.ts";
import { Findings, type Finding } from "../../command-line/context/findings.ts";
import { judgeNetworkWord } from "../../command-line/context/hosts.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { classifyPath, within } from "../../command-line/context/sensitive.ts";
import {
  endlessOf,
  type Flow,
  hole,
  isStatic,
  Origin,
  shown,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";
import { judgeCode } from "../code/judge.ts";

export const shellNames: ReadonlySet<string> = new Set(
  "sh bash dash zsh ksh mksh ash fish rbash csh tcsh yash posh sash elvish oksh loksh rc es".split(" "),
);

/** The forbidden shapes of a program's arguments. */
export function judgeShapes(name: string, argv: readonly Text[], at: Context): void {
  const found = shapesOf(name);
  if (found.length === 0) return;
  const line = argv
    .slice(1)
    .map((text) => text.value)
    .join(" ");
  for (const { words, why, tag } of found) if (words.test(line)) note(at, "L3", "program.shape", why, tag);
}

/** A shell that another program starts, with nothing to run, is there for somebody to type into. */
export function judgeOpenShell(name: string, argv: readonly Text[], at: Context): void {
  if (!shellNames.has(name)) return;
  const words = argv.slice(1).map((text) => text.value);
  if (words.some((word) => /^-[a-z]*p[a-z]*$/.test(word)) && !words.some((word) => /^-\w*c/.test(word)))
    note(at, "L3", "shell.privileged", "starts a shell that keeps another's rights", "escalate");
  const { stdin } = at.scope;
  const open = words.every((word) => /^-[ilps]+$|^--(login|posix|norc|noprofile)$/.test(word));
  if (at.inside !== undefined && open && stdin.shape === "nothing" && stdin.text === undefined)
    note(at, "L3", "shell.opened", `opens a shell from ${at.inside}`, "escalate");
}

/** Data that reached a program's arguments or the files it names is still in what it prints. */
export function carried(name: string, flow: Flow, argv: readonly Text[], at: Context): Flow {
  const huge = argv.some(({ value }) => /\d\d[GTPE]|\d{11}/.test(value));
  let bits = name === "yes" ? Origin.endless : 0;
  for (const text of argv) {
    bits |= text.from & (Origin.network | Origin.decoded);
    if (repeating.test(name) || (huge && name === "head")) bits |= endlessOf(text.value);
    if (at.run.written.size > 0 && isStatic(text) && !text.value.startsWith("-"))
      for (const { absolute, partial } of places(text, at))
        if (!partial) bits |= originOf(absolute, at) & (Origin.network | Origin.decoded);
  }
  if (allOf(name, argv, at)) bits |= Origin.everything;
  else if (flow.from & Origin.everything && !keeping.test(name))
    flow = { ...flow, from: flow.from & ~Origin.everything };
  const from = ending.test(name) && !huge ? (flow.from | bits) & ~Origin.endless : flow.from | bits;
  return from === flow.from ? flow : { ...flow, from };
}

const keeping = /^(cat|sort|tac|tr|tee|shuf|xargs)$/;

/** `ls`, `find`, `git ls-files` with nothing that chooses: the names of all there is. */
function allOf(name: string, argv: readonly Text[], at: Context): boolean {
  if (!/^(ls|dir|vdir|find|fd|fdfind|git|ps)$/.test(name)) return false;
  const words = argv.map(({ value }) => value);
  if (name === "ps") return words.some((word) => /^(-\w*[eA]\w*|a\w*x\w*)$/.test(word));
  if (name === "git" && words[0] !== "ls-files") return false;
  if (
    name === "find" &&
    words.some((word) => /^-(not|[io]?name|i?path|type|mtime|mmin|size|empty|newer|regex|user|perm)$/.test(word))
  )
    return false;
  const tests = name === "find" ? words.findIndex((word) => word.startsWith("-")) : -1;
  const operands = (tests < 0 ? words : words.slice(0, tests)).filter((word) => !/^-|^ls-files$/.test(word));
  return (
    operands.every((word) => /^(\.{0,2}\/?\*?|\/\*?)$/.test(word)) &&
    at.scope.folders.every((folder) => folder === at.run.facts.workspace || !within(folder, at.run.facts.workspace))
  );
}

const repeating = /^(cat|tac|tr|base64|base32|xxd|od|hexdump|gzip|pv|rev)$/;
const ending = /^(head|dd|wc|sed|grep|awk|sha\d*sum|md5sum|cksum)$/;

/** The first L3 finding of a command that is judged for that alone. */
export function forbiddenCommand(argv: readonly Text[], at: Context): Finding | undefined {
  const findings = new Findings();
  at.run.judge.argv(argv, deeper(at, { run: { ...at.run, findings } }));
  const found = findings.forbidden();
  return found?.code === "shell.pattern-command" ? undefined : found;
}

const codeOption =
  /^(-e|-c|-x|-ex|-wrapper|-exec|-batch|--?([a-z]+[-_])*(eval|exec|execute|command|cmd|hook|script|code|pipe|filter|wrapper|askpass|pager|editor)([-_][a-z]+)*)$/i;
const shellPath = /^(\/usr)?(\/local)?\/bin\/(ba|z|da|k|c|tc|a|fi)?sh([\s,;:#][\s\S]*)?$/;
export const mining =
  /stratum\+?(tcp|ssl|tls)?:|^--(donate-level|coin|randomx\S*|rig-id)(=|$)|\b(randomx|cryptonight|ethash|kawpow)\b|(minexmr|supportxmr|moneroocean|nanopool|2miners|f2pool|nicehash|c3pool|hashvault|minergate|herominers)\./i;

/** A program that no code of ours knows: what its words name, whatever it does with them. */
export function judgeWords(argv: readonly Text[], at: Context): void {
  const name = shown(argv[0] ?? ({ value: "?" } as Text));
  argv.forEach((text, index) => {
    if (index === 0) return;
    const option = argv[index - 1]?.value ?? "";
    judgeSecret(text, at);
    const [attached, value] = attachedValue(text.value);
    if (shellPath.test(value) && (attached === undefined || codeOption.test(attached) || attached.length === 2))
      note(at, "L3", "shell.opened", `starts a shell through ${name}`, "escalate");
    else if (/\\write18\s*\{|os\.execute\s*\(/.test(value))
      note(at, "L3", "code.content", `makes ${name} run a command`, "escalate");
    else if (codeOption.test(attached ?? option)) judgeOwnCode({ ...text, value }, at);
    if (mining.test(text.value)) note(at, "L3", "program.miner", "digs for somebody's coins", "exfiltrate");
    if (/^(https?|ftp):\/\//.test(text.value)) judgeNetworkWord(text, at);
    if (at.run.contents.size > 0 && !text.holes)
      for (const { absolute } of places(text, at)) judgeCode(at.run.contents.get(absolute) ?? "", at);
  });
  judgeWrapped(argv, at);
}

/** `--name=value`, `-Xvalue`: the option and its value; else the word itself. */
function attachedValue(word: string): [string | undefined, string] {
  const equals = /^(-{1,2}[\w-]+)=([\s\S]*)$/.exec(word);
  if (equals) return [equals[1] ?? "", equals[2] ?? ""];
  const short = /^(-[A-Za-z])(\/[\s\S]*)$/.exec(word);
  return short ? [short[1] ?? "", short[2] ?? ""] : [undefined, word];
}

/** A credential store among the words, whatever the program does with it. */
export function judgeSecret(text: Text, at: Context): void {
  const { facts } = at.run;
  const stripped = text.value.replace(
    /^(-{1,2}[\w-]+=|-[A-Za-z](?=[/~]))?@?(file:\/\/(?=\/)|(man|info|doc):(?=\/))?/,
    "",
  );
  if (!/^[/~]/.test(stripped) || (!text.tilde && stripped.startsWith("~") && stripped === text.value)) return;
  for (const { absolute } of places({ ...text, value: stripped, tilde: stripped.startsWith("~") }, at)) {
    // Where standard input leads on this machine is nobody's secret.
    if (writableDevices.test(absolute)) continue;
    const { real } = facts.path(absolute);
    const kind = [absolute, real]
      .map((path) => classifyPath(path, facts))
      .find((one) => one === "secret" || one === "state");
    if (!kind || within(real, facts.workspace)) continue;
    note(
      at,
      "L3",
      kind === "state" ? "path.own" : "path.secret",
      `names a credential store (${absolute})`,
      "sensitive-read",
    );
  }
}

const output = /^(-o|--out(put)?(-?(file|dir|directory|document))?|--outfile|--target|--target-dir(ectory)?)$/;

/** Where a program is told to write: outside the roots, whatever it writes. */
export function judgeOutputs(argv: readonly Text[], at: Context): void {
  argv.forEach((text, index) => {
    const [attached, value] = attachedValue(text.value);
    const option = attached ?? (text.value.startsWith("-") ? undefined : argv[index - 1]?.value);
    if (option === undefined || !output.test(option) || !/^[/~]/.test(value)) return;
    const path = { ...text, value, tilde: value.startsWith("~") };
    if (places(path, at).some(({ absolute }) => !/^\/dev\//.test(absolute))) judgePath(path, "create", at);
  });
}

/** Text given to an option that takes a command or code: what is forbidden in it is forbidden. */
export function judgeOwnCode(text: Text, at: Context): void {
  if (!/\s|\(/.test(text.value)) return;
  judgeCode(text.value, at);
  const inner = { ...at, inside: at.inside ?? "another program" };
  const found = at.run.judge.forbidden(text.value.replaceAll(hole, "$fettle_unknown"), deeper(inner));
  if (found && found.code !== "shell.dynamic-code") note(at, "L3", found.code, found.text, found.tag);
}

const command = /^((\/usr)?\/s?bin\/)?(rm|sh|bash|zsh|dash|ksh|dd|sudo|nc|ncat|shred|mkfs[\w.]*)$/;

/** `grc rm -rf /`, `rlwrap bash -c …`: a command after the program's own words. */
function judgeWrapped(argv: readonly Text[], at: Context): void {
  const start = argv.findIndex(({ value }, index) => index > 0 && command.test(value));
  const head = argv[start];
  if (start < 0 || !head || at.depth > 6) return;
  const rest = argv.slice(start);
  if (!head.value.startsWith("/") && rest.length < 2) return;
  const found = forbiddenCommand(rest, { ...at, inside: shown(argv[0] ?? head) });
  if (found) note(at, "L3", found.code, found.text, found.tag);
}

/** What `which` and `command -v` print for a program that is there. */
export function located(words: readonly Text[], at: Context): Flow {
  const names = words.filter(({ value }) => !value.startsWith("-"));
  const [only] = names;
  if (names.length !== 1 || !isStatic(only) || only.value.includes("/")) return unknown();
  // What the shell has under this name comes first: an alias is printed as it was written.
  const own = at.scope.functions.has(only.value);
  const path = own ? undefined : at.run.facts.systemProgram(only.value);
  return path ? { shape: "unknown", from: 0, text: `${path}\n` } : unknown();
}
