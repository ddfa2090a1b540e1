// What the generator of drawn commands found, and what lies beside it.
import { expect, test } from "vitest";
import { judge, riskOf, worldOf } from "./facts.ts";

const risks = (commands: readonly string[], facts = worldOf()) =>
  commands.map((command) => [command, riskOf(command, facts)]);
const all = (commands: readonly string[], risk: string) => commands.map((command) => [command, risk]);

test("a redirect without a command prints the file inside of a substitution: no number, no name, no list of words", () => {
  const evaluated = [
    "for i in $(<a.txt); do echo $((i)); done",
    "x=$(<a.txt); echo $((x))",
    'x=`<a.txt`; test -v "$x"',
    'x=$(<a.txt 2>/dev/null); compgen -W "$x"',
    "read -r x < <(<a.txt); echo $((x))",
  ];
  expect(risks(evaluated)).toEqual(all(evaluated, "L2"));
  const printed = ["echo $(<a.txt)", 'x=$(<a.txt); echo "$x"'];
  expect(risks(printed)).toEqual(all(printed, "L0"));
});

test("git in a repository of somebody's making inside of the workspace is asked or contained, a submodule is not", () => {
  const world = worldOf({
    files: {
      "/w/sub/.git": "gitdir: ../../elsewhere",
      "/w/part/.git": "gitdir: ../.git/modules/part\n",
      "/w/bare/HEAD": "x",
      "/w/.git/HEAD": "x",
    },
    folders: ["/w/sub", "/w/sub/deep", "/w/part", "/w/bare", "/w/bare/objects", "/w/bare/refs", "/w/.git", "/w/src"],
  });
  const other = ["cd sub; git grep a", "git -C sub/deep status", "cd bare && git log", "(cd sub; git add .)"];
  expect(risks(other, world)).toEqual(all(other, "L2"));
  expect(judge("git -C sub status", world).tags).toContain("unknown-program");
  expect(judge("git -C sub add .", world).tags).toContain("git-write");
  const own = [
    "git status",
    "git -C src status",
    "git -C part status",
    "cd part && git log",
    "cd sub && git --version",
  ];
  expect(risks(own, world)).toEqual(all(own, "L0"));
});

test("npm pack names what it packs as a folder, or fetches it", () => {
  const fetched = ["a/b", "*/*", "x@1", "git+ssh://h/x", '"$X"', "../x.tgz:y"];
  for (const word of fetched)
    expect([word, riskOf(`npm pack --dry-run --ignore-scripts ${word}`)]).toEqual([word, "L2"]);
  for (const word of ["", ".", "./a/b"])
    expect([word, riskOf(`npm pack --dry-run --ignore-scripts ${word}`)]).toEqual([word, "L0"]);
});

test("the name of a file that a pattern finds is no program, no option and no second word", () => {
  const found = [
    "compgen -W *",
    "awk *",
    "awk -F *",
    "awk * a.txt",
    "tar -tf a.tar *",
    "unzip -l a.zip *",
    "xz -l *",
    "openssl dgst -sha256 *",
    "bash -n *",
    "node --check *",
    "python3 -I -m json.tool *",
    "python3 -I -m json.tool src/*",
    "printenv *",
  ];
  expect(risks(found)).toEqual(all(found, "L2"));
  const plain = [
    "awk '{print}' *",
    "tar -tf a.tar -- *",
    "xz -l ./*",
    "openssl dgst -sha256 src/*",
    "bash -n src/*",
    "node --check src/*.js",
    "jq . src/*",
  ];
  expect(risks(plain)).toEqual(all(plain, "L0"));
});

test("sed writes the file that the rest of the line names, white space at its end included", () => {
  for (const script of ["//w: ", "s/a/b/w : ", "w  : "]) {
    const { effects } = judge(`sed '${script}' a`);
    expect([script, ...effects.flatMap(({ kind, target }) => (kind === "write" ? [target] : []))]).toEqual([
      script,
      "/w/: ",
    ]);
  }
});

