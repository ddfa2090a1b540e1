// Hostile programs in the real sandbox that try to make the person's own git, later and outside, run something.
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { watchControlFiles } from "../../src/io/sandbox/control-files.ts";
import { lookForPlanted } from "../../src/io/sandbox/planted.ts";
import { makeWorld, sandboxed, sandboxWorks } from "../io/support/world.ts";
import { sampled } from "../support/draws.ts";

const works = sandboxWorks();

const git = (folder: string, ...words: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...words], { cwd: folder, encoding: "utf8" });
/** Exchanges two names in one step. */
const exchange = `/usr/bin/python3 -c "import ctypes; print(ctypes.CDLL(None).renameat2(-100, b'.git', -100, b'other', 2))"`;

/** Each tries to make the person's next git run `touch PWNED`. */
const monitor = (place: string) => `printf '[core]\\n\\tfsmonitor = touch ${place} #\\n'`;
const gitAttacks: Record<string, (pwned: string) => string> = {
  "writes settings": (pwned) => `${monitor(pwned)} >> .git/config; git config core.fsmonitor 'touch ${pwned} #'`,
  "writes a hook": (pwned) =>
    `printf '#!/bin/sh\\ntouch ${pwned}\\n' > .git/hooks/post-checkout; chmod +x .git/hooks/post-checkout`,
  "moves .git and copies it": (pwned) =>
    `mv .git x; cp -r x .git; cp -r .git y; rm -rf .git; mv y .git; ${monitor(pwned)} >> .git/config`,
  "plants a common folder": (pwned) => `cp -r .git c; ${monitor(pwned)} >> c/config; echo ../c > .git/commondir`,
  "plants a folder for settings": (pwned) =>
    `mkdir -p i; ${monitor(pwned)} > i/x; git config include.path ../i/x; echo '[include] path = ../i/x' >> .git/info/attributes`,
  "names a folder for hooks": (pwned) =>
    `mkdir h; printf '#!/bin/sh\\ntouch ${pwned}\\n' > h/post-checkout; chmod +x h/*; git config core.hooksPath h`,
  "replaces .git by a link": (pwned) =>
    `cp -r .git other; ${monitor(pwned)} >> other/config; rm -rf .git; ln -s other .git; mv -T other .git`,
  "replaces .git by a file": (pwned) =>
    `cp -r .git other; ${monitor(pwned)} >> other/config; rm -rf .git; echo 'gitdir: other' > .git`,
  "swaps folders with one call": (pwned) => `cp -r .git other; ${monitor(pwned)} >> other/config; ${exchange}`,
  "plants a repository below": (pwned) => `git init -q sub; ${monitor(pwned)} >> sub/.git/config`,
  "plants one in build output": (pwned) => `git init -q dist/a; ${monitor(pwned)} >> dist/a/.git/config`,
  "plants one in dependencies": (pwned) =>
    `git init -q node_modules/a; ${monitor(pwned)} >> node_modules/a/.git/config`,
  "plants one deep down": (pwned) => `git init -q a/b/c/d/e/f/g/h; ${monitor(pwned)} >> a/b/c/d/e/f/g/h/.git/config`,
  "plants one without .git": (pwned) =>
    `git init -q --bare dist/b; printf '\\tbare = false\\n\\tworktree = ${"$PWD"}\\n' >> dist/b/config; ${monitor(pwned)} >> dist/b/config`,
  "plants one from a template": (pwned) => `mkdir -p t; ${monitor(pwned)} > t/config; git init -q --template=t sub3`,
  "plants a work tree of one": (pwned) =>
    `git init -q dist/m; ${monitor(pwned)} >> dist/m/.git/config; mkdir dist/w; echo "gitdir: ../m/.git" > dist/w/.git`,
  "plants one in the temporary folder": (pwned) =>
    `git init -q $TMPDIR/r; ${monitor(pwned)} >> $TMPDIR/r/.git/config; mkdir dist; ln -s $TMPDIR/r/.git dist/.git`,
  "writes the person's settings": (pwned) =>
    `${monitor(pwned)} > ~/.gitconfig; git config --global core.fsmonitor 'touch ${pwned} #'; mkdir -p ~/.config/git; ${monitor(pwned)} > ~/.config/git/config`,
  "leaves a process that writes later": (pwned) =>
    `(setsid sh -c 'sleep 0.3; ${monitor(pwned).replaceAll("'", '"')} >> .git/config' &); echo end`,
};

describe.skipIf(!works)("the person's next git runs nothing after a program that", () => {
  test.each(sampled(Object.entries(gitAttacks), 4))("%s", async (_name, command) => {
    const world = makeWorld();
    try {
      fs.writeFileSync(path.join(world.workspace, "code.txt"), "one\n");
      git(world.workspace, "init", "-q");
      git(world.workspace, "add", ".");
      git(world.workspace, "commit", "-qm", "one");
      const pwned = path.join(world.root, "pwned");
      const look = lookForPlanted({ workspace: world.workspace, writable: [world.temporary] }, () => undefined);
      const watch = watchControlFiles(world.workspace, { sealed: true });
      const startedAt = Date.now();
      await sandboxed(world, command(pwned), { process: { timeoutMs: 10_000 } });
      watch.restore();
      look.wrote(startedAt);
      await look.settled();
      await new Promise((resolve) => setTimeout(resolve, command(pwned).includes("sleep") ? 500 : 0));
      const env = { PATH: process.env["PATH"], HOME: world.home };
      const folders = execFileSync("find", [world.workspace, "-type", "d", "-not", "-path", "*/objects*"], {
        encoding: "utf8",
      });
      for (const folder of folders.trim().split("\n")) {
        for (const words of [["status"], ["checkout", "-q", "--", "."], ["checkout", "-q", "-b", "next"]])
          try {
            execFileSync("git", words, { cwd: folder, env, stdio: "pipe" });
          } catch (error) {
            // Inside git's own folders there is no work tree; what counts is whether anything ran.
            expect(String(error)).toContain("Command failed");
          }
      }
      expect(fs.existsSync(pwned)).toBe(false);
      expect(git(world.workspace, "log", "--oneline")).toContain("one");
    } finally {
      world.remove();
    }
  });
});
