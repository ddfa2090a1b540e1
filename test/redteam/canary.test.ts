// Real shells run what was judged free, with a command hidden in every text that they could evaluate. It never runs.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, existsSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { fixedFacts } from "../../src/guard/explain.ts";
import { sampled } from "../support/draws.ts";

/** Leaves the workspace without a slash, so that it fits a file's name. */
const hidden = "a[$(cd ..;touch fired)]";
const quoted = `'${hidden}'`;

let base = "";
const workspace = (): string => path.join(base, "w");

beforeAll(() => {
  base = mkdtempSync(path.join(tmpdir(), "canary-"));
  mkdirSync(path.join(workspace(), "names"), { recursive: true });
  writeFileSync(path.join(workspace(), "f"), `${hidden}\n`);
  writeFileSync(path.join(workspace(), "names", hidden), "");
  symlinkSync(hidden, path.join(workspace(), "link"));
  execFileSync("git", ["init", "-q", workspace()]);
  execFileSync("git", ["-C", workspace(), "config", "user.name", hidden]);
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const has = (shell: string): boolean =>
  spawnSync(shell, ["-c", ":"]).status === 0 || spawnSync(shell, ["true"]).status === 0;

/** Runs a command as fettle would, and says whether what is hidden ran. */
function fires(command: string, shell: readonly string[] = ["bash"]): boolean {
  const canary = path.join(base, "fired");
  rmSync(canary, { force: true });
  const [program = "bash", ...words] = shell;
  spawnSync(program, [...words, "-c", command], {
    cwd: workspace(),
    env: { PATH: process.env["PATH"], HOME: base, X: hidden, i: hidden },
    input: `${hidden}\n`,
    timeout: 5000,
    stdio: ["pipe", "ignore", "ignore"],
  });
  return existsSync(canary);
}

const riskOf = (command: string): string =>
  assess({ kind: "shell", command, background: false }, fixedFacts(workspace())).risk;

/** Ways by which text of somebody's choosing gets into `v`. */
const sources = [
  `v=${quoted};`,
  "v=$X;",
  "v=${X:-1};",
  "v=${X-1};",
  ": ${v:=$X};",
  "v=$(date +" + quoted + ");",
  `v=$(seq -f ${quoted} 1);`,
  `v=$(seq -s ${quoted} 1 1);`,
  `v=$(expr ${quoted});`,
  `v=$(yes ${quoted} | head -n 1);`,
  "v=$(readlink link);",
  "v=$(realpath link);",
  "v=$(realpath names/*); v=${v##*/};",
  "v=$(basename names/*);",
  `v=$(basename x/${quoted});`,
  `v=$(dirname ${quoted}/x);`,
  "v=$(cat f);",
  "v=$(head -n 1 f);",
  "v=$(sed -n 1p f);",
  "v=$(awk 1 f);",
  "v=$(sort f);",
  "v=$(tr z y < f);",
  "v=$(grep . f);",
  "v=$(ls names);",
  "v=$(find names -type f -printf %f);",
  "v=$(git config user.name);",
  "v=$(git log -1 --format=" + quoted + ");",
  "v=$(git rev-parse --sq-quote " + quoted + ");",
  `v=$(echo ${quoted});`,
  `v=$(printf %s ${quoted});`,
  `printf -v v %s ${quoted};`,
  `v=$(stat -c ${quoted} f);`,
  `v=$(wc -l names/*); v=\${v##*/};`,
  `v=$(paste -d ${quoted} f);`,
  `v=$(printf '1\\n' | nl -s ${quoted}); v=\${v#*1};`,
  "read -r v < f;",
  `read -r v <<< ${quoted};`,
  "mapfile -t w < f; v=${w[0]};",
  "cd names; for v in *; do cd ..; break; done;",
  `set -- ${quoted} 1; v=$1;`,
  `set -- 1 ${quoted}; shift; v=$1;`,
  `w=(1 ${quoted}); v=\${w[1]};`,
  `g() { v=$1; }; g ${quoted};`,
  `while getopts a: w -a ${quoted}; do v=$OPTARG; done;`,
  "v=$(cat <<E\n$X\nE\n);",
  "v=$(command -v nothing || cat f);",
  `alias al=${quoted}; v=$(alias al); v=\${v#*=};`,
];

/** Places where the value of `v` may be evaluated. */
const sinks = [
  "echo $((v))",
  "echo $(($v))",
  "echo $((1 + v))",
  "echo $[v]",
  "((v))",
  "((x = v))",
  'let "$v"',
  "let v",
  "let x=v",
  "for ((x = v; x < 1; x++)); do :; done",
  "[[ $v -eq 1 ]]",
  "[[ v -gt 1 ]]",
  "[[ -v $v ]]",
  'test -v "$v"',
  '[ -v "$v" ]',
  "[ $v ]",
  'x=abc; echo "${x:$v}"',
  "x=abc; echo ${x:0:v}",
  "set -- 1 2; echo ${@:v}",
  "x=(1 2); echo ${x[$v]}",
  "x=(1 2); echo ${x[v]}",
  "x[$v]=1",
  "x=([$v]=1)",
  "echo ${!v}",
  "echo ${v@P}",
  'read "$v" <<< 1',
  'read -a "$v" <<< 1',
  'printf -v "$v" 1',
  'mapfile "$v" <<< 1',
  'a=(1); unset "$v"',
  'declare "$v=1"',
  'export "$v=1"',
  'typeset -i x="$v"',
  "declare -i x; x=$v",
  "declare -i x; x=v",
  "declare -i x; read x <<< $v",
  'declare -i x; printf -v x %s "$v"',
  "declare -i x; for x in $v; do :; done",
  'declare -ai x; x=("$v")',
  "declare -n x=$v; echo $x",
  "RANDOM=$v",
  "OPTIND=$v",
  'sleep 0 & wait -n -p "$v"',
  'getopts x "$v" -x',
  'h() { local "$v=1"; }; h',
  "h() { echo $(($1)); }; h $v",
  "cat <<E\n$((v))\nE",
  "head -n $((v)) /dev/null",
  "cat <<< $((v))",
  'trap "$v" EXIT',
  "w=v; ((w))",
  'w="x[$v]"; ((w))',
  "declare -A m; m[$v]=1; ((m[$v]++))",
  'declare -A m; test -v "m[$v]"',
  "exec {x[$v]}> /dev/null",
  'compgen -W "$v"',
  'echo x >&"$v"',
  "PIPESTATUS[v]=1",
  "if ((v)); then :; fi",
  "while ((v > 1)); do break; done",
  "case $((v)) in *) ;; esac",
  "echo {1..$((v))}",
  "x=1; x+=$((v))",
  "eval $v",
  "$v",
];

test("a source and a place that evaluates it never run a hidden command unasked", { timeout: 600_000 }, () => {
  const wrong: string[] = [];
  for (const source of sampled(sources, 3))
    for (const sink of sinks) {
      const command = `${source} ${sink}`;
      if (riskOf(command) <= "L1" && fires(command)) wrong.push(command);
    }
  expect(wrong).toEqual([]);
});

test("most of the places evaluate what they are given, so that the test above means something", {
  timeout: 120_000,
}, () => {
  const biting = sinks.filter((sink) => fires(`v=$X; ${sink}`));
  expect(biting.length).toBeGreaterThan(45);
  const flowing = sources.filter((source) => fires(`${source} echo $((v))`));
  expect(flowing.length).toBeGreaterThan(35);
});

test.each(["dash", "busybox"])("in %s neither", { timeout: 120_000 }, ({ length }) => {
  const shell = length === 4 ? ["dash"] : ["busybox", "sh"];
  if (!has(shell[0] ?? "")) {
    console.warn(`${shell[0]} is not installed: not tried`);
    return;
  }
  const wrong = sources
    .slice(0, 20)
    .flatMap((source) => sinks.map((sink) => `${source} ${sink}`))
    .filter((command) => riskOf(command) <= "L1" && fires(command, shell));
  expect(wrong).toEqual([]);
});

test("counting, looping and looking stay free", () => {
  const free = [
    'for f in src/*.ts; do wc -l "$f"; done',
    "N=5; echo $((N+1))",
    "i=0; while [ $i -lt 3 ]; do i=$((i+1)); done",
    "i=0; while [ $i -lt 3 ]; do i=$(($i+1)); echo $i; done",
    "for ((i=0;i<3;i++)); do echo $i; done",
    "for i in 1 2 3; do echo $((i*2)); done",
    "for i in $(seq 1 3); do echo $((i*2)); done",
    'head -n "$(wc -l < f)" f',
    'git log --since="$(date +%F)"',
    'echo "${1:-x}"',
    "find . -name '*.ts' | xargs grep -n foo",
    "sed -n '1,5p' f",
    "sed 's/a/b/' f",
    "sed -e ':a' -e '$!{N;ba' -e '}' f",
    "start=$(date +%s); echo $(( $(date +%s) - start ))",
    "n=$(git rev-list --count HEAD); echo $((n + 1))",
    "n=$(grep -c foo f); [[ $n -gt 0 ]] && echo yes",
    "a=(1 2 3); echo ${a[1]} ${#a[@]} ${a[@]:1:2}",
    'a=(x y); for i in "${!a[@]}"; do echo "${a[$i]}"; done',
    "declare -A m; m[x]=1; echo ${m[x]}",
    "f() { echo $(($1 + $2)); }; f 1 2",
    "n=$(expr 1 + 2); echo $((n))",
    "x=abc; echo ${x:1:2} ${x::1}",
    'printf -v x %03d 7; echo "$x"',
    'read -r line < f; echo "$line"',
    'while IFS= read -r line; do echo "$line"; done < f',
    'sort -u f | head -n 5; test -n "$X" && echo set',
    'find . -name "*.md" -print0 | xargs -0 sed -n 1p',
    'b=$(git branch --show-current); git log -1 "$b"',
  ];
  expect(free.filter((command) => riskOf(command) !== "L0")).toEqual([]);
});
