// What shells complete and what man shows is read off the grammar: nothing is missing, and each shell takes it.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { everyOne, known } from "../../../src/surfaces/cli/completions/known.ts";
import { completionsFor, type Shell } from "../../../src/surfaces/cli/completions/shells.ts";
import { manualPage } from "../../../src/surfaces/cli/completions/manual.ts";
import { wholeProgram } from "../../../src/surfaces/cli/program.ts";
import { temporaryFolder } from "../../support/folders.ts";
import { buildOnce, projectRoot, runFettle } from "../../support/program.ts";

const program = known(await wholeProgram("1.2.3"));

/** What is offered behind these words; the last one is being typed. */
const asked: Record<Shell, (file: string, words: readonly string[]) => string[]> = {
  bash: (file, words) => [
    "bash",
    "-c",
    `source ${file}; COMP_WORDS=(${words.join(" ")}); COMP_CWORD=${words.length - 1}; _fettle; printf '%s\\n' "\${COMPREPLY[@]}"`,
  ],
  zsh: (file, words) => [
    "zsh",
    "-c",
    // As it is installed: found by its name, and loaded by the first Tab.
    `mkdir -p ${file}.d; cp ${file} ${file}.d/_fettle; fpath=(${file}.d $fpath);
     autoload -Uz compinit; compinit -u -d ${file}.dump; _files() { :; };
     _describe() { print -rl -- \${(P)2} | sed 's/:.*//' | grep -e '^${words.at(-1)}'; };
     words=(${words.join(" ")}); CURRENT=${words.length}; _fettle`,
  ],
  fish: (file, words) => ["fish", "-c", `source ${file}; complete -C'${words.join(" ")}'`],
};

const isThere = (name: string) =>
  ["/bin", "/usr/bin", "/usr/local/bin"].some((folder) => existsSync(path.join(folder, name)));

test.each(["bash", "zsh", "fish"] as const)("%s completes commands, what is below them, and options", async (shell) => {
  const text = completionsFor(shell, program);
  // Each command is known, and each long option offered.
  for (const one of everyOne(program))
    for (const word of [one.path, ...one.commands.map(({ name }) => name)]) expect(text).toContain(word);
  if (!isThere(shell)) return;
  const folder = temporaryFolder();
  const file = path.join(folder, `fettle.${shell}`);
  writeFileSync(file, text);
  const offered = (...words: string[]) => {
    const [command = "", ...args] = asked[shell](file, words);
    const env = { ...process.env, HOME: folder };
    return execFileSync(command, args, { encoding: "utf8", env })
      .split("\n")
      .map((line) => line.split("\t")[0])
      .filter((line) => line !== "");
  };
  expect(offered("fettle", "sess")).toEqual(["sessions"]);
  expect(offered("fettle", "sessions", "ex")).toEqual(["export"]);
  expect(offered("fettle", "sessions", "show", "--rec")).toEqual(["--recall"]);
  expect(offered("fettle", "--output-s")).toEqual(["--output-schema"]);
});

test("the program prints them, and refuses another shell; the manual page holds all of the grammar, for groff as well", async () => {
  const { code, stdout } = await runFettle(["completions", "bash"]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("complete -o default -F _fettle fettle")]);
  expect(await runFettle(["completions", "tcsh"])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bash, zsh, fish"),
  });
  const page = manualPage({ version: "1.2.3", program });
  const plain = page.replaceAll("\\-", "-").replace(/\\f[BR]/g, "");
  for (const { path: at, options } of everyOne(program)) {
    expect(plain).toContain(`fettle${at.replaceAll("/", " ")}`);
    for (const { long } of options) if (long !== undefined) expect(plain).toContain(long);
  }
  await buildOnce();
  expect(readFileSync(path.join(projectRoot, "dist", "fettle.1"), "utf8")).toContain(".TH FETTLE 1");
  if (!isThere("groff")) return;
  const warned = execFileSync("sh", ["-c", "groff -man -Tutf8 -ww -z 2>&1"], { input: page, encoding: "utf8" });
  expect(warned).toBe("");
});