test("an empty default is what the environment holds, as a path, a command, a word and a program", () => {
  const unknown = [
    '> "${x:-}"',
    '>${x="$(set $)"}',
    'cat "${x=}"',
    "cat ${x:-}",
    "${W:-} ls",
    "eval ${W:-}",
    "sort ${X:-} a",
    'awk "${X-}" a',
    "xargs ${W:-} < a",
  ];
  expect(unknown.map((command) => [command, riskOf(command) >= "L2"])).toEqual(
    unknown.map((command) => [command, true]),
  );
  const known = ["x=; cat a ${x:-}", "ls ${1:-}", "x=a; cat ${x:-b}"];
  expect(risks(known)).toEqual(all(known, "L0"));
});

test("an option of one subcommand is none of another, and what sets times writes", () => {
  const written = ["pip show --local x", "pip check --local x", "file -p a", "file --preserve-date a"];
  expect(risks(written)).toEqual(all(written, "L2"));
  const told = ["pip list --local", "pip freeze -l", "pip show x", "file -b a"];
  expect(risks(told)).toEqual(all(told, "L0"));
});

test("a number within the name of a target is shown as what it is", () => {
  for (const [command, target] of [
    ['echo x >> "p$#"', "/w/p…"],
    ["echo x > src/p$((1))y", "/w/src/p…y"],
    ["echo x > $#/a", "/w/…/a"],
  ] as const) {
    const { effects, reasons } = judge(command);
    expect(effects.filter(({ kind }) => kind === "write").map((one) => one.target)).toEqual([target]);
    expect(reasons.every(({ text }) => !/\bpx|\bx\b/.test(text))).toBe(true);
  }
});

test("what may not have been done has set nothing: a variable may be as the environment or an earlier line has it", () => {
  const skipped = [
    "test && V=5; ((V))",
    "true || V=5; ((V))",
    "if false; then V=3; fi; ((V))",
    "while false; do V=3; done; ((V))",
    "case x in y) V=3 ;; esac; ((V))",
    "false && read V <<< 3; ((V))",
    "false && printf -v V 3; ((V))",
    "for i in; do V=3; done; ((V))",
    'for V in "$@"; do :; done; ((V))',
    "select V in a b; do break; done </dev/null; ((V))",
    "f() { return; V=3; }; f; ((V))",
    "f() { local V=3; }; f; ((V))",
    "coproc V=3; ((V))",
    "(( 0 && (V=5) )); ((V))",
    "((1 ? 0 : (V=5))); ((V))",
    "V=$(cat a.txt); : ${V:=5}; ((V))",
    "V=3 < missing; ((V))",
    "read -t 0 V <<< 3; ((V))",
    "readonly V; V=5\n((V))",
    "false && declare -A m; m[V]=1",
    "test && X=ls; $X",
    "x=../../a; if test -f q; then x=a.txt; fi; y=$x; cat $y",
  ];
  expect(risks(skipped)).toEqual(all(skipped, "L2"));
  const done = [
    "V=5; ((V))",
    "V=5 && ((V))",
    "if test -f a; then x=1; else x=2; fi; echo $((x))",
    "case $y in a) x=1 ;; *) x=2 ;; esac; echo $((x))",
    "x=a.txt; test -f b.txt && x=b.txt; cat $x",
    "for f in a b; do n=5; cat $n.txt; done",
    "n=0; for f in a b; do n=$((n + 1)); done; echo $n",
    "i=0; while [ $i -lt 5 ]; do i=$((i + 1)); done",
    "readonly V=5; ((V))",
  ];
  expect(risks(done)).toEqual(all(done, "L0"));
});

test("what a loop's body sets is what its condition reads the next time", () => {
  const evaluated = [
    "V=0; while ((V < 3)); do V=$(cat a.txt); done",
    "V=0; for ((i = 0; i < V; i++)); do V=$(cat a.txt); done",
    "for V in 1 2; do V=$V$(cat a.txt); ((V)); done",
  ];
  expect(risks(evaluated)).toEqual(all(evaluated, "L2"));
});

