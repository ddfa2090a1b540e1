// Whole commands of the shell: programs, builtins, lists, loops, redirects, wrappers.
import { outputs } from "../../../src/guard/programs/outputs.ts";
import type { Random } from "../random.ts";
import { type Inner, inLanguage } from "./languages.ts";
import { subscript } from "./planted.ts";
import { type Form, isInstalled, type Option } from "./programs.ts";
import { single, variables, Words } from "./words.ts";

/** What else is installed: see languages.ts. */
export interface Installed extends Pick<Inner, "modules" | "interpreters"> {
  /** Verbs of the package manager. */
  packages: readonly Form[];
}

/** Programs whose output the rules tell by a rule of their own; some have no row. */
function printingForms(forms: readonly Form[]): Form[] {
  const shared = Map.groupBy(outputs, ([, output]) => output);
  return [...outputs].flatMap(([name, output]) => {
    if (name === "git" || (shared.get(output)?.length ?? 0) > 1 || !isInstalled(name)) return [];
    const none: Form = {
      words: [],
      names: [name],
      options: [],
      fromHelp: [],
      operands: "t*",
      risk: "L0",
      examples: [],
    };
    return [forms.find(({ words, names }) => words.length === 0 && names.includes(name)) ?? none];
  });
}

export class Grammar {
  private readonly words: Words;
  private readonly random: Random;
  private readonly forms: readonly Form[];

  private readonly printing: readonly Form[];
  private readonly installed: Installed;

  constructor(random: Random, forms: readonly Form[], installed: Installed) {
    this.random = random;
    this.forms = forms;
    this.installed = installed;
    this.printing = printingForms(forms);
    this.words = new Words(random);
    this.words.inner = (depth) =>
      random.chance(0.3) && this.printing.length > 0 ? this.printed(depth) : this.simple(depth);
  }

  command(form?: Form): string {
    const { random } = this;
    this.words.inPlay = random.some(1, 2, () => random.pick(variables));
    if (!form && random.chance(0.4)) return this.simple(1);
    const body = form ? this.around(this.program(form, 1)) : this.list(2);
    return random.chance(form ? 0.25 : 0.5)
      ? `${random.chance(0.2) ? this.skipped(this.source()) : this.source()}; ${body}`
      : body;
  }

  /** Never done, whatever the line looks like. */
  private skipped(line: string): string {
    return this.random.pick([
      `test && ${line}`,
      `true || ${line}`,
      `if test -f missing; then ${line}; fi`,
      `while false; do ${line}; done`,
      `for i in; do ${line}; done`,
      `case x in y) ${line} ;; esac`,
      `g() { return; ${line}; }; g`,
      `{ ${line}; } < missing`,
    ]);
  }

  /** A program of which the rules say what it prints, given text of somebody's choosing. */
  private printed(depth: number, given = this.words.hostile()): string {
    const { random } = this;
    const form = random.pick(this.printing);
    if (random.chance(0.3)) return this.program(form, depth);
    const option = form.options.length > 0 && random.chance(0.25) ? [random.pick(form.options).name] : [];
    // A date's format begins with a plus sign, that of numbers has a directive.
    const text = random.chance(0.3) ? given : random.pick(["", "+"]) + given + random.pick(["", "", "%g"]);
    return [random.pick(form.names), ...option, single(text), ...(random.chance(0.3) ? ["1"] : [])].join(" ");
  }

  private option({ name, value, joined }: Option, depth: number): string {
    if (value === undefined) return this.random.chance(0.03) ? `${name}=${this.words.word(depth)}` : name;
    const text = this.words.value(value, depth);
    if (joined) return this.random.chance(0.5) ? name : `${name}=${text}`;
    if (name.startsWith("--")) return this.random.chance(0.5) ? `${name}=${text}` : `${name} ${text}`;
    return this.random.chance(0.3) ? `${name}${text}` : `${name} ${text}`;
  }

  program(form: Form, depth: number): string {
    const { random, words } = this;
    if (form.examples.length > 0 && random.chance(0.12)) return random.pick(form.examples);
    const from = form.fromHelp.length > 0 && random.chance(0.3) ? form.fromHelp : form.options;
    const options = from.length > 0 ? random.some(0, 3, () => this.option(random.pick(from), depth)) : [];
    const operands = this.operands(form.operands, depth);
    const all = random.chance(0.15) ? [...operands, ...options] : [...options, ...operands];
    const name = random.pick(form.names);
    const called = random.chance(0.03) ? `\${${words.variable()}:-${name}}` : name;
    return [...form.words, called, ...all].join(" ") + (random.chance(0.05) ? ` -- ${words.operand()}` : "");
  }

  private operands(letters: string, depth: number): string[] {
    const { random, words } = this;
    const found: string[] = [];
    for (const letter of letters.replaceAll(/[^a-z]/g, "")) {
      if (random.chance(0.1)) break;
      found.push(random.chance(0.35) ? words.word(depth) : words.value(letter === "t" ? "" : letter, depth));
    }
    if (letters.includes("*") && random.chance(0.4)) found.push(words.word(depth));
    return found;
  }

