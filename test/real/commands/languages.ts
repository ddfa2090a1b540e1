// Programs that take programs: scripts of sed and awk, items of xargs, actions of find, modules and code of interpreters.
import type { Random } from "../random.ts";
import { mark } from "./planted.ts";
import { single, type Words } from "./words.ts";

const addresses = ["", "", "", "", "", "", "", "1", "$", "1,2", "/x/", "\\,x,", "0~2", "1!", "/a/,/b/"];
const separators = ["; ", ";", "\n", " ", " ", " ", " ", "}", " ; ", "\t", ""];
const labels = ["a", "x1", "a.b", ""];
const flags = ["", "g", "p", "e", "2", "w planted", "I", "ge", "m"];

/** The letters of GNU sed's manual, each with what may follow it. */
function sedPiece(random: Random, words: Words): string {
  const argument = random.pick([` ${mark}`, ` ${mark}`, mark, "", ` ${words.operand()}`, " x", " planted", "\\\nx"]);
  const letter = random.pick([..."=acdDefFgGhHilnNpPqQrRvwWxyz{}#", ..."eeewsss:::btT"]);
  if (letter === "s")
    return `s${random.pick(["/a/b/", "|a|b|", "/.*/zmark/", "/[/]/b/", ",x,&,"])}${random.pick(flags)}`;
  if (letter === "y") return "y/ab/ba/";
  if (":btT".includes(letter)) return `${letter}${random.pick(["", " "])}${random.pick(labels)}`;
  if (letter === "e" && random.chance(0.6)) return `e ${mark}`;
  return letter + ("aceirRwWlqQ".includes(letter) ? argument : "");
}

export function sedScript(random: Random, words: Words): string {
  const pieces = random.some(1, 3, () => {
    const piece = sedPiece(random, words);
    // A label takes no address.
    return piece.startsWith(":") ? piece : random.pick(addresses) + piece;
  });
  return pieces.reduce((script, piece) => script + random.pick(separators) + piece);
}

const patterns = ["", "BEGIN", "END", "/x/", "NR==1", "$1", "1,2", "!a[$0]++"];

export function awkProgram(random: Random, words: Words): string {
  const text = () =>
    random.pick(["$0", "$1", "v", `"${mark}"`, `"${words.operand()}"`, "FILENAME", '"planted"', "a[1]"]);
  const statement = () =>
    random.pick([
      `print ${text()}`,
      `print > ${text()}`,
      `print ${text()} | ${text()}`,
      `printf ${text()}, ${text()} >> ${text()}`,
      `system(${text()})`,
      `getline < ${text()}`,
      `${text()} | getline v`,
      `close(${text()})`,
      `v = ${text()} ${text()}`,
      `gsub(/a/, ${text()})`,
      `if (${text()}) exit`,
      `ARGV[1] = ${text()}`,
      `ENVIRON["PATH"] = ${text()}`,
      `@load ${text()}`,
    ]);
  return random.some(1, 2, () => `${random.pick(patterns)} { ${random.some(1, 2, statement).join("; ")} }`).join("\n");
}

const items = ["", "-0", "-d,", "-d ' '", "-I{}", "-I x", "-n1", "-L1", "-r", "-t", "-0 -n1", "-i", "-d '\\n'", "-E x"];
/** What makes a command of the words behind it, or of the first of them. */
const starters = [
  "",
  "env",
  "nice",
  "timeout 1",
  "env -S",
  "sh -c",
  "sh -c",
  "sh -c",
  "bash -c",
  "bash -c",
  "busybox sh -c",
];

export interface Inner {
  /** Any command. */
  simple(): string;
  /** The names of installed modules of Python that have something to run. */
  modules: readonly string[];
  /** Installed interpreters with the options of the rule tables. */
  interpreters: readonly { name: string; options: readonly string[] }[];
}

/** A command that hands text on to a starter; whatever splits the text decides what runs. */
function handedOn(random: Random, words: Words, inner: Inner): string {
  const text = random.pick([inner.simple(), `echo ${words.hostile()}`, `true ${words.hostile()}`, words.hostile()]);
  const starter = random.pick([
    random.pick(starters),
    random.pick(starters),
    `${random.pick(starters)} {}`,
    inner.simple(),
  ]);
  const given = random.pick(["<<<", "<<<", "printf", "echo"]);
  const command = `xargs ${random.pick(items)} ${starter}`;
  return given === "<<<"
    ? `${command} <<< ${single(text)}`
    : `${given} ${given === "printf" ? random.pick(["%s ", "'%s\\0' ", ""]) : ""}${single(text)} | ${command}`;
}

/** An interpreter asked for a version, for a module, for a check, or given code. */
function interpreted(random: Random, words: Words, { interpreters, modules }: Inner): string {
  const withModules = interpreters.filter(({ name }) => modules.length > 0 && name.startsWith("python"));
  const { name, options } = random.pick(withModules.length > 0 && random.chance(0.6) ? withModules : interpreters);
  const module = name.startsWith("python") && modules.length > 0 && random.chance(0.8);
  const before = random.pick(["", "", "-I", "-S", "-B", "-E", ...(module ? [] : options)]);
  const rest = module
    ? `-m${random.pick([" ", " ", ""])}${random.pick(modules)}`
    : `${random.pick(options)}${random.chance(0.4) ? ` ${words.value("", 0)}` : ""}`;
  return [name, before, rest, ...random.some(0, 2, () => words.operand())].filter(Boolean).join(" ");
}

export function inLanguage(random: Random, words: Words, inner: Inner): string {
  const draw = random.next();
  const w = () => words.word(0);
  if (draw < 0.45)
    return `sed ${random.pick(["", "-n", "-E", "-s", "-z", "--posix", "-n -e p -e"])} ${single(sedScript(random, words))} ${words.operand()}`;
  if (draw < 0.55)
    return `awk ${random.pick(["", "", "-v v=planted", `-v v=${w()}`, "-F,"])} ${single(awkProgram(random, words))} ${words.operand()}`;
  if (draw < 0.77 || inner.interpreters.length === 0) return handedOn(random, words, inner);
  return interpreted(random, words, inner);
}
