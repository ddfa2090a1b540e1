// The checks that build files declare by name: make, just, tox and nox, with the command that each stands for.
import type { Look } from "../../stacks/profile.ts";
import { type CheckKind, checksIn, type Declared, kindOf, mends } from "./declared.ts";

const wanted: Readonly<Record<string, CheckKind>> = {
  ...{ test: "test", tests: "test", check: "test" },
  ...{ lint: "lint", types: "types", typecheck: "types", "type-check": "types", mypy: "types" },
};

interface Recipes {
  checks: Declared[];
  /** What they run beside these checks, and is not tried. */
  untried: string[];
}

export async function recipeChecks({ files, text }: Pick<Look, "files" | "text">): Promise<Recipes> {
  const read = async (name: string) => (files.includes(name) ? ((await text(name)) ?? "") : "");
  const make = files.find((file) => /^(?:GNUmakefile|makefile|Makefile)$/.test(file)) ?? "";
  const just = files.find((file) => /^\.?[Jj]ustfile$/.test(file)) ?? "";
  const tox = toxChecks([await read("tox.ini"), toxInToml(await read("pyproject.toml")), await read("setup.cfg")]);
  const nox = noxChecks(await read("noxfile.py"));
  return {
    checks: [
      ...recipes(await read(make), "make", make),
      ...recipes(await read(just), "just", just),
      ...tox.checks,
      ...nox.checks,
    ],
    untried: [...tox.untried, ...nox.untried],
  };
}

interface Recipe {
  needs: string[];
  body: string[];
}

