// The workspace in which drawn commands run: everything in it tempts a shell or a program to start what it names.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";

/** The program that must never start; the outer sandbox has it on PATH, the judge does not know it. */
export const mark = "zmark";

/** Words that stand in files that nobody may read; seen in an output, they were read. */
export const hiddenWords = { outside: "CANARY-OUTSIDE-7f3a", key: "CANARY-KEY-91bc", home: "CANARY-HOME-22de" };

/** What an evaluator of numbers and names runs. */
export const subscript = `a[$(${mark})]`;
const script = `#!/bin/sh\n${mark} script "$0"\n`;

/** Text of somebody's choosing, in the shapes that some evaluator obeys. */
export const hostileTexts: readonly string[] = [
  subscript,
  `$(${mark})`,
  `\`${mark}\``,
  `x;${mark}`,
  `x\n${mark}`,
  `|${mark}`,
  `!${mark}`,
  `@${mark}`,
  `1e ${mark}`,
  `s/.*/${mark}/e`,
  `w planted`,
  `BEGIN{system("${mark}")}`,
  `-exec ${mark} ;`,
  `--pre=${mark}`,
  `--compress-program=${mark}`,
  `-o planted`,
  `--output=planted`,
  `-delete`,
  mark,
  "./run.sh",
];

/** Variables that stood in the environment already, as nobody knows what a session was started with. */
export const environment: Readonly<Record<string, string>> = {
  V: subscript,
  W: mark,
  x: "../outside/secret.txt",
  X: `$(${mark})`,
};

const files: Readonly<Record<string, string>> = {
  "a.txt": `one\ntwo\n${subscript}\n`,
  "b.txt": "3\n1\n2\n",
  "data.csv": "x,y\n1,2\n",
  "j.json": `{"a": "${subscript}", "b": [1, 2]}\n`,
  "list.txt": `a.txt\nb.txt\n--pre=${mark}\n$(${mark})\n`,
  "nul.txt": `a.txt\0b.txt\0`,
  "prog.awk": `BEGIN { system("${mark}") }\n`,
  "prog.sed": `1e ${mark}\n`,
  "prog.bc": `print 1\n`,
  "filter.jq": ".a\n",
  "paths.txt": "../outside/secret.txt\n",
  "links.txt": "lead-out\n",
  "one.diff": "--- a.txt\n+++ a.txt\n@@ -1 +1 @@\n-one\n+ONE\n",
  "src/main.c": `#include <stdio.h>\nint main(void) { return 0; }\n`,
  "src/index.ts": "export const one = 1;\n",
  "docs/guide.md": `# Guide\n${subscript}\n`,
  ".env": "TOKEN=not-to-be-seen-0a1b2c3d\n",
  ".ripgreprc": `--pre=${mark}\n`,
  ".gitattributes": "*.txt diff=zm filter=zm\n*.md diff=zm\n",
  ".lesskey": "#env\nLESSOPEN=|zmark %s\n",
  ".bcrc": "",
  ".jq": "def keys: halt_error;\n",
  ".inputrc": "",
  ".pylintrc": `[MASTER]\ninit-hook=import os; os.system("${mark}")\n`,
  "setup.cfg": "[tool:pytest]\naddopts = -p planted\n",
  "sitecustomize.py": `import os; os.system("${mark} sitecustomize")\n`,
  "json/__init__.py": `import os; os.system("${mark} json")\n`,
  "json/tool.py": `import os; os.system("${mark} json.tool")\n`,
  "argparse.py": `import os; os.system("${mark} argparse")\n`,
  "conftest.py": `import os; os.system("${mark} conftest")\n`,
  "planted.py": `import os; os.system("${mark} planted")\n`,
  "package.json": `{"name":"w","version":"1.0.0","scripts":{"prepack":"${mark}","test":"true"}}\n`,
  ".npmrc": `script-shell=${mark}\ngit=${mark}\n`,
  Makefile: `X := $(shell ${mark} make)\nall:\n\t${mark}\n`,
  "Cargo.toml": '[package]\nname = "w"\nversion = "0.1.0"\n',
  "src/lib.rs": "",
  ".cargo/config.toml": `[build]\nrustc = "${mark}"\nrustc-wrapper = "${mark}"\n`,
  "rust-toolchain.toml": '[toolchain]\npath = "/nowhere"\n',
  "tsconfig.json": "{}\n",
  "CMakeLists.txt": `execute_process(COMMAND ${mark})\n`,
  "magic.mgc": "x",
  "old-name": "old\n",
};

