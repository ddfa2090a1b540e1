// What an install brings: each package's name held against the well-known ones, and whether its scripts would run.
import { posix } from "node:path";
import type { FileChange } from "../../../protocol/action.ts";
import type { Facts } from "../../contract/ports.ts";
import { type Listed, manifestNames, manifestPackages, pythonName } from "../../supply/manifests.ts";
import { checkName } from "../../supply/names.ts";
import type { Ecosystem } from "../../supply/spelling.ts";
import type { NamedPackage } from "../../command-line/context/findings.ts";
import { type Context, note } from "../../command-line/context/context.ts";
import { isStatic, type Text } from "../../command-line/syntax/text.ts";

interface Installer {
  ecosystem: Ecosystem;
  /** Words before the packages: one of these stands first. */
  verbs: RegExp;
  /** Options that take the next word. */
  valued: RegExp;
  /** Read when no package is named. */
  manifest?: string;
  /** Says what runs while installing, unless an option of this form forbids it. */
  scripts?: { text: string; unless: RegExp };
}

const nodeValued =
  /^(?:--prefix|-C|--cwd|--dir|-w|--workspace|--filter|-F|--registry|--userconfig|--tag|--loglevel|--cache|--omit|--include|--depth)$/;
const nodeScripts = { text: "install scripts of the packages would run", unless: /^--ignore-scripts(?:=true)?$/ };
const node = (verbs: RegExp, scripts = true): Installer => ({
  ecosystem: "npm",
  verbs,
  valued: nodeValued,
  manifest: "package.json",
  ...(scripts && { scripts: nodeScripts }),
});
const runsPackage: Installer = {
  ecosystem: "npm",
  verbs: /^$/,
  valued: /^(?:-c|--call|-w|--workspace)$/,
  scripts: { text: "the package's own code would run", unless: /^--no(?:-install)?$/ },
};
const pythonScripts = { text: "setup code of packages without a wheel would run", unless: /^--only-binary(?:=|$)/ };
const python = (verbs: RegExp): Installer => ({
  ecosystem: "pypi",
  verbs,
  valued:
    /^(?:-t|--target|-r|--requirement|--requirements|-i|--index-url|--extra-index-url|-f|--find-links|-c|--constraint|-e|--editable|--prefix|--root|-p|--python|-G|--group|--extra|--only-binary|--no-binary|--platform|--source|--with)$/,
  scripts: pythonScripts,
});

const installers: ReadonlyMap<string, readonly Installer[]> = new Map([
  [
    "npm",
    [node(/^(?:install|i|in|ins|inst|isntall|add|ci|install-test|it|update|up)$/), node(/^(?:exec|x|create|init)$/)],
  ],
  ["pnpm", [node(/^(?:install|i|add|update|up)$/, false), node(/^(?:dlx|create)$/)]],
  ["yarn", [node(/^(?:install|add|up|upgrade|global)$/), node(/^(?:dlx|create)$/)]],
  ["bun", [node(/^(?:install|i|add|a|update)$/, false), node(/^(?:x|create)$/)]],
  ["npx", [runsPackage]],
  ["bunx", [runsPackage]],
  ["pnpx", [runsPackage]],
  ["pip", [python(/^(?:install|download)$/)]],
  ["uv", [python(/^(?:add|pip|tool)$/)]],
  ["uvx", [python(/^$/)]],
  ["pipx", [python(/^(?:install|run|inject)$/)]],
  ["poetry", [python(/^add$/)]],
  ["pdm", [python(/^add$/)]],
  ["rye", [python(/^(?:add|install)$/)]],
  ["pipenv", [python(/^install$/)]],
  ["easy_install", [python(/^$/)]],
  [
    "cargo",
    [
      {
        ecosystem: "crates",
        verbs: /^(?:add|install)$/,
        valued:
          /^(?:--git|--branch|--tag|--rev|--path|--root|--registry|--index|--version|--vers|-F|--features|-p|--package|--rename|--manifest-path|--target|-j|--profile|--bin|--example)$/,
        scripts: { text: "build scripts of the crates would run", unless: /^--dry-run$/ },
      },
    ],
  ],
  ["go", [{ ecosystem: "go", verbs: /^(?:get|install)$/, valued: /^(?:-C|-o|-tags|-ldflags|-modfile)$/ }]],
]);

/** Words that stand between the verb and the packages: `uv pip install`, `uv tool run`, `yarn global add`. */
const inner = /^(?:install|run|add)$/;

export function announcePackages(program: string, argv: readonly Text[], at: Context): void {
  const forms = installers.get(program);
  if (!forms) return;
  const words = argv.slice(1);
  for (const form of forms) {
    const operands = operandsOf(words, form);
    const verb = form.verbs.source === "^$" ? undefined : operands.shift();
    if (form.verbs.source !== "^$" && (!verb || !isStatic(verb) || !form.verbs.test(verb.value))) continue;
    if (/^(?:pip|tool|global)$/.test(verb?.value ?? "") && !inner.test(operands.shift()?.value ?? "")) continue;
    announce(program, operands, words, { form, at });
    return;
  }
}