test("a function that may not be defined is also the program of its name", () => {
  const program = "false && rm() { :; }; rm -rf src";
  expect(judge(program).effects.map(({ kind }) => kind)).toContain("delete");
});

test("a dash as a default is standard input, or a file that the environment names", () => {
  const either = [
    "cat ${x:--}",
    'tac "${x=-}"',
    "diff ${x:--} a.txt",
    ": ${x:=-}; cat $x",
    "tar tf ${x:--}",
    "colcrt ../x",
  ];
  expect(risks(either)).toEqual(all(either, "L2"));
  const input = ["cat -", "x=-; cat ${x:-a.txt}", "wc -l ${1:--}", "diff - a.txt"];
  expect(risks(input)).toEqual(all(input, "L0"));
});

test("a pattern that finds two files writes to the second of them, and compiled files are written", () => {
  const writing = ["ptx -G a b", "ptx -G names/*", "python3 -I -m py_compile a.py", "python3 -I -m compileall ."];
  expect(risks(writing)).toEqual(all(writing, "L2"));
  expect(riskOf("ptx a")).toBe("L0");
});

test("a word that looks like an option is one, also where a value is expected; a name beside a way of listing makes a branch", () => {
  const writing = ["git diff -U --output=t", "git log --format --output=t", "git rev-list HEAD --filter --output t"];
  expect(risks(writing)).toEqual(all(writing, "L2"));
  const reading = [
    "git diff -U5",
    "git log --format=%s -n 3",
    "grep -rn -e --output src",
    "head -n -5 a",
    "git branch -av",
  ];
  expect(risks(reading)).toEqual(all(reading, "L0"));
  const making = ["git branch -v zz", "git branch --color zz", "git branch --sort=refname zz HEAD"];
  expect(risks(making)).toEqual(all(making, "L1"));
});

test("a value that a substitution prints may become several words, and those behind the first are names", () => {
  const several = ["mkdir -m$(hd *'')", "mkdir -m $(cat a) q", "head -n $(cat a) b", "touch -d$(cat a) q"];
  expect(risks(several)).toEqual(all(several, "L2"));
  const one = ['head -n "$(cat a)" b', "head -n $(wc -l < a) b", "tail -n $N a"];
  expect(risks(one)).toEqual(all(one, "L0"));
});

test("jq takes its program from the first operand wherever --from-file stands, and dirname prints a line for each word", () => {
  const world = worldOf({ files: { "/w/.env": "A=b", "/w/p.jq": "." } });
  const files = ["jq .env --from-file", "jq .env -f", "jq -rf .env", "jq --from-file .env a.json", "jq -r .env -nf"];
  expect(risks(files, world)).toEqual(all(files, "L2"));
  const own = ["jq . a.json", "jq -f p.jq a.json", "jq p.jq --from-file"];
  expect(risks(own, world)).toEqual(all(own, "L0"));
  const lines = [`>"$(dirname a/b 1)"`, `> "$(dirname a/b c/d)/x"`];
  expect(risks(lines)).toEqual(all(lines, "L2"));
  expect(riskOf(`> "$(dirname a/b)/x"`)).toBe("L1");
});

test("a variable is as it was where a branch may not have set it, or a loop may have had no word", () => {
  const asked = [
    'if test ;then mapfile A;fi;>"p${A+c}"',
    'if test x; then read -r A <<< b; fi; > "p${A:+c}"',
    "for V in $(true);do echo 1;done\n[[ ${V:V} ]]",
    "for V in $(seq 0); do :; done; echo $((V))",
    "for V in *.none; do :; done; shopt -s nullglob; for W in *.none; do :; done; echo $((W))",
  ];
  for (const command of asked) expect([command, riskOf(command)]).toEqual([command, "L2"]);
  const free = ["for V in a b; do echo $V; done; echo $V", 'A=1; > "p${A+c}"', "for f in $(ls); do echo $f; done"];
  for (const command of free) expect([command, riskOf(command)]).not.toEqual([command, "L2"]);
});