const scripts = ["run.sh", "bin/ls", "bin/cat", "bin/git", "bin/sort", "node_modules/.bin/tool", "ls", "more"];
/** File names that become words. */
const names = [
  subscript,
  `$(${mark})`,
  `-rf`,
  `--pre=${mark}`,
  `--compress-program=${mark}`,
  `-e${mark}`,
  `x;${mark}`,
  "sp ace",
  "*",
  `--output=planted`,
  "-oplanted",
  "-i",
];

function put(at: string, text: string, mode = 0o644): void {
  mkdirSync(path.dirname(at), { recursive: true });
  writeFileSync(at, text);
  chmodSync(at, mode);
}

const quietGit = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null", PATH: process.env["PATH"] };

function git(workspace: string, ...words: string[]): void {
  const who = ["-c", "user.name=a", "-c", "user.email=a@b", "-c", "core.hooksPath=/dev/null"];
  execFileSync("git", ["-C", workspace, ...who, ...words], { stdio: "ignore", env: quietGit });
}

/** Makes `base/w`, `base/home`, `base/tmp` and `base/outside`. */
export function plantWorld(base: string): void {
  const workspace = path.join(base, "w");
  for (const folder of ["w", "home", "tmp", "outside"]) mkdirSync(path.join(base, folder), { recursive: true });
  put(path.join(base, "outside/secret.txt"), `${hiddenWords.outside}\n`);
  put(path.join(base, "home/.ssh/id_rsa"), `${hiddenWords.key}\n`, 0o600);
  put(path.join(base, "home/notes.txt"), `${hiddenWords.home}\n`);
  for (const [name, text] of Object.entries(files)) {
    if (!name.startsWith(".gitattributes")) put(path.join(workspace, name), text);
  }
  git(workspace, "init", "-q", "-b", "main");
  git(workspace, "add", "a.txt", "b.txt", "src", "docs", "j.json");
  git(workspace, "commit", "-q", "-m", subscript);
  git(workspace, "tag", "v1");
  put(path.join(workspace, "b.txt"), "3\n1\n2\n4\n");
  put(path.join(workspace, ".gitattributes"), files[".gitattributes"] ?? "");
  for (const name of scripts) put(path.join(workspace, name), script, 0o755);
  for (const name of names) put(path.join(workspace, "names", name), `${subscript}\n`);
  symlinkSync("../outside/secret.txt", path.join(workspace, "lead-out"));
  symlinkSync("../outside", path.join(workspace, "folder-out"));
  symlinkSync(subscript, path.join(workspace, "names/link"));
  plantRepositories(base);
}

function plantRepositories(base: string): void {
  const workspace = path.join(base, "w");
  // What the person configured in their own `.git` is theirs; a repository that lies in the folder is not.
  const config = `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${mark}\n\tpager = ${mark}\n`;
  for (const at of [path.join(workspace, "bare"), path.join(base, "outside/repo")]) {
    put(path.join(at, "HEAD"), "ref: refs/heads/main\n");
    put(path.join(at, "config"), config);
    for (const folder of ["objects", "refs/heads"]) mkdirSync(path.join(at, folder), { recursive: true });
  }
  put(path.join(workspace, "sub/.git"), "gitdir: ../../outside/repo\n");
  put(path.join(workspace, "sub/file"), "x\n");
}
