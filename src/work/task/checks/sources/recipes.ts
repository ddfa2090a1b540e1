// The checks that build files declare by name: make, just, tox and nox, with the command that each stands for.
import type { Look } from "../../stacks/profile.ts";
import { type CheckKind, checksIn, type Declared } from "./declared.ts";

const wanted: Readonly<Record<string, CheckKind>> = {
  ...{ test: "test", tests: "test", check: "test" },
  ...{ lint: "lint", types: "types", typecheck: "types", "type-check": "types", mypy: "types" },
};

export async function recipeChecks({ files, text }: Pick<Look, "files" | "text">): Promise<Declared[]> {
  const read = async (name: string) => (files.includes(name) ? ((await text(name)) ?? "") : "");
  const make = files.find((file) => /^(?:GNUmakefile|makefile|Makefile)$/.test(file)) ?? "";
  const just = files.find((file) => /^\.?[Jj]ustfile$/.test(file)) ?? "";
  const tox = [await read("tox.ini"), toxInToml(await read("pyproject.toml")), await read("setup.cfg")].join("\n");
  return [
    ...recipes(await read(make), "make", make),
    ...recipes(await read(just), "just", just),
    ...toxChecks(tox),
    ...noxChecks(await read("noxfile.py")),
  ];
}

/** Targets of a Makefile and recipes of a justfile: a name, a colon, and indented lines below it. */
function recipes(source: string, program: "make" | "just", from: string): Declared[] {
  const found: Declared[] = [];
  const lines = source.split("\n");
  for (const [at, line] of lines.entries()) {
    const [, name = "", needs = ""] = /^@?([\w-]+)(?: \*?\+?\w+(?:=\S+)?)*\s*::?(?!=)\s*(.*)$/.exec(line) ?? [];
    const kind = wanted[name];
    // A repository that says both is tested by the narrower word.
    if (!kind || (name === "check" && /^tests?\s*:/m.test(source))) continue;
    const end = lines.findIndex((each, index) => index > at && each.trim() !== "" && !/^\s/.test(each));
    const body = lines.slice(at + 1, end < 0 ? undefined : end).map((each) => each.trim().replace(/^[@-]+/, ""));
    const alone = needs.replace(/#.*$/, "").trim() === "" ? bodyOf(body.filter(Boolean)) : undefined;
    found.push({ kind, command: `${program} ${name}`, from, ...(alone !== undefined && { body: alone }) });
  }
  return found;
}

/** One line that is a check, and nothing that a variable of the file decides. */
function bodyOf(lines: readonly string[]): string | undefined {
  const [only, more] = lines;
  if (only === undefined || more !== undefined || /[${}]/.test(only)) return undefined;
  return checksIn(only, "").length === 1 && !only.includes("&&") ? only : undefined;
}

const toxInToml = (source: string): string =>
  /legacy_tox_ini\s*=\s*(?:"""|''')([^]*?)(?:"""|''')/.exec(source)?.[1] ?? "";

/** What stands below `commands` in the environments of tox; tox itself would fetch what each is made of. */
function toxChecks(source: string): Declared[] {
  const found: Declared[] = [];
  for (const [, name = "", section = ""] of source.matchAll(/^\[(testenv[^\]]*)\]([^]*?)(?=^\[|(?![^]))/gm)) {
    const env = settingOf(section, "set_?env")
      .map((line) => line.replace(/\s*=\s*/, "=").replaceAll("{toxinidir}", "."))
      .filter((line) => /^\w+=[\w./:@,+-]+$/.test(line))
      .join(" ");
    const script = settingOf(section, "commands")
      .map((line) => line.replace(/^-\s*/, "").replaceAll(/\{posargs:([^}]*)\}/g, "$1"))
      .map((line) =>
        line
          .replaceAll(/\s*\{posargs\}/g, "")
          .replaceAll("{envpython}", "python")
          .replaceAll("{toxinidir}/", ""),
      )
      .join("\n");
    const from = `tox.ini, ${name}`;
    for (const check of checksIn(script, from)) found.push({ ...check, ...(env !== "" && { env }) });
  }
  return found;
}

/** The value of a key and the indented lines that go on with it. */
function settingOf(section: string, key: string): string[] {
  const value = new RegExp(String.raw`^${key}\s*=(.*(?:\n[ \t]+.*|\n(?=[ \t]))*)`, "m").exec(section)?.[1] ?? "";
  return value
    .replaceAll(/\s*\\\n\s*/g, " ")
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Calls of `session.run` whose words are all plain; what is installed there is not here. */
function noxChecks(source: string): Declared[] {
  const found: Declared[] = [];
  for (const [, words = ""] of source.matchAll(/session\.run(?:_always)?\(([^()]*?)\)/g)) {
    const parts = words
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "" && !word.startsWith("*"));
    const plain = parts.filter((word) => !/^\w+\s*=/.test(word));
    if (!plain.every((word) => /^"[\w./:=@+-]+"$|^'[\w./:=@+-]+'$/.test(word))) continue;
    found.push(...checksIn(plain.map((word) => word.slice(1, -1)).join(" "), "noxfile.py"));
  }
  return found;
}
