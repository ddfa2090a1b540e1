// Programs that create, copy, move and delete files.
import { posix } from "node:path";
import { type Context, type Handler, note } from "../../command-line/context/context.ts";
import { type Arguments, grammarOf, readArguments } from "../../command-line/context/options.ts";
import { judgePath, places } from "../../command-line/context/paths.ts";
import { ownWork } from "../../command-line/context/removal.ts";
import { classifyPath } from "../../command-line/context/sensitive.ts";
import {
  constant,
  endlessOf,
  hole,
  nothing,
  Origin,
  shown,
  type Text,
  unknown,
} from "../../command-line/syntax/text.ts";

function read(argv: readonly Text[], options: string, at: Context): Arguments {
  const args = readArguments(argv.slice(1), grammarOf(`${options} --help --version`));
  for (const option of args.unknown)
    note(at, "L2", "program.unknown-option", `uses an option that is not known (${shown(option)})`, "unknown-option");
  return args;
}

const has = (args: Arguments, ...names: string[]): boolean => args.given.some(({ name }) => names.includes(name));

export const remove: Handler = (argv, at) => {
  const args = read(
    argv,
    "-f --force -i -I -r -R --recursive -v --verbose -d --dir --one-file-system --preserve-root --no-preserve-root --interactive? -P -x",
    at,
  );
  const recursive = has(args, "-r", "-R", "--recursive");
  if (has(args, "--no-preserve-root")) note(at, "L3", "path.root", "deletes the root folder", "destroy");
  for (const target of args.operands) {
    judgePath(target, recursive ? "destroy" : "delete", at);
    if (recursive && target.from & Origin.everything && target.value === hole)
      note(at, "L3", "path.root", "deletes everything that was listed", "destroy");
    if (
      recursive &&
      at.scope.folders.length === 0 &&
      !target.value.startsWith("/") &&
      /^(\.?\/?\*|\.\/?|\*)$/.test(target.value)
    )
      note(at, "L3", "path.root", "deletes everything in a folder that is not known beforehand", "destroy");
    if (
      recursive &&
      target.holes &&
      !target.names &&
      target.value === hole &&
      /\$\{?(HOME|PWD|OLDPWD)\b|rev-parse --show-toplevel/.test(at.part)
    )
      note(at, "L3", "path.root", "deletes a whole root", "destroy");
  }
  const named = at.run.findings.segment(at.part).some(({ code }) => /^path\.(own-)?delete(-many)?$/.test(code));
  if (args.operands.length > 0 && !named) note(at, "L2", "path.delete", "deletes files", "delete");
  return nothing;
};

const copyOptions =
  "-a --archive -b --backup? -d -f --force -i --interactive -H -l --link -L --dereference -n --no-clobber -P --no-dereference -p --preserve? --parents -R -r --recursive --reflink? --remove-destination --sparse? --strip-trailing-slashes -s --symbolic-link -S: --suffix: -t: --target-directory: -T --no-target-directory -u --update? -v --verbose -x --one-file-system -Z -c -X";

export const copy: Handler = (argv, at) => {
  const args = read(argv, copyOptions, at);
  const { sources, target, folder } = destination(args);
  for (const source of sources) judgePath(source, "read", at);
  if (sources.some(({ value }) => /^(\/usr)?\/bin\/(ba|z|da|k)?sh$/.test(value)))
    note(at, "L3", "program.shell-copy", "copies a shell to go by another name", "hide");
  if (has(args, "-s", "--symbolic-link", "-l", "--link")) note(at, "L2", "path.link", "makes links", "hard-link");
  if (has(args, "-s", "--symbolic-link")) for (const source of sources) remember(source, target, at);
  if (sources.some(({ value }) => endlessOf(value) !== 0))
    note(at, "L3", "path.fills", "copies what has no end", "destroy");
  if (target)
    writeInto(
      sources,
      target,
      {
        folder,
        access: has(args, "-n", "--no-clobber") ? "create" : "write",
        recursive: has(args, "-r", "-R", "-a", "--recursive", "--archive"),
      },
      at,
    );
  return nothing;
};

export const move: Handler = (argv, at) => {
  const args = read(argv, copyOptions, at);
  const { sources, target, folder } = destination(args);
  for (const source of sources) {
    judgePath(source, "read", at);
    judgePath(source, "destroy", at);
  }
  if (sources.length > 0) note(at, "L2", ownMove(sources, at) ? "path.own-move" : "path.move", "moves files", "move");
  if (target && places(target, at).some(({ absolute }) => absolute.startsWith("/dev/")))
    note(at, "L3", "path.device", "moves files onto a device, where they are lost", "destroy");
  if (target) writeInto(sources, target, { folder, access: "write", recursive: true }, at);
  return nothing;
};

/** Everything that is moved is known and the session's own work. */
const ownMove = (sources: readonly Text[], at: Context): boolean =>
  sources.every((source) => {
    const from = places(source, at);
    return from.length > 0 && from.every(({ absolute, partial }) => !partial && isOwn(absolute, at));
  });

const isOwn = (absolute: string, at: Context): boolean => ownWork(at.run.facts.path(absolute).real, at.run.facts);

function destination(args: Arguments): { sources: Text[]; target: Text | undefined; folder: boolean } {
  const given = args.given.find(({ name }) => name === "-t" || name === "--target-directory")?.value;
  if (given) return { sources: args.operands, target: given, folder: true };
  return { sources: args.operands.slice(0, -1), target: args.operands.at(-1), folder: args.operands.length > 2 };
}

interface Into {
  folder: boolean;
  access: "write" | "create";
  recursive: boolean;
}

/** The files that a copy or move really writes: inside the target when that is a folder. */
function writeInto(sources: readonly Text[], target: Text, into: Into, at: Context): void {
  const place = places(target, at)[0];
  const kind = place && !place.partial ? at.run.facts.path(place.absolute).kind : "missing";
  if (kind !== "folder" && !into.folder && !target.value.endsWith("/")) {
    judgePath(target, into.access, at);
    if (into.recursive) judgeTree(target, at);
    return;
  }
  judgePath(target, "create", at);
  for (const source of sources) {
    const name = posix.basename(source.value);
    if (name === "" || name === "." || source.holes) {
      if (into.access === "write")
        note(at, "L2", "path.unknown-writes", "may overwrite files that are not known beforehand", "overwrite");
      continue;
    }
    const joined = { ...target, value: `${target.value.replace(/\/$/, "")}/${name}`, glob: target.glob || source.glob };
    judgePath(joined, into.access, at);
    if (into.recursive) judgeTree(joined, at);
  }
}

/** A whole folder at once: what may come to lie in it, and what lies there already. */
function judgeTree(target: Text, at: Context): void {
  const { facts } = at.run;
  for (const { absolute, partial } of places(target, at)) {
    const { real, kind } = facts.path(absolute);
    if (!partial && classifyPath(`${real}/x`, facts) === "run-later")
      note(at, "L2", "path.run-later", `writes ${posix.basename(real)}, which others run or obey later`, "run-later");
    if (kind === "folder")
      note(at, "L2", "path.overwrite", `may overwrite files in ${posix.basename(real)}`, "overwrite");
  }
}

export const link: Handler = (argv, at) => {
  const args = read(
    argv,
    "-s --symbolic -f --force -n --no-dereference -r --relative -v --verbose -t: --target-directory: -T -b -i -L -P -h -S:",
    at,
  );
  const { sources, target } = destination(args);
  note(at, "L2", "path.link", "makes a link", "hard-link");
  for (const source of sources) judgePath(source, "read", at);
  if (target && sources.length > 0) judgePath(target, has(args, "-f", "--force") ? "write" : "create", at);
  if (sources.length === 0 && target) judgePath(target, "read", at);
  if (has(args, "-s", "--symbolic")) {
    for (const source of sources) remember(source, target, at);
    if (sources.length === 0 && target) remember(target, undefined, at);
  }
  return nothing;
};

/** Paths through a link that this command makes are judged where they lead. */
function remember(source: Text, target: Text | undefined, at: Context): void {
  const [from] = places(source, at);
  if (!from || from.partial) return;
  const links = target ? places(target, at) : places({ ...source, value: posix.basename(source.value) }, at);
  for (const { absolute, partial } of links) {
    if (partial) continue;
    const inside = at.run.facts.path(absolute).kind === "folder";
    const link = inside ? posix.join(absolute, posix.basename(from.absolute)) : absolute;
    if (link !== from.absolute) at.run.links.set(link, from.absolute);
  }
}

export const tee: Handler = (argv, at) => {
  const args = read(argv, "-a --append -i --ignore-interrupts -p --output-error?", at);
  for (const file of args.operands) {
    judgePath(file, has(args, "-a", "--append") ? "append" : "write", at);
    for (const place of places(file, at))
      at.run.written.set(place.absolute, (at.run.written.get(place.absolute) ?? 0) | at.scope.stdin.from);
    for (const place of places(file, at))
      if (at.scope.stdin.text !== undefined) at.run.contents.set(place.absolute, at.scope.stdin.text);
  }
  return at.scope.stdin;
};

export const install: Handler = (argv, at) => {
  const args = read(
    argv,
    "-b -c -C -d --directory -D -g: -m: --mode: -o: -p -s -S: -t: --target-directory: -T -v --verbose",
    at,
  );
  if (has(args, "-d", "--directory")) for (const folder of args.operands) judgePath(folder, "create", at);
  else {
    const { sources, target, folder } = destination(args);
    for (const source of sources) judgePath(source, "read", at);
    if (target) writeInto(sources, target, { folder, access: "write", recursive: false }, at);
  }
  if (args.given.some(({ name, value }) => /^(-m|--mode)$/.test(name) && /^[2467]\d{3}$|s/.test(value?.value ?? "")))
    note(at, "L3", "program.setuid", "makes a program run with its owner's rights", "escalate");
  return nothing;
};

/** The owner's rights, and whether others may read and run a file. */
const plainMode = /^(?:[ugoa]*[+-][rx]+|u[+=-][rwx]+|0?[4-7][0145][0145])$/;

export const mode: Handler = (argv, at) => {
  const [, ...rest] = argv;
  const operands = rest.filter(
    (text) => !/^-[Rvcf]+$|^--(recursive|verbose|changes|silent|quiet|reference.*|preserve-root)$/.test(text.value),
  );
  const [bits, ...files] = operands;
  if (argv.some((text) => text.value === "--help" || text.value === "--version")) return constant;
  const value = bits?.value ?? "";
  if (/^[2467]\d{3}$|^0[2467]\d{3}$/.test(value) || /[ugoa]*[+=][rwxXt]*s/.test(value))
    note(at, "L3", "program.setuid", "makes a program run with its owner's rights", "escalate");
  const plain = plainMode.test(value) && !argv.some((text) => /^-\w*R|^--re/.test(text.value));
  note(at, "L2", plain ? "path.plain-mode" : "path.mode", "changes who may use a file", "overwrite");
  for (const file of files) {
    for (const place of places(file, at)) {
      const from = at.run.written.get(place.absolute) ?? 0;
      if (/x|[1357]/.test(value) && from !== 0 && (from & 3) !== 0)
        note(
          at,
          "L3",
          "shell.run-download",
          `makes ${shown(file)} runnable, which this command downloads or decodes`,
          "download-and-run",
        );
    }
    judgePath(file, "append", at);
  }
  return nothing;
};

const device = /^\/dev\/(?!null|zero|stdout|stderr|fd\/|tty$|full)/;

export const dd: Handler = (argv, at) => {
  const words = argv.map(({ value }) => value);
  const source = words.find((word) => word.startsWith("if="))?.slice(3) ?? "";
  if (
    endlessOf(source) !== 0 &&
    !words.some((word) => word.startsWith("count=")) &&
    words.some((word) => /^of=(?!\/dev\/null)/.test(word))
  )
    note(at, "L3", "path.fills", "copies what has no end", "destroy");
  for (const text of argv.slice(1)) {
    const found = /^(\w+)=([\s\S]*)$/.exec(text.value);
    if (!found) {
      if (!/^--(help|version)$/.test(text.value))
        note(
          at,
          "L2",
          "program.unknown-option",
          `uses an operand that is not known (${shown(text)})`,
          "unknown-option",
        );
      continue;
    }
    const file = { ...text, value: found[2] ?? "" };
    if (found[1] === "if") judgePath(file, "read", at);
    if (found[1] !== "of") continue;
    if (device.test(file.value)) note(at, "L3", "path.device", `overwrites a device (${file.value})`, "destroy");
    judgePath(file, "write", at);
  }
  return unknown();
};

export const fileHandlers: readonly [string, Handler][] = [
  ["rm", remove],
  ["cp", copy],
  ["mv", move],
  ["ln", link],
  ["tee", tee],
  ["install", install],
  ["chmod", mode],
  ["dd", dd],
];
