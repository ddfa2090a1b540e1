// Whole commands of the shell: programs, builtins, lists, loops, redirects, wrappers.
import type { Random } from "../random.ts";
import type { Form, Option } from "./programs.ts";
import { single, Words } from "./words.ts";

export class Grammar {
  private readonly words: Words;
  private readonly random: Random;
  private readonly forms: readonly Form[];

  constructor(random: Random, forms: readonly Form[]) {
    this.random = random;
    this.forms = forms;
    this.words = new Words(random);
    this.words.inner = (depth) => this.simple(depth);
  }

  command(form?: Form): string {
    const { random } = this;
    const body = form ? this.around(this.program(form, 1)) : this.list(2);
    return random.chance(form ? 0.25 : 0.5) ? `${this.source()}; ${body}` : body;
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
    return (
      [...form.words, random.pick(form.names), ...all].join(" ") + (random.chance(0.05) ? ` -- ${words.operand()}` : "")
    );
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
    if (draw < 0.3) return this.builtin(depth);
    if (draw < 0.36) return this.source();
    return this.redirected(this.program(random.pick(this.forms), depth), depth);
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
      `awk ${single(random.pick(["{print $1}", "{print > $1}", "{system($0)}", "{getline < $1}", "{print | $1}"]))} ${words.operand()}`,
      `sed ${random.pick(["", "-n", "-E", "-s", "-z"])} ${single(random.pick(["1p", "s/a/b/", "s/.*/zmark/e", "e zmark", "w planted", "1r ../outside/secret.txt", "s/x/y/w planted", ":a;ezmark"]))} ${words.operand()}`,
    ]);
  }

  private list(depth: number): string {
    const { random } = this;
    const one = () => (random.chance(0.5) ? this.around(this.simple(1)) : this.simple(1));
    if (depth === 0) return one();
    return random.some(1, 3, one).join(random.pick(["; ", " && ", " || ", " | ", "\n"]));
  }
}