  /** Text gets into a variable. */
  private source(): string {
    const { random, words } = this;
    const v = words.variable();
    const text = single(words.hostile());
    return random.pick([
      `${v}=${text}`,
      `${v}=${words.word(1)}`,
      `${v}=$(${this.simple(0)})`,
      `${v}=${random.pick(["b", "1", "V", "A[0]"])}`,
      `${v}+=${text}`,
      `A=(${words.word(0)} ${text})`,
      `A[${words.word(0)}]=1`,
      `read -r ${v} < ${words.operand()}`,
      `read ${v} <<< ${words.word(1)}`,
      `: \${${v}:=${text}}`,
      `printf -v ${v} %s ${words.word(0)}`,
      `mapfile -t A < ${words.operand()}`,
      `set -- ${words.word(0)} ${text}`,
      `declare -${random.pick(["i", "n", "a", "x", "r", "A"])} ${v}=${words.word(0)}`,
      `for ${v} in ${words.word(0)} names/*; do :; done`,
      `cd ${random.pick(["src", "names", "sub", "bare", "bin", "..", "json", "folder-out", "-"])}`,
      `IFS=${single(random.pick(["", ",", "/", "("]))}`,
      `PATH=${random.pick([".:$PATH", "bin:$PATH", "$PWD/bin"])}`,
      `shopt -s ${random.pick(["expand_aliases", "globstar", "nullglob", "extglob", "dotglob"])}`,
      `export ${random.pick(["V", "GREP_OPTIONS", "LESSOPEN", "BASH_ENV", "GIT_DIR", "TMPDIR", "X"])}=${text}`,
      `f() { ${this.simple(0)}; }; ${v}=f`,
    ]);
  }

  /** A text that is made and, at once, taken for a number, an index or a name. */
  private evaluating(depth: number): string {
    const { random, words } = this;
    const v = words.variable();
    const given = random.chance(0.6) ? subscript : words.hostile();
    const made = this.printing.length > 0 ? `$(${this.printed(depth, given)})` : `$(${this.simple(0)})`;
    const text = random.pick([
      made,
      made,
      made,
      made,
      made,
      `$${v}`,
      `"$${v}"`,
      words.expansion(depth),
      `$(< ${words.operand()})`,
    ]);
    return random.pick([
      `echo $(( ${text} ))`,
      `(( ${text} ))`,
      `let ${text}`,
      `test -v ${text}`,
      `[[ ${text} -eq 1 ]]`,
      `[[ -v ${text} ]]`,
      `unset ${text}`,
      `printf -v ${text} %s x`,
      `echo \${A[${text}]}`,
      `echo \${${v}:${text}}`,
      `declare -i ${v}=${text}`,
      `${v}=${text}; (( ${v} ))`,
      `${this.skipped(`${v}=1`)}; (( ${v} ))`,
      `for ${v} in ${text}; do echo $(( ${v} )); done`,
    ]);
  }

  /** Builtins that evaluate what they are given. */
  private builtin(depth: number): string {
    const { random, words } = this;
    const [w, x, v] = [words.word(depth), words.word(0), words.variable()];
    return random.pick([
      `test ${random.pick(["-v", "-f", "-n", "-e", "-R", "-t"])} ${w}`,
      `[ ${w} ${random.pick(["-eq", "=", "-lt", "-nt"])} ${x} ]`,
      `[[ ${random.pick(["-v", "-f", "-n"])} ${w} ]]`,
      `[[ ${w} ${random.pick(["-eq", "==", "=~", "-gt", "<"])} ${x} ]]`,
      `(( ${random.pick([v, `$${v}`, `A[${v}]`, `${v}++`, `${v} = 1`])} ))`,
      `let ${random.pick([w, `${v}+1`, single("x=V")])}`,
      `echo ${random.pick(["", "-e", "-n"])} ${w} ${x}`,
      `printf ${random.pick(["%s", "%d", "%b", "%q", "'%s\\n'", "'%(%F)T'"])} ${w}`,
      `printf -v ${w} %s x`,
      `read ${random.pick(["-r", "-a", "-n", "-t", "-u", "-d"])} ${w} <<< ${x}`,
      `unset ${random.pick(["", "-v", "-f", "-n"])} ${w}`,
      `declare ${random.pick(["-i", "-n", "-p", "-a", "-g", "-f", ""])} ${random.pick([w, `${v}=${x}`])}`,
      `local ${v}=${x}`,
      `export ${random.pick(["-p", "-n", ""])} ${w}`,
      `shift ${w}`,
      `mapfile ${random.pick(["-t", "-n 1", "-O", "-C"])} ${w} < a.txt`,
      `trap ${w} ${random.pick(["EXIT", "DEBUG", "ERR", "0"])}`,
      `type ${random.pick(["-a", "-p", ""])} ${w}`,
      `command ${random.pick(["-v", "-V", "-p", ""])} ${w} ${x}`,
      `builtin ${random.pick(["echo", "test -v", "printf", "eval"])} ${w}`,
      `set ${random.pick(["-e", "-x", "-o pipefail", "-f", "--"])} ${w}`,
      `getopts ${single("ab:")} ${w} ${x}`,
      `hash ${random.pick(["-r", "-t", "-p ./run.sh"])} ${w}`,
      `alias ${random.pick(["q", "ls", "cat"])}=${w}`,
      `wait -n ${w}`,
      `umask ${w}`,
      `ulimit ${random.pick(["-n", "-a"])} ${w}`,
      `eval ${w}`,
      `. ${w}`,
      `exec ${random.pick([`3< ${x}`, "2>&1", w])}`,
      `pushd ${x}`,
      `complete -C ${w} q`,
      `compgen ${random.pick(["-W", "-f", "-c", "-F", "-C", "-A function"])} ${w}`,
      `case ${w} in ${x}) ${this.simple(0)};; *) :;; esac`,
      `exit ${w}`,
      `return ${w}`,
      `kill -l ${w}`,
      `jobs ${random.pick(["-l", "-x"])} ${w}`,
      `caller ${w}`,
      `enable ${random.pick(["-n", "-f"])} ${w}`,
      `history ${random.pick(["-w", "-a", "-c"])} ${x}`,
      `fc -l ${w}`,
      `dirs ${w}`,
    ]);
  }