function announce(
  program: string,
  operands: readonly Text[],
  words: readonly Text[],
  { form, at }: { form: Installer; at: Context },
): void {
  const executes = form === runsPackage || program === "uvx" || /^(?:exec|x|dlx)$/.test(words[0]?.value ?? "");
  const { scripts, ecosystem } = form;
  if (scripts && !words.some((text) => scripts.unless.test(text.value)))
    note(at, "L2", "package.scripts", scripts.text, "install");
  const given = words.find((_text, index) => /^(?:-p|--package)$/.test(words[index - 1]?.value ?? ""));
  const named = executes
    ? [form === runsPackage && given ? given : operands[0]].flatMap((text) => text ?? [])
    : operands;
  const { packages } = at.run.findings;
  const offline = executes && words.some((text) => /^--no(?:-install)?$/.test(text.value));
  for (const source of sourcesIn(ecosystem, words)) packages.push({ ecosystem, ...source, executes });
  for (const text of named) {
    const name = isStatic(text) ? packageName(ecosystem, text.value) : undefined;
    const shown = isStatic(text) ? text.value : at.part;
    const known = name !== undefined && !namesAddress(ecosystem, shown);
    if (!offline)
      packages.push({ ecosystem, name: known ? name : shown, from: known ? "registry" : "address", executes });
    if (name !== undefined) tell(ecosystem, name, at, true);
  }
  for (const file of listedFiles(words, named.length === 0 ? form.manifest : undefined)) {
    const [folder] = at.scope.folders;
    const text = folder === undefined ? undefined : at.run.facts.text(posix.resolve(folder, file));
    const base = /\.(?:txt|in)$/.test(file) ? "requirements.txt" : posix.basename(file);
    const listed = text === undefined ? [] : manifestPackages(base, text);
    if (Array.isArray(listed)) for (const each of listed) tell(each.ecosystem, each.name, at, false);
  }
}

const elsewhere: Partial<Record<Ecosystem, RegExp>> = {
  npm: /^--registry(?:=(.+))?$/,
  pypi: /^(?:-e|--editable|-i|--index-url|--extra-index-url|--index|-f|--find-links|--source)(?:=(.+))?$/,
  crates: /^(?:--git|--path|--index|--registry)(?:=(.+))?$/,
};

/** Where packages come from, if not from the registry that everybody uses. */
function sourcesIn(ecosystem: Ecosystem, words: readonly Text[]): Pick<NamedPackage, "name" | "from">[] {
  return words.flatMap((text, index) => {
    const option = elsewhere[ecosystem]?.exec(text.value);
    if (!option) return [];
    const from = /^(?:-i|--[a-z-]*index[a-z-]*|--registry)(?:=|$)/.test(text.value) ? "index" : "address";
    return [{ name: option[1] ?? words[index + 1]?.value ?? "", from }];
  });
}

/** `name@user/repository`, `name @ https://…`: the name is only what it is called here. */
function namesAddress(ecosystem: Ecosystem, text: string): boolean {
  if (ecosystem === "npm") return /^.+@(?!npm:)[^@]*[/:]/.test(text);
  return ecosystem === "pypi" && /@\s*\S*[/:]/.test(text);
}

function operandsOf(words: readonly Text[], { valued }: Installer): Text[] {
  return words.filter((text, index) => !text.value.startsWith("-") && !valued.test(words[index - 1]?.value ?? ""));
}

function listedFiles(words: readonly Text[], manifest: string | undefined): string[] {
  const files = words.flatMap((text, index) => {
    if (/^(?:-r|--requirement|--requirements)$/.test(words[index - 1]?.value ?? "")) return [text.value];
    return /^(?:-r|--requirement=)(.+)/.exec(text.value)?.[1] ?? [];
  });
  return manifest === undefined ? files : [...files, manifest];
}

/** Undefined for what is no name of a registry: a folder, an archive, an address. */
export function packageName(ecosystem: Ecosystem, text: string): string | undefined {
  if (/^(?:[./~]|[a-z+]{2,12}:)|\.(?:tgz|gz|whl|zip|git)$/i.test(text) && !/^npm:/.test(text)) return undefined;
  switch (ecosystem) {
    case "npm": {
      const name = /^(?:[^@]+@npm:|npm:)?(@?[^@]+)/.exec(text)?.[1];
      return name !== undefined && !name.startsWith("@") && name.includes("/") ? undefined : name;
    }
    case "pypi":
      return pythonName(text);
    case "crates":
      return text.replace(/@.*$/, "");
    default:
      return text.replace(/@.*$/, "");
  }
}

function tell(ecosystem: Ecosystem, name: string, at: Context, alsoUnknown: boolean): void {
  const { flagged, why, near } = checkName(ecosystem, name);
  if (flagged) note(at, "L2", "package.typosquat", `${name} resembles the well-known ${near}: is it meant?`, "install");
  else if (alsoUnknown && why === "unknown")
    note(at, "L2", "package.unknown", `${name} is not among the names that fettle knows`, "install");
}

/** The same for what a change adds to a manifest. */
export function announceManifest(
  change: Extract<FileChange, { op: "write" | "edit" }>,
  facts: Facts,
): { code: string; text: string }[] {
  const base = posix.basename(change.path);
  if (!manifestNames(base)) return [];
  const old = facts.text(posix.resolve(facts.workspace, change.path));
  const known = new Set(namesIn(base, old ?? "").map(({ name }) => name));
  return namesIn(base, changed(change, old ?? "")).flatMap(({ ecosystem, name }) => {
    if (known.has(name)) return [];
    const { flagged, why, near } = checkName(ecosystem, name);
    if (flagged) return { code: "package.typosquat", text: `adds ${name}, which resembles the well-known ${near}` };
    return why === "unknown"
      ? { code: "package.unknown", text: `adds ${name}, which is not among the names that fettle knows` }
      : [];
  });
}

function namesIn(base: string, text: string): Listed[] {
  const listed = manifestPackages(base, text);
  return Array.isArray(listed) ? listed : [];
}

/** Roughly what the file would hold; whether the edits fit is not for us to say. */
function changed(change: Extract<FileChange, { op: "write" | "edit" }>, old: string): string {
  if (change.op === "write") return change.content;
  return change.edits.reduce((text, edit) => (edit.old === "" ? text : text.replace(edit.old, () => edit.new)), old);
}
