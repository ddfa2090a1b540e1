// Programs that the rule tables have no rows of, as their judges are code: their subcommands and options by their own help.
import { interpreters } from "../../../src/guard/programs/interpreters/table.ts";
import type { Outer } from "./outer.ts";
import { type Form, isInstalled, optionsOfHelp } from "./programs.ts";

const ask = async (outer: Outer, command: string): Promise<string> =>
  (await outer.run([{ shell: ["bash"], command }], true))[0]?.output ?? "";

const combinations = (names: readonly string[]): string[] => [
  "",
  ...names.flatMap((one, at) => [one, ...names.slice(at + 1).map((other) => `${one} ${other}`)]),
];

/**
 * By its full help: `npm -l` shows every subcommand with its options. Those are drawn that run unasked with some two
 * options at most, and these are their examples.
 */
export async function packageForms(outer: Outer, free: (command: string) => boolean): Promise<Form[]> {
  if (!isInstalled("npm")) return [];
  const text = await ask(outer, "cd /; npm -l | cut -c -90 | grep -E '^    [a-z-]+ |^ +\\[' | tr -s ' '");
  const forms: Form[] = [];
  for (const line of text.split("\n")) {
    const verb = /^ ([a-z-]+) /.exec(line)?.[1];
    if (verb)
      forms.push({ words: ["npm"], names: [verb], options: [], fromHelp: [], operands: "*", risk: "L1", examples: [] });
    forms.at(-1)?.options.push(...optionsOfHelp(line));
  }
  for (const form of forms)
    form.examples = combinations(form.options.map(({ name }) => name))
      .map((options) => `npm ${form.names[0]} ${options}`.trim())
      .filter(free);
  return forms.filter(({ examples }) => examples.length > 0);
}

/** Interpreters that are installed, with the options that the rule tables know. */
export const installedInterpreters = (): { name: string; options: string[] }[] =>
  [...interpreters].flatMap(([name, { code, values, queries }]) => {
    const program = [name, `${name}3`].find(isInstalled);
    return program === undefined ? [] : [{ name: program, options: [...queries, ...values, ...code, "--check", "-c"] }];
  });

const withMain = `import os, sys, sysconfig
root = sysconfig.get_path("stdlib")
for folder in ["", *(n for n in sorted(os.listdir(root)) if n in sys.stdlib_module_names and os.path.isdir(os.path.join(root, n)))]:
    for n in os.listdir(os.path.join(root, folder)):
        if n.endswith(".py") and b"__name__ == '__main__'" in open(os.path.join(root, folder, n), "rb").read().replace(b'"', b"'"):
            print(os.path.join(folder, n)[:-3].replace("/", "."))
`;

/** Modules of the installed Python that do something when they are run. */
export async function runnableModules(outer: Outer): Promise<string[]> {
  if (!isInstalled("python3")) return [];
  const text = await ask(outer, `python3 -I - <<'END' | tr '\\n' ' ' | cut -c -15000\n${withMain}END\n`);
  return text.split(" ").filter((name) => /^\w+(\.\w+)?$/.test(name) && !/^(this|antigravity|pdb|code)$/.test(name));
}
