// Words of drawn commands: operands, quoting, expansions and substitutions.
import type { Random } from "../random.ts";
import { hostileTexts } from "./planted.ts";

const operands = (
  "a.txt b.txt data.csv j.json list.txt nul.txt src docs . src/main.c src/index.ts docs/guide.md prog.awk prog.sed prog.bc " +
  "filter.jq paths.txt links.txt one.diff lead-out folder-out folder-out/secret.txt ../outside/secret.txt names sub bare run.sh " +
  "json bin ~ ~/notes.txt magic.mgc .gitattributes HEAD v1 main HEAD~0 .. /tmp - package.json"
).split(" ");
const globs = ["*", "*.txt", "names/*", "src/*", "?.txt", "**", ".*", "n*/*", "{a,b}.txt", "{1..3}", "li*", "[ab].txt"];
const plain = [
  "1",
  "0",
  "3",
  "x",
  "foo",
  "-1",
  "2",
  "a",
  "%s",
  "%d",
  "+%Y",
  "1,2",
  "1p",
  "s/a/b/",
  "p",
  "{print}",
  ".",
  ":",
  ",",
];
const fresh = ["new.txt", "made/new", "planted", "src/new.ts", "out"];
export const variables = ["V", "W", "A", "i", "x"] as const;

/** Quotes so that the shell sees exactly this text. */
export const single = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

export class Words {
  /** Draws a whole command for substitutions; set by the grammar. */
  inner: (depth: number) => string = () => "true";

  readonly random: Random;

  constructor(random: Random) {
    this.random = random;
  }

  /** The variables of this command: what is put into one is then more often used. */
  inPlay: readonly string[] = variables;

  variable(): string {
    return this.random.pick(this.random.chance(0.75) ? this.inPlay : variables);
  }

  /** As it is, or with what a format, an option or a date wants around it. */
  hostile(): string {
    const text = this.random.pick(hostileTexts);
    return this.random.chance(0.75) ? text : this.random.pick([`+${text}`, `${text}%g`, `%s${text}`, `${text}\\n`]);
  }

  operand(): string {
    return this.random.pick(operands);
  }

  name(): string {
    return this.random.pick(fresh);
  }

  expansion(depth: number): string {
    const { random } = this;
    const [v, w] = [this.variable(), this.variable()];
    const short = random.pick([single(this.hostile()), random.pick(plain), `$${w}`, this.operand()]);
    const forms = [
      `$${v}`,
      `"$${v}"`,
      `\${${v}}`,
      `\${${v}:-${short}}`,
      `\${${v}:=${short}}`,
      `\${${v}-${short}}`,
      `\${${v}:+${short}}`,
      `\${!${v}}`,
      `\${!${v}*}`,
      `\${${v}:$${w}}`,
      `\${${v}:${w}}`,
      `\${${v}:0:${w}}`,
      `\${${v}#${short}}`,
      `\${${v}%%${short}}`,
      `\${${v}/${short}/${short}}`,
      `\${${v}@${random.pick(["P", "E", "Q", "A", "a"])}}`,
      `\${${v}^^}`,
      `\${#${v}}`,
      `\${A[$${v}]}`,
      `\${A[${v}]}`,
      `"\${A[@]}"`,
      `\${A[@]:$${v}}`,
      `$((${v}))`,
      `$(($${v} + 1))`,
      `$((A[${v}]))`,
      `$[${v}]`,
      `\${${v}:$((${w}))}`,
      `"$@"`,
      `$1`,
      `\${@:${v}}`,
      `$'\\x24(zmark)'`,
    ];
    if (depth <= 0 || random.chance(0.6)) return random.pick(forms);
    const command = this.inner(depth - 1);
    const printed = random.pick([
      `$(${command})`,
      `$(${command})`,
      `$(${command})`,
      `"$(${command})"`,
      `<(${command})`,
    ]);
    return random.chance(0.5) ? printed : this.evaluated(printed);
  }

  /** A text where the shell wants a number, an index or a name. */
  private evaluated(text: string): string {
    const v = this.variable();
    return this.random.pick([
      `$(( ${text} ))`,
      `$(( ${text} + 1 ))`,
      `\${A[${text}]}`,
      `\${${v}:${text}}`,
      `\${${v}:0:${text}}`,
      `$[${text}]`,
      `\${${v}:=${text}}`,
    ]);
  }

  word(depth: number): string {
    const { random } = this;
    const draw = random.next();
    if (draw < 0.34) return this.operand();
    if (draw < 0.46) return random.pick(plain);
    if (draw < 0.56) return random.pick(globs);
    if (draw < 0.72) return single(this.hostile());
    if (draw < 0.94) return this.expansion(depth);
    return `"${random.pick(plain)}${this.expansion(0).replaceAll('"', "")}"`;
  }

  /** A value for what the rule table says of it. */
  value(letter: string, depth: number): string {
    const { random } = this;
    if (random.chance(0.25)) return this.word(depth);
    if (letter === "r" || letter === "f" || letter === "l") return this.operand();
    if (letter === "w" || letter === "c") return this.name();
    if (letter === "x" || letter === "y") return random.pick(["zmark", "cat", "./run.sh", "true"]);
    if (letter === "d") return this.name();
    return random.chance(0.4) ? single(this.hostile()) : random.pick(plain);
  }
}
