// Programs that write files which their command line does not name: out of archives, patches and whole folders.
import { posix } from "node:path";
import { anyFile, type Context, note } from "../../command-line/context/context.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { repositoryIn } from "../../command-line/context/repositories.ts";
import { classifyPath, within } from "../../command-line/context/sensitive.ts";
import { isStatic, literal, type Text } from "../../command-line/syntax/text.ts";

/** What nobody can say beforehand may be a file that others run: asked below autonomy 5. */
export function unknownWrites(what: string, folder: Text | undefined, at: Context): void {
  const { facts } = at.run;
  const into = folder ? places(folder, at) : at.scope.folders.map((absolute) => ({ absolute, partial: false }));
  const apart = into.length > 0 && into.every(({ absolute }) => within(facts.path(absolute).real, facts.temporary));
  if (!apart)
    note(
      at,
      "L2",
      "path.unknown-writes",
      `${what}; one of them may be a file that programs run or obey`,
      "unknown-writes",
    );
}

const given = (words: readonly Text[], long: RegExp, letter: string): Text | undefined => {
  for (const [index, word] of words.entries()) {
    const joined = long.exec(word.value);
    if (joined?.[0].endsWith("=")) return { ...word, value: word.value.slice(joined[0].length) };
    if (joined?.[0] === word.value || word.value === `-${letter}`) return words[index + 1];
    if (word.value.startsWith(`-${letter}`) && word.value.length > 2) return { ...word, value: word.value.slice(2) };
  }
  return undefined;
};

interface Unpacks {
  /** Where to; the working folder when left out. */
  folder?: Text | undefined;
}
type Unpacker = (words: readonly Text[]) => Unpacks | undefined;

const short = (words: readonly Text[], letter: string): boolean =>
  words.some(
    ({ value }, index) =>
      (/^-[a-zA-Z]+$/.test(value) || (index === 0 && /^[a-zA-Z]+$/.test(value))) && value.includes(letter),
  );
const has = (words: readonly Text[], pattern: RegExp): boolean => words.some(({ value }) => pattern.test(value));

const tape: Unpacker = (words) =>
  short(words, "x") || has(words, /^--(extract|get)$/) ? { folder: given(words, /^--directory(=|$)/, "C") } : undefined;
const zipped: Unpacker = (words) =>
  has(words, /^-[a-zA-Z]*[lvtzZpc]/) || words.length === 0 ? undefined : { folder: given(words, /^$/, "d") };
const verbs =
  (pattern: RegExp, letter: string): Unpacker =>
  (words) =>
    words[0] && pattern.test(words[0].value) ? { folder: given(words, /^$/, letter) } : undefined;
const copiedIn: Unpacker = (words) =>
  short(words, "i") || short(words, "p") || has(words, /^--(extract|pass-through)$/)
    ? { folder: given(words, /^--directory(=|$)/, "D") }
    : undefined;

const unpackers: ReadonlyMap<string, Unpacker> = new Map<string, Unpacker>([
  ...["tar", "bsdtar", "gtar", "star"].map((name): [string, Unpacker] => [name, tape]),
  ["unzip", zipped],
  ...["7z", "7za", "7zr", "7zz", "p7zip"].map((name): [string, Unpacker] => [name, verbs(/^[xe]$/, "o")]),
  ...["rar", "unrar"].map((name): [string, Unpacker] => [name, verbs(/^[xe]$/, "op")]),
  ["ar", verbs(/^-?[a-zA-Z]*x/, "")],
  ["jar", verbs(/^-?[a-zA-Z]*x|^--extract/, "C")],
  ["cpio", copiedIn],
  ["pax", (words) => (short(words, "r") ? {} : undefined)],
  ...["unar", "ditto", "unshar", "uudecode", "dtrx", "atool", "aunpack", "patool", "cabextract", "unarj", "lha"].map(
    (name): [string, Unpacker] => [name, () => ({})],
  ),
]);

export function judgeBrought(name: string, words: readonly Text[], at: Context): void {
  if (words.length === 1 && /^--(version|help)$/.test(words[0]?.value ?? "")) return;
  const unpacked = unpackers.get(name)?.(words);
  if (unpacked) unknownWrites("unpacks files that are not known beforehand", unpacked.folder, at);
  else if (name === "patch") patches(words, at);
  else if (name === "rsync" || name === "cp" || name === "gcp" || name === "mv" || name === "gmv")
    copies(name, words, at);
  else if (/^(gunzip|bunzip2|unxz|unlzma|unzstd|uncompress|gzip|bzip2|xz|zstd|lz4)$/.test(name))
    unpacksEach(name, words, at);
}

/** `gunzip package.json.gz` writes `package.json`. */
function unpacksEach(name: string, words: readonly Text[], at: Context): void {
  const out = has(words, /^-[a-zA-Z]*[ctlL]|^--(stdout|to-stdout|list|test)$/);
  if (out || !(/^un|^gun|^bun/.test(name) || has(words, /^-[a-zA-Z]*d|^--(decompress|uncompress)$/))) return;
  if (has(words, /^-[a-zA-Z]*[rN]|^--(recursive|name)$/))
    unknownWrites("unpacks files that are not known beforehand", undefined, at);
  for (const word of words)
    if (!word.value.startsWith("-") && /\.\w+$/.test(word.value))
      judgePath({ ...word, value: word.value.replace(/\.\w+$/, "") }, "edit", at);
}

