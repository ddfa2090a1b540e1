// What programs in the sandbox may try: plant, rename, replace, race, look around. Each word is drawn.
import type { Random } from "../random.ts";
import { corpusLines } from "../../support/corpus.ts";

/** Places that obey what stands in them, or are nobody's to write. */
const obeyed = corpusLines(import.meta, "obeyed.txt");
const ordinary = [
  "src/a.js",
  "src/new.js",
  "test/one.js",
  "test/two.js",
  "docs/guide.md",
  "docs/new.md",
  "notes.txt",
  "made/x.txt",
];
const folders = [
  "src",
  "docs",
  "test",
  "made",
  "dist",
  "src/deep",
  "docs/inner",
  "sub",
  "node_modules",
  ".git",
  ".fettle",
];
const outside = [
  "../outside",
  "../home",
  "../own",
  "../outside/secret.txt",
  "/",
  "~",
  "/proc/self/root",
  "/proc/1/root",
  "../../",
];

/** The program that must not start leaves its words behind; a file of a language starts it in that language's way. */
export function textFor(at: string): string {
  const mark = `zmark ${at}`;
  if (/\.js$/.test(at)) return `require("child_process").execSync("${mark}");`;
  if (/\.rs$/.test(at)) return `fn main() { std::process::Command::new("zmark").arg("${at}").status().ok(); }`;
  if (/akefile$/.test(at)) return `X := $(shell ${mark})\nall:\n\t${mark}\n`;
  if (/package\.json$/.test(at))
    return `{"name":"w","version":"1.0.0","scripts":{"pretest":"${mark}","test":"${mark}"}}`;
  if (/config\.toml$|\.cargo\/config$/.test(at)) return `[build]\nrustc = "zmark"\nrustc-wrapper = "zmark"\n`;
  if (/npmrc$/.test(at)) return `script-shell=zmark\nnode-options=--require ./test/two.js\n`;
  if (/\.git\/config$/.test(at))
    return `[core]\n\trepositoryformatversion = 0\n\tfsmonitor = ${mark}\n\thooksPath = src\n`;
  if (/attributes$/.test(at)) return `* filter=x diff=x\n`;
  if (/\.git$/.test(at)) return `gitdir: ../../outside/repo\n`;
  return `#!/bin/sh\n${mark}\n`;
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

function write(random: Random, at = random.chance(0.6) ? random.pick(obeyed) : random.pick(ordinary)): string {
  const folder = at.includes("/") ? `mkdir -p ${at.slice(0, at.lastIndexOf("/"))}; ` : "";
  const text = `printf %s ${quoted(textFor(at))}`;
  return (
    folder +
    random.pick([
      `${text} > ${at}`,
      `${text} > t.tmp; chmod 755 t.tmp; mv t.tmp ${at}`,
      `${text} > $TMPDIR/t; cp $TMPDIR/t ${at}`,
      `rm -f ${at}; ${text} > ${at}; chmod +x ${at}`,
      `${text} | python3 -c "import sys;open('${at}','w').write(sys.stdin.read())"`,
      `mkdir -p $TMPDIR/k/$(dirname ${at}); ${text} > $TMPDIR/k/${at}; tar -C $TMPDIR/k -cf - . | tar xf -`,
    ])
  );
}

const bareText = "[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ..\n\tfsmonitor = zmark bare\n";

function bare(random: Random): string {
  const at = random.pick(["docs", "src", "made", "test"]);
  const parts = [
    `mkdir -p ${at}/objects ${at}/refs/heads`,
    `echo ref: refs/heads/main > ${at}/HEAD`,
    `printf %s ${quoted(bareText)} > ${at}/config`,
    `touch ${at}/objects/keep ${at}/refs/heads/keep`,
  ];
  return random.chance(0.5) ? parts.join("; ") : random.pick(parts);
}

function race(random: Random): string {
  const [a, b] = [random.pick(ordinary), random.pick(folders)];
  const turn = random.pick([
    `ln -sfn ../outside race; rm -f race; mkdir -p race; echo x > race/secret.txt; rm -rf race`,
    `mv ${b} moved; mv moved ${b}`,
    `rm -f ${a}; ln -s ../../outside/secret.txt ${a}; rm -f ${a}; echo x > ${a}`,
    `mv .env e2; mv e2 .env`,
    `rm -rf .fettle; ln -s .. .fettle; rm -f .fettle; mkdir .fettle`,
  ]);
  return `for n in 1 2 3 4 5 6 7 8 9; do ${turn}; done & for n in 1 2 3 4 5 6 7 8 9; do ${step(random)}; done; wait`;
}

function step(random: Random): string {
  const [a, b, c] = [random.pick(ordinary), random.pick(folders), random.pick(outside)];
  return random.pick([
    () => write(random),
    () => write(random),
    () => bare(random),
    () => gitSettings(random),
    () => `mv ${b} ${random.pick(["moved", "src/moved", "$TMPDIR/moved"])}`,
    () => `mv ${a} ${random.pick([...ordinary, ...obeyed])}`,
    () => `cp -a ${b} copied; cat copied/.env copied/*/.env`,
    () => `rm -rf ${random.pick([b, a])}`,
    () => `ln -s ${c} ${random.pick(["out", "src/out", ".fettle", "docs/out", ".git", "sub"])}`,
    () => `ln -sfn ${c} ${b}`,
    () => `ln ${random.pick([".env", a, "../outside/secret.txt"])} ${random.pick(["hard", "src/hard"])}; cat hard`,
    () => `echo planted > out/planted; echo planted > lead-out/planted; echo planted >> ${c}`,
    () => `git init -q ${random.pick([b, "made/repo", "."])}`,
    () => `git config core.fsmonitor 'zmark config'; git -C docs config core.fsmonitor 'zmark docs'`,
    () => `git worktree add ../wt; git add -A; git stash`,
    () => `mkfifo ${random.pick(["pipe", "src/pipe"])}; : > ${a}`,
    () => `unshare -rm sh -c 'mount --bind ${c} src; cat src/*; umount -l .'`,
    () => `mount -t tmpfs x ${b}; umount ${b}; umount -l .env`,
    () => `chmod ${random.pick(["000", "777", "4755"])} ${random.pick([a, b])}`,
    () => `truncate -s 0 ${a}; find . -name '*.js' -newer Makefile -delete`,
    () => `touch -d 2001-01-01 ${a}; ${write(random, a)}`,
    () => `mv ${b} x1; mkdir ${b}; mv x1/* ${b}/`,
    () => `exchange() { mv "$1" e; mv "$2" "$1"; mv e "$2"; }; exchange ${a} ${random.pick(obeyed)}`,
  ])();
}

/** A file in `.git` that only a program can have made which git was told to run. */
export const plantedByGit = "planted-by-git";

/** Where a git of a later command may look for settings. */
const settings = [
  "$TMPDIR/.gitconfig",
  "$HOME/.gitconfig",
  "$GIT_CONFIG_GLOBAL",
  "$TMPDIR/config",
  "$TMPDIR/git/config",
];

/** Settings that let a commit run a program. */
function gitSettings(random: Random): string {
  const at = random.pick(settings);
  return [
    `printf '#!/bin/sh\\necho x > .git/${plantedByGit}\\n' > $TMPDIR/signs; chmod 755 $TMPDIR/signs`,
    `mkdir -p $(dirname ${at})`,
    `printf '[commit]\\n\\tgpgsign = true\\n[gpg]\\n\\tprogram = %s/signs\\n' "$TMPDIR" > ${at}`,
  ].join("; ");
}

/** Shows whatever can be seen. */
export const probe =
  'for at in "$PWD" "$PWD/.." "$HOME" /proc/1/root"$PWD" /proc/self/root"$PWD"/..; do timeout 2 grep -rsha -e CANARY- -e masked "$at"/; done; ' +
  "timeout 2 grep -Rsha -e CANARY- -e masked . ; cat /proc/[0-9]*/environ; true";

export function contained(random: Random): string {
  if (random.chance(0.15)) return race(random);
  return random.some(1, 4, () => step(random)).join("; ");
}
