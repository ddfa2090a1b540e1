import { anyFile, type Context, deeper, type Handler, note } from "../../command-line/context/context.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import {
  constant,
  type Flow,
  isDash,
  literal,
  names,
  Origin,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";
import { runText } from "../shells/judge.ts";

const valued =
  /^(-f|--file|-C|--directory|-T|--files-from|-X|--exclude-from|--exclude|-b|-g|-N|-K|-L|-V|-I|--use-compress-program|--to-command|--checkpoint-action|--info-script|--new-volume-script|-F|--transform|--owner|--group|--mode|--mtime|--strip-components|--rsh-command|--rmt-command)$/;

/** `tar`: listing reads; unpacking and packing write what is not known beforehand; some options run commands. */
export const tar: Handler = (argv, at) => {
  const words = argv.slice(1);
  const first = words[0]?.value ?? "";
  const letters = /^-?[a-zA-Z]+$/.test(first) && !first.startsWith("--") ? first.replace("-", "") : "";
  if (words.length === 1 && /^--(version|help)$/.test(first)) return constant;
  options(words, at);
  const has = (letter: string, long: RegExp) =>
    letters.includes(letter) ||
    words.some((text) => long.test(text.value) || (/^-[a-zA-Z]+$/.test(text.value) && text.value.includes(letter)));
  const archive = archiveOf(words, letters);
  if (archive && /^[\w.-]+@?[\w.-]*:/.test(archive.value))
    note(at, "L3", "network.sender", "keeps its archive at another host", "exfiltrate");
  if (has("t", /^--list$/)) {
    if (archive) judgePath(archive, "read", at);
    return names;
  }
  if (has("x", /^--(extract|get)$/)) {
    if (archive && !isDash(archive)) judgePath(archive, "read", at);
    unpacked(archive, at);
    if (words.some((text) => /^(-P|--absolute-names)$/.test(text.value)) || letters.includes("P"))
      note(at, "L3", "path.outside-write", "unpacks to absolute paths", "outside");
    note(at, "L2", "path.unknown-writes", "unpacks files that are not known beforehand", "overwrite");
    return unknown(at.scope.stdin.from | Origin.file);
  }
  if (archive && !isDash(archive)) judgePath(archive, "write", at);
  const removes = words.some((text) => text.value === "--remove-files");
  note(at, "L2", removes ? "path.archive-removing" : "path.archive", "packs files", "overwrite");
  words.forEach((text, index) => {
    if (index === 0 && letters) return;
    if (text !== archive && !text.value.startsWith("-") && !valued.test(words[index - 1]?.value ?? ""))
      judgePath(text, "read", at);
  });
  if (removes) {
    note(at, "L2", "path.delete", "deletes what it packed", "delete");
    for (const text of words) if (text !== archive && !text.value.startsWith("-")) judgePath(text, "destroy", at);
  }
  return unknown(Origin.file);
};

/** What comes out of a downloaded archive is downloaded too, under names that are not known. */
function unpacked(archive: Text | undefined, at: Context): void {
  const from =
    archive && !isDash(archive)
      ? places(archive, at).reduce((bits, place) => bits | (at.run.written.get(place.absolute) ?? 0), 0)
      : at.scope.stdin.from;
  if (from & Origin.network) at.run.written.set(anyFile, from);
}

function archiveOf(words: readonly Text[], letters: string): Text | undefined {
  const long = words.find((text) => /^--file=/.test(text.value));
  if (long) return { ...long, value: long.value.slice(7) };
  const short = words.findIndex(
    (text) => text.value === "-f" || text.value === "--file" || /^-[a-zA-Z]*f$/.test(text.value),
  );
  if (short >= 0) return words[short + 1];
  return letters.endsWith("f") || letters.includes("f") ? words[1] : undefined;
}

function options(words: readonly Text[], at: Context): void {
  words.forEach((text, index) => {
    const found =
      /^(--to-command|--use-compress-program|--checkpoint-action|--info-script|--new-volume-script|--rsh-command|--rmt-command|-I|-F)(?:=([\s\S]*))?$/.exec(
        text.value,
      );
    if (found) {
      const value = found[2] === undefined ? (words[index + 1] ?? literal("")) : { ...text, value: found[2] };
      const code = /^exec=/.test(value.value) ? { ...value, value: value.value.slice(5) } : value;
      if (/^(gzip|pigz|bzip2|pbzip2|xz|zstd|lz4|zstdmt|brotli)( -[\w-]+)*$/.test(code.value)) return;
      if (found[1] === "--checkpoint-action" && !/^exec=/.test(value.value)) return;
      note(at, "L3", "program.runs", `makes tar run a command (${code.value})`, "hide");
      runText(code, deeper(at));
    }
    const folder =
      text.value === "-C" || text.value === "--directory"
        ? words[index + 1]
        : /^--directory=/.test(text.value)
          ? { ...text, value: text.value.slice(12) }
          : undefined;
    if (folder)
      judgePath(folder, words.some((word) => /^-?[a-zA-Z]*x|--extract/.test(word.value)) ? "create" : "read", at);
  });
}

export const unzip: Handler = (argv, at): Flow => {
  const words = argv.slice(1);
  const files = words.filter((text) => !text.value.startsWith("-"));
  if (files[0]) judgePath(files[0], "read", at);
  unpacked(files[0], at);
  if (words.some((text) => /^-[a-zA-Z]*[lvtzZ]/.test(text.value))) return names;
  if (words.some((text) => /^-[a-zA-Z]*[pc]/.test(text.value))) return unknown(Origin.file | Origin.decoded);
  const folder = words[words.findIndex((text) => text.value === "-d") + 1];
  if (words.some((text) => text.value === "-d") && folder) judgePath(folder, "create", at);
  if (words.some((text) => text.value === "-:"))
    note(at, "L3", "path.outside-write", "unpacks outside its folder", "outside");
  note(at, "L2", "path.unknown-writes", "unpacks files that are not known beforehand", "overwrite");
  return unknown(Origin.file);
};