function patches(words: readonly Text[], at: Context): void {
  if (has(words, /^--dry-run$/)) return;
  const plain = words.filter(({ value }) => !value.startsWith("-"));
  const file = given(words, /^--input(=|$)/, "i") ?? plain[1];
  const folder = given(words, /^--directory(=|$)/, "d");
  const texts = file ? textsOf(file, at) : [at.scope.stdin.text];
  judgePatches(texts, folder, at);
}

/** The texts of a file; undefined where one cannot be known. */
export const textsOf = (file: Text, at: Context): (string | undefined)[] =>
  places(file, at).map(({ absolute, partial }) =>
    partial || at.run.written.has(absolute) ? at.run.contents.get(absolute) : at.run.facts.text(absolute),
  );

const namesInPatch =
  /^(?:\+\+\+|---|\*\*\*|Index:|rename (?:from|to)|copy (?:from|to)) "?([^"\t\r\n]+)|^diff --git "?(?:\S+?)"? "?([^"\t\r\n]+)/gm;

/** Judges every file that patches name; how many leading folders are left out is not asked, each number counts. */
export function judgePatches(texts: readonly (string | undefined)[], folder: Text | undefined, at: Context): void {
  const base = folder && isStatic(folder) ? folder.value : ".";
  const files = texts.map((text) =>
    text === undefined
      ? []
      : [...text.matchAll(namesInPatch)]
          .map(([, one, other]) => (one ?? other ?? "").trim())
          .filter((file) => file !== "/dev/null"),
  );
  if (files.length === 0 || files.some((each) => each.length === 0) || (folder && !isStatic(folder)))
    unknownWrites("changes the files that a patch names, which are not known beforehand", folder, at);
  for (const file of new Set(files.flat())) {
    const parts = file.split("/");
    const cut = parts.length > 1 ? parts.slice(1).join("/") : file;
    judgePath(literal(posix.join(base, cut)), "edit", at);
    for (let from = 0; from < parts.length; from++)
      warn(posix.resolve(at.scope.folders[0] ?? "/", base, parts.slice(from).join("/")), at);
  }
}

/** Says of a file that comes with others what it is, where that matters. */
function warn(path: string, at: Context): boolean {
  const { facts } = at.run;
  if (!within(path, facts.workspace)) return false;
  const kind = classifyPath(path, facts);
  if (kind === "ordinary") return false;
  const name = posix.relative(facts.workspace, path);
  if (kind === "run-later")
    note(at, "L2", "path.run-later", `writes ${name}, which others run or obey later`, "run-later");
  else if (kind === "env" || kind === "secret")
    note(at, "L2", "path.environment-file", `writes ${name}, which may hold secrets`, "sensitive-write");
  else note(at, "L2", "path.repository", `writes ${name}, which git or fettle obeys`, "run-later");
  return true;
}

const copyOptions = /^(-[a-zA-Z]*[rRa][a-zA-Z]*|--recursive|--archive)$/;

function copies(name: string, words: readonly Text[], at: Context): void {
  const plain = words.filter(({ value }) => !value.startsWith("-"));
  const last = given(words, /^--target-directory(=|$)/, name === "rsync" ? "\0" : "t");
  const target = last ?? plain.at(-1);
  const sources = last ? plain.filter((word) => word.value !== last.value) : plain.slice(0, -1);
  if (!target || (!/mv/.test(name) && !has(words, copyOptions) && name !== "rsync")) return;
  if (name === "rsync" && (has(words, /^--(files-from|include-from)/) || has(words, /^-[a-zA-Z]*n|^--dry-run$/))) {
    if (!has(words, /^-[a-zA-Z]*n|^--dry-run$/)) unknownWrites("copies files that only a list names", target, at);
    return;
  }
  for (const source of sources) copiesTree(source, target, at);
}

const mostTold = 3;

function copiesTree(source: Text, target: Text, at: Context): void {
  const { facts } = at.run;
  const { files, unknown } = filesBelow(source, at);
  if (unknown) unknownWrites("copies folders whose files are not known beforehand", target, at);
  let told = 0;
  const base = posix.basename(source.value);
  for (const { absolute } of places(target, at)) {
    if (within(facts.path(absolute).real, facts.temporary)) continue;
    const { real } = facts.path(absolute);
    for (const file of files) {
      if (told >= mostTold) return;
      if (warn(posix.join(real, file), at) || warn(posix.join(real, base, file), at)) told += 1;
    }
    const planted = repositoryIn(files);
    if (planted !== undefined)
      note(
        at,
        "L2",
        "path.repository",
        `writes ${posix.join(base, planted) || base}, which git takes for a repository`,
        "run-later",
      );
  }
}

/** What lies below a folder that is copied; nothing for a file, which is judged by its name. */
function filesBelow(source: Text, at: Context): { files: readonly string[]; unknown: boolean } {
  const { facts, written, findings } = at.run;
  if (source.holes || source.glob) return { files: [], unknown: source.holes || source.glob === true };
  const files: string[] = [];
  let unknown = written.has(anyFile);
  for (const { absolute } of places(source, at)) {
    const { real, kind } = facts.path(absolute);
    for (const path of written.keys())
      if (path.startsWith(`${absolute}/`)) {
        if (path.endsWith("/")) unknown = true;
        else files.push(path.slice(absolute.length + 1));
      }
    if (kind === "folder") {
      const below = facts.below?.(real);
      if (below) files.push(...below);
      else unknown = true;
    } else if (kind === "missing" && findings.parts.size > 1) unknown = true;
  }
  return { files, unknown };
}
