// Programs that take programs: scripts of sed and awk, items of xargs, actions of find, modules and code of interpreters.
import type { Random } from "../random.ts";
import { mark } from "./planted.ts";
import { single, type Words } from "./words.ts";

const addresses = ["", "", "", "", "", "", "", "1", "$", "1,2", "/x/", "\\,x,", "0~2", "1!", "/a/,/b/"];
const separators = ["; ", ";", "\n", " ; ", "\n  "];
/** Ends a label, to GNU sed, and no other command. */
const blanks = [" ", " ", "\t", "  "];
const labels = ["a", "x1", "a.b", "a$"];
const flags = ["", "g", "p", "e", "2", "w planted", "I", "ge", "m"];

/** The letters of GNU sed's manual, each with what may follow it; now and then with what may not. */
function sedPiece(random: Random, words: Words): string {
  const wrong = random.chance(0.1);
  const argument = random.pick([` ${mark}`, mark, ` ${words.operand()}`, " planted", "\\\nx"]);
  const letter = random.pick([..."=acdDefFgGhHilnNpPqQrRwWxz#v", ..."{}", ..."eesss::::::btT"]);
  if (letter === "s")
    return `s${random.pick(["/a/b/", "|a|b|", "/.*/zmark/", "/[/]/b/", ",x,&,", "/a/b", "y/ab/ba/"])}${random.pick(flags)}`;
  if (letter === ":") return `:${random.pick(["", " "])}${wrong ? "" : random.pick(labels)}`;
  if ("btT".includes(letter)) return letter + (wrong ? random.pick(labels) : "");
  if (letter === "{") return `{${random.pick(["", " "])}p${random.pick(["}", ";}"])}`;
  const wants = "aceirRwWlqQ".includes(letter);
  return letter + (wants !== wrong && (!"eqQlL".includes(letter) || random.chance(0.3)) ? argument : "");
}

/** What may stand between a piece and the next: mostly what ends the one. */
function between(random: Random, piece: string): string {
  if (random.chance(0.12)) return random.pick([...separators, ...blanks, "}", ""]);
  return random.pick(piece.startsWith(":") && random.chance(0.6) ? blanks : separators);
}

/** What a script is judged for: a command that runs something, or writes. */
const acts = [`e ${mark}`, `e ${mark}`, `s/.*/${mark}/e`, "w planted", "s/a/b/w planted"];

/** Whatever is read wrongly hides what stands behind it, so an act often ends the script. */
export function sedScript(random: Random, words: Words): string {
  const drawn = random.some(1, 3, () => sedPiece(random, words));
  const pieces = (random.chance(0.5) ? [...drawn, random.pick(acts)] : drawn).map((piece) =>
    // A label takes no address.
    piece.startsWith(":") ? piece : random.pick(addresses) + piece,
  );
  return pieces.reduce((script, piece, index) => script + between(random, pieces[index - 1] ?? "") + piece);
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
  const shown = `${random.pick(["echo", "true", "ls"])} ${words.hostile()}`;
  const text = random.pick([shown, shown, inner.simple(), words.hostile()]);
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
  if (draw < 0.35)
    return `sed ${random.pick(["", "-n", "-E", "-s", "-z", "--posix", "-n -e p -e"])} ${single(sedScript(random, words))} ${words.operand()}`;
  if (draw < 0.45)
    return `awk ${random.pick(["", "", "-v v=planted", `-v v=${w()}`, "-F,"])} ${single(awkProgram(random, words))} ${words.operand()}`;
  if (draw < 0.77 || inner.interpreters.length === 0) return handedOn(random, words, inner);
  return interpreted(random, words, inner);
}