/** Targets of a Makefile and recipes of a justfile: a name, a colon, and indented lines below it. */
function recipesIn(source: string): Map<string, Recipe> {
  const found = new Map<string, Recipe>();
  const lines = source.replaceAll(/\s*\\\n\s*/g, " ").split("\n");
  for (const [at, line] of lines.entries()) {
    const [, name = "", needs = ""] = /^@?([\w-]+)(?: \*?\+?\w+(?:=\S+)?)*\s*::?(?!=)\s*(.*)$/.exec(line) ?? [];
    if (name === "") continue;
    const end = lines.findIndex((each, index) => index > at && each.trim() !== "" && !/^\s/.test(each));
    const body = lines.slice(at + 1, end < 0 ? undefined : end).map((each) => each.trim().replace(/^[@-]+/, ""));
    const wants = needs.replace(/#.*$/, "").trim().split(/\s+/).filter(Boolean);
    found.set(name, { needs: wants, body: body.filter((each) => each !== "" && !each.startsWith("#")) });
  }
  return found;
}

function recipes(source: string, program: "make" | "just", from: string): Declared[] {
  const found: Declared[] = [];
  const all = recipesIn(source);
  const values = new Map(
    [...source.matchAll(/^(\w+)\s*(?:[?:]{0,2}=|:=)[ \t]*([^\n#$]*)$/gm)].map(([, name = "", value = ""]) => [
      name,
      value,
    ]),
  );
  for (const [name, { needs, body }] of all) {
    const kind = wanted[name];
    // A repository that says both is tested by the narrower word.
    if (!kind || (name === "check" && (all.has("test") || all.has("tests")))) continue;
    const alone = needs.length === 0 ? bodyOf(body) : undefined;
    const lines = linesOf(name, all, []).map((line) => valued(line, values));
    found.push({
      ...{ kind, command: `${program} ${name}`, from },
      ...(alone === undefined ? lines.length > 1 && { lines } : { body: alone }),
    });
  }
  return found;
}

/** With those of what has to be made before; a target without lines that is not here stays a command. */
function linesOf(name: string, all: ReadonlyMap<string, Recipe>, seen: readonly string[]): string[] {
  const { needs = [], body = [] } = all.get(name) ?? {};
  return seen.includes(name) ? [] : [...needs.flatMap((each) => linesOf(each, all, [...seen, name])), ...body];
}

/** Variables of the file that hold plain words; `$$` is what the shell sees as `$`. */
const valued = (line: string, values: ReadonlyMap<string, string>): string =>
  line
    .replaceAll(
      /\$[({](\w+)[)}]|\{\{\s*(\w+)\s*\}\}/g,
      (whole, name?: string, other?: string) =>
        values.get(name ?? other ?? "")?.trim() ?? (name === "MAKE" ? "make" : whole),
    )
    // What only make or just knows, no shell may take for something of its own.
    .replaceAll(/\$\(|\{\{/g, "<<$&")
    .replaceAll("$$", "$");

/** One line that is a check, and nothing that a variable of the file decides. */
function bodyOf(lines: readonly string[]): string | undefined {
  const [only, more] = lines;
  if (only === undefined || more !== undefined || /[${}]/.test(only)) return undefined;
  return checksIn(only, "").length === 1 && !only.includes("&&") ? only : undefined;
}

const toxInToml = (source: string): string =>
  /legacy_tox_ini\s*=\s*(?:"""|''')([^]*?)(?:"""|''')/.exec(source)?.[1] ?? "";

/** What stands below `commands` in the environments of tox; tox itself would fetch what each is made of. */
function toxChecks(sources: readonly string[]): Recipes {
  const found: Recipes = { checks: [], untried: [] };
  const source = sources.join("\n");
  const listed = settingOf(source, "env_?list").join(",");
  for (const [, name = "", section = ""] of source.matchAll(/^\[(testenv[^\]]*)\]([^]*?)(?=^\[|(?![^]))/gm)) {
    const asked =
      name === "testenv" ||
      name
        .split(":")[1]
        ?.split(/[{},-]+/)
        .some((part) => part !== "" && listed.includes(part));
    const env = settingOf(section, "set_?env")
      .map((line) => line.replace(/\s*=\s*/, "=").replaceAll("{toxinidir}", "."))
      .filter((line) => /^\w+=[\w./:@,+-]+$/.test(line))
      .join(" ");
    const from = `tox.ini, ${name}`;
    for (const line of [...settingOf(section, "commands_pre"), ...settingOf(section, "commands")].map(toxLine)) {
      const known = checksIn(line, from);
      const others = known.length > 0 || !asked ? [] : [otherOf(line, from)];
      for (const check of [...known, ...others])
        if (typeof check === "string") found.untried.push(check);
        else found.checks.push({ ...check, ...(env !== "" && { env }) });
    }
  }
  return found;
}

/** As a shell would be given it. */
const toxLine = (line: string): string =>
  line
    .replace(/^[\w{},!.-]+:\s+/, "")
    .replace(/^-\s*/, "")
    .replaceAll(/\{posargs:([^}]*)\}/g, "$1")
    .replaceAll(/\s*\{posargs\}/g, "")
    .replaceAll("{envpython}", "python")
    .replaceAll("{envbindir}/", "")
    .replaceAll(/\{toxinidir\}\/?|\{tox_root\}\/?/g, "./")
    .replaceAll(/(?<=\s)\.\/(?=\S)/g, "");

const plainWords = /^(?:! )?[^|;<>`(){}\\*$&]+$/;

/** A command that is no check by its words is one by where it stands; what mends or needs more than it says is only named. */
const otherOf = (line: string, from: string): Declared | string =>
  plainWords.test(line) && !mends(line) ? { kind: kindOf(line) ?? "other", command: line, from } : `${line} (${from})`;

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
function noxChecks(source: string): Recipes {
  const found: Recipes = { checks: [], untried: [] };
  for (const [, words = ""] of source.matchAll(/session\.run(?:_always)?\(([^()]*?)\)/g)) {
    const parts = words
      .split(",")
      .map((word) => word.trim())
      .filter((word) => word !== "" && !word.startsWith("*"));
    const plain = parts.filter((word) => !/^\w+\s*=/.test(word));
    if (!plain.every((word) => /^"[\w./:=@+-]+"$|^'[\w./:=@+-]+'$/.test(word))) {
      found.untried.push(`session.run(${words.replaceAll(/\s+/g, " ").trim()}) (noxfile.py)`);
      continue;
    }
    const line = plain.map((word) => word.slice(1, -1)).join(" ");
    const known = checksIn(line, "noxfile.py");
    for (const check of known.length > 0 ? known : [otherOf(line, "noxfile.py")])
      if (typeof check === "string") found.untried.push(check);
      else found.checks.push(check);
  }
  return found;
}