  simple(depth: number): string {
    const { random } = this;
    const draw = random.next();
    if (draw < 0.09) return this.evaluating(depth);
    if (draw < 0.28) return this.builtin(depth);
    if (draw < 0.33) return this.source();
    if (draw < 0.5)
      return inLanguage(random, this.words, {
        ...this.installed,
        simple: () => this.program(random.pick(this.forms), 0),
      });
    const from = this.installed.packages.length > 0 && draw < 0.57 ? this.installed.packages : this.forms;
    return this.redirected(this.program(random.pick(from), depth), depth);
  }

  private redirected(command: string, depth: number): string {
    const { random, words } = this;
    if (random.chance(0.75)) return command;
    const target = random.pick([words.name(), words.operand(), words.word(depth)]);
    return random.pick([
      `${command} > ${target}`,
      `${command} >> ${target}`,
      `${command} < ${target}`,
      `${command} 2>&1`,
      `${command} &> ${target}`,
      `${command} >& ${target}`,
      `${command} >| ${target}`,
      `${command} <> ${target}`,
      `${command} 2>/dev/null`,
      `${command} <<< ${words.word(depth)}`,
      `${command} <<EOF\n${words.hostile()}\n${words.expansion(depth)}\nEOF\n`,
      `${command} <<'EOF'\n${words.hostile()}\nEOF\n`,
      `{fd}> ${target} ${command}`,
      `${command} ${random.pick(["3", "0", "1"])}>&${words.word(0)}`,
      `> ${target} ${command}`,
    ]);
  }

  /** The same command, reached by something else. */
  private around(command: string): string {
    const { random, words } = this;
    if (random.chance(0.6)) return this.redirected(command, 1);
    const [w, v] = [words.word(0), words.variable()];
    return random.pick([
      `env ${random.pick(["", "-i", "-u X", `X=${w}`, "-S", "-C src", `-C ${w}`])} ${command}`,
      `timeout ${random.pick(["1", "-k 1 1", w])} ${command}`,
      `nice ${command}`,
      `nohup ${command}`,
      `stdbuf -oL ${command}`,
      `time ${command}`,
      `! ${command}`,
      `bash -c ${single(command)}`,
      `bash -c ${single(`${command} "$@" $0 $1`)} ${w} ${w}`,
      `sh -c ${single(command)} ${w}`,
      `echo ${w} | xargs ${random.pick(["", "-n1", "-I{}", "-0", "-d,", "-L1", "-r", "-a list.txt"])} ${command}`,
      `cat ${words.operand()} | ${command}`,
      `${command} | cat`,
      `${command} | while read ${v}; do ${this.simple(0)}; done`,
      `find ${words.operand()} ${random.pick(["-name '*.txt'", "-type f", "-newer a.txt", `-name ${w}`])} -exec ${command} {} ${random.pick(["\\;", "+"])}`,
      `xargs -a ${words.operand()} ${command}`,
      `for ${v} in ${words.word(1)} *; do ${command} $${v}; done`,
      `while read -r ${v}; do ${command}; break; done < ${words.operand()}`,
      `if ${this.simple(0)}; then ${command}; fi`,
      `(${command})`,
      `{ ${command}; }`,
      `f() { ${command} "$@"; }; f ${w}`,
      `${v}=$(${command}); echo ${words.expansion(0)}`,
      `${command} &`,
      `X=${w} ${command}`,
      `coproc ${command}`,
      `${command} | tee ${words.name()}`,
      `${command} | ${this.simple(0)}`,
    ]);
  }

  private list(depth: number): string {
    const { random } = this;
    const one = () => (random.chance(0.5) ? this.around(this.simple(1)) : this.simple(1));
    if (depth === 0) return one();
    return random.some(1, 3, one).join(random.pick(["; ", " && ", " || ", " | ", "\n"]));
  }
}
