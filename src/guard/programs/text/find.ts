import { type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { globMatches } from "../../command-line/context/glob.ts";
import { classifyPath, within } from "../../command-line/context/sensitive.ts";
import { literal, names, nameText, type Text, unknownText, Origin, unknown } from "../../command-line/syntax/text.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgeRow } from "../rows/judge.ts";
import { substitute } from "../shells/xargs.ts";

const flags = new Set(
  "-depth -d -mount -xdev -daystart -follow -noleaf -ignore_readdir_race -noignore_readdir_race -nowarn -warn -print -print0 -ls -prune -quit -true -false -empty -readable -writable -executable -nouser -nogroup -not -a -and -o -or ! ( ) , -help --help -version --version -H -L -P -X -E -x -s".split(
    " ",
  ),
);
const withValue = new Set(
  "-name -iname -path -ipath -wholename -iwholename -regex -iregex -regextype -type -xtype -size -mtime -mmin -atime -amin -ctime -cmin -newer -anewer -cnewer -user -group -uid -gid -perm -links -inum -samefile -lname -ilname -maxdepth -mindepth -fstype -used -printf -context -D -files0-from -f".split(
    " ",
  ),
);
const writers = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);

/** `find`: reads below its roots; its actions are judged as what they do. */
export const find: Handler = (argv, at) => {
  const words = argv.slice(1);
  const roots: Text[] = [];
  let index = 0;
  for (; index < words.length; index++) {
    const text = words[index];
    if (!text) break;
    if (/^-(H|L|P|O\d)$/.test(text.value)) continue;
    if (/^[-(!]/.test(text.value)) break;
    roots.push(text);
  }
  if (roots.length === 0) roots.push(literal("."));
  for (const root of roots) judgePath(root, "read", at);
  let plain = true;
  for (; index < words.length; index++) {
    const text = words[index];
    if (!text) break;
    const value = text.value;
    if (value === "-delete") {
      plain = false;
      const selects = words.some((word) => selecting.test(word.value));
      for (const root of roots) judgePath(selects ? below(root) : root, selects ? "delete" : "destroy", at);
      note(at, "L2", "path.delete", "deletes what it finds", "delete");
    } else if (/^-(exec|execdir|ok|okdir)$/.test(value)) {
      plain = false;
      const end = words.findIndex(
        (word, place) => place > index && (word.value === ";" || word.value === "+" || word.value === "\\;"),
      );
      const stop = end < 0 ? words.length : end;
      runFound(words.slice(index + 1, stop), roots, at);
      index = stop;
    } else if (writers.has(value)) {
      plain = false;
      const file = words[++index];
      if (file) judgePath(file, "write", at);
      if (value === "-fprintf") index++;
    } else if (withValue.has(value) || /^-newer[aBcmt][aBcmt]$/.test(value)) {
      index++;
      judgeTest(value, words[index], roots, at);
      if (value === "-files0-from" && words[index]) judgePath(words[index] ?? text, "read", at);
    } else if (!flags.has(value))
      note(at, "L2", "program.unknown-option", `uses a test that is not known (${value})`, "unknown-option");
  }
  if (words.some((word) => word.value === "-printf") || roots.some((root) => root.holes && !root.names))
    return unknown(Origin.file);
  if (roots.some((root) => outside(root, at))) return unknown(Origin.file | Origin.outside);
  // What it finds begins with what it was given.
  return plain ? { ...names, from: Origin.file } : unknown(Origin.file);
};

/** Below a folder that nobody lends: what is found there is no file of the workspace. */
export const outside = (root: Text, at: Context): boolean =>
  places(root, at).some(({ absolute }) => {
    const { real } = at.run.facts.path(absolute);
    return !within(real, at.run.facts.workspace) && !/^(\/private)?(\/var)?\/tmp(\/|$)/.test(real);
  });

const selecting = /^-(i?name|i?path|i?regex|i?wholename|[mac]time|[mac]min|size|empty|newer\w*|user|perm|links)$/;

/** A file below a root, by whatever name. */
function below(root: Text): Text {
  if (root.holes || root.computed) return unknownText(Origin.file);
  return { ...nameText(), value: `${root.value.replace(/\/$/, "")}/${nameText().value}`, tilde: root.tilde };
}

/** Looking for keys or for programs with their owner's rights outside the workspace is no reading of a project. */
function judgeTest(test: string, value: Text | undefined, roots: readonly Text[], at: Context): void {
  const outside = roots.some((root) =>
    places(root, at).some((place) => !within(at.run.facts.path(place.absolute).real, at.run.facts.workspace)),
  );
  if (!outside || !value) return;
  const name = value.value.replace(/[*?]/g, "");
  const secret =
    classifyPath(`/x/${name}`, at.run.facts) === "secret" ||
    classifyPath(`/x/${name}/x`, at.run.facts) === "secret" ||
    (value.value.length > 2 &&
      globMatches(value.value, ["id_rsa", "id_ed25519", ".netrc", ".pgpass", "x.pem", "x.kdbx"])) ||
    /id_rsa|id_ed25519|\.pem|\.key$|\.kdbx|wallet|shadow|passw|credential|secret|\.env/i.test(name);
  if (/^-i?(name|path|regex|wholename)$/.test(test) && secret)
    note(
      at,
      "L3",
      "path.secret",
      `looks for credential stores outside the workspace (${value.value})`,
      "sensitive-read",
    );
  if (test === "-perm" && /[2467]000|[2467]\d{3}|s/.test(value.value))
    note(at, "L3", "path.setuid", "looks for programs that run with their owner's rights", "escalate");
}

/** `fd`: its row, and what it runs on what it finds. */
export const fd: Handler = (argv, at) => {
  const row = at.run.row("fd");
  if (!row) return unknown();
  const start = argv.findIndex((text) => /^(-[xX]|--exec(-batch)?)$/.test(text.value));
  if (start < 0) return judgeRow(row, argv, at);
  const stop = argv.findIndex((text, index) => index > start && /^\\?;$/.test(text.value));
  const end = stop < 0 ? argv.length : stop;
  const own = [...argv.slice(0, start), ...argv.slice(end + 1)];
  judgeRow(row, own, at);
  const args = readArguments(own.slice(1), grammarOf(row.options ?? ""));
  const based = args.given.filter(({ name }) => name === "--base-directory" || name === "--search-path");
  const roots = [...args.operands.slice(1), ...based.flatMap(({ value }) => (value ? [value] : []))];
  const command = argv.slice(start + 1, end);
  const marked = command.map((text) => ({ ...text, value: text.value.replace(/\{(\/|\/\/|\.|\/\.)\}/g, "{}") }));
  const whole = marked.some((text) => text.value.includes("{}")) ? marked : [...marked, literal("{}")];
  runFound(whole, roots.length > 0 ? roots : [literal(".")], at);
  return unknown(Origin.file);
};

/** What is found lies below the roots: a name below the workspace when every root does. */
function runFound(command: readonly Text[], roots: readonly Text[], at: Context): void {
  if (command.length === 0) return;
  for (const root of roots) {
    const word = below(root);
    at.run.judge.argv(
      command.map((text) => substitute(text, "{}", word)),
      deeper(at),
    );
  }
}
