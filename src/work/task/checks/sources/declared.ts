// What a command of somebody's build or CI file checks, as far as its words say it.
import { chainOf } from "../../../../guard/command-line/syntax/list-parts.ts";
import { inFolder, type Look } from "../../stacks/profile.ts";
import { scriptIn } from "../../stacks/suite.ts";
import { scriptsOf } from "./package-scripts.ts";

/** `other`: its exit code is all that is known of it. */
export type CheckKind = "test" | "lint" | "types" | "build" | "other";

/** A command that a file, an instruction or the person names as a check. */
export interface Declared {
  kind: CheckKind;
  /** As it is declared, with the folder that it is run in. */
  command: string;
  from: string;
  /** What it comes down to, where the command only stands for another one. */
  body?: string;
  /** The chain of checks that it was taken out of. */
  partOf?: string;
  /** The lines that it runs one after the other, where its file says them. */
  lines?: string[];
  /** Variables that the CI gives it. */
  env?: string;
  /** Programs that the CI starts beside it, and secrets that it gives it: they are not here. */
  needs?: string[];
}

const runner = String.raw`(?:npm|pnpm|yarn|bun)(?: -\S+| --\S+)*`;
/** Programs that only start another one. */
const starters =
  /^(?:(?:npx|bunx|pnpm exec|yarn exec|uv run|poetry run|pipenv run|hatch run|pdm run|rye run|bundle exec|coverage run -m|nyc|c8|cross-env|xvfb-run|time)(?: -\S+)* |\w+=\S+ |\S*python[\d.]* -m |\.{0,2}\/?(?:[\w.-]+\/)+bin\/)+/;

const kinds: readonly (readonly [CheckKind, RegExp])[] = [
  [
    "types",
    new RegExp(
      String.raw`^(?:tsc|vue-tsc|svelte-check|mypy|pyright|${runner} (?:run )?(?:types?|type-?check\S*|check[:-]types?|tsc))(?= |$)`,
    ),
  ],
  [
    "lint",
    new RegExp(
      String.raw`^(?:eslint|oxlint|xo|standard|flake8|pylint|golangci-lint run|biome (?:ci|check|lint)|ruff (?:check|format --check)|prettier (?:.* )?(?:--check|-c)|black (?:.* )?--check|isort (?:.* )?--check\S*|cargo clippy|cargo fmt .*--check|go vet|(?:make|just) (?:lint|check-format|fmt-check)|${runner} (?:run )?lint\S*)(?= |$)`,
    ),
  ],
  [
    "test",
    new RegExp(
      String.raw`^(?:vitest|jest|mocha|ava|tape|tap|pytest|py\.test|unittest|nose2|node (?:.* )?--test|deno test|bun test|cargo (?:test|nextest run)|go test|dart test|flutter test|phpunit|rspec|(?:\./)?mvnw? (?:.* )?(?:test|verify)|(?:\.{0,2}/)*gradlew? (?:.* )?(?:test|check)|(?:make|just) (?:tests?|check)|tox|nox|${runner} (?:run )?t(?:est)?(?:[:_-]\S+)?)(?= |$)`,
    ),
  ],
  ["build", new RegExp(String.raw`^(?:cargo build|go build|make build|just build|${runner} run build)(?= |$)`)],
];

/** A script that mends, waits or shows: it says nothing of the files as they are. */
export function mends(command: string): boolean {
  const plain = command.trim().replace(starters, "");
  return (
    /^\S+ (?:run )?\S+[:_-](?:fix|write|watch|update|dev|debug|ui|open)(?= |$)/.test(plain) ||
    /\b(?:--watch|--fix|--write|--update\S*|-u|--init|publish|install|--version|--help)\b/.test(plain)
  );
}

/** Undefined for whatever else it is: an installation, a publication, a step of the CI's own. */
export function kindOf(command: string): CheckKind | undefined {
  const plain = command.trim().replace(starters, "");
  return mends(plain) ? undefined : kinds.find(([, pattern]) => pattern.test(plain))?.[0];
}

const shellOnly = /[|;<>`(){}\\*]|\$(?!PWD\b)|&(?!&)/;

/**
 * The checks among the lines of a script, each with the folder in which it is run: `cd` holds for what follows it. Lines with
 * more of a shell's grammar than that are left alone.
 */
export function checksIn(script: string, from: string, folder = ""): Declared[] {
  const found: Declared[] = [];
  let at = folder;
  for (const line of script.replaceAll(/\s*\\\n\s*/g, " ").split("\n")) {
    const plain = line.replace(/\s+#.*$/, "").trim();
    let here = at;
    for (const part of plain.split(" && ").map((each) => each.trim())) {
      const moved = /^cd (\S+)$/.exec(part)?.[1];
      if (moved !== undefined) here = under(here, moved);
      else {
        const kind = shellOnly.test(part.replaceAll(/'[^']*'|"[^"$`]*"/g, "")) ? undefined : kindOf(part);
        if (kind) found.push({ kind, command: inFolder(here, part), from });
      }
    }
    if (/^cd \S+$/.test(plain)) at = here;
  }
  return found;
}

/** They set up what the checks need, or say something. */
const prepares =
  /\b(?:install|ci|restore|fetch|sync|venv|checkout|setup|apt-get|apt|apk|brew|curl|wget|git|corepack|pip|pip3)\b|^(?:echo|printf|export|set|cd|mkdir|cp|mv|rm|ls|cat|touch|source|\.|\w+=\S*|sudo|env|which|true|:|python[\d.]* --version)(?= |$)/;
/** What they do is seen elsewhere. */
const leaves = /\b(?:deploy|release|publish|upload|push|login|sign|notify|bump|twine|codecov|coveralls)\b/;

/**
 * The commands of a script that are no check by their words and run what the repository holds, so that they are one by what
 * they do; and those that are left out of it.
 */
export function othersIn(
  script: string,
  from: string,
  { files, known }: Pick<Look, "files" | "known">,
  folder = "",
): { checks: Declared[]; untried: string[] } {
  const found: { checks: Declared[]; untried: string[] } = { checks: [], untried: [] };
  const there = new Set(files);
  let at = folder;
  for (const line of script.replaceAll(/\s*\\\n\s*/g, " ").split("\n")) {
    const plain = line.replace(/\s+#.*$/, "").trim();
    if (/^cd \S+$/.test(plain)) at = under(at, plain.slice(3));
    if (plain === "" || plain.startsWith("#")) continue;
    const chain = chainOf(plain);
    for (const { before, text } of chain?.parts ?? []) {
      if (kindOf(text) || prepares.test(text)) continue;
      const moved = before.reduce(
        (here, each) => (each.startsWith("cd ") ? under(here, each.slice(3).trim()) : here),
        at,
      );
      const scripts = scriptsOf(known.get(moved === "" ? "package.json" : `${moved}/package.json`));
      const own =
        scripts[scriptIn(text) ?? ""] !== undefined ||
        /^(?:make|just) [\w-]+$/.test(text) ||
        text.split(/[\s'"=]+/).some((word) => there.has(under(moved, word)) && word !== "");
      const open = /[|;<>`(){}*]|\$|&/.test(text);
      if (own && !open && !mends(text) && !leaves.test(text))
        found.checks.push({ kind: "other", command: inFolder(moved, text), from });
      else found.untried.push(`${text} (${from})`);
    }
    if (!chain && !prepares.test(plain)) found.untried.push(`${plain} (${from})`);
  }
  return found;
}

export function under(folder: string, moved: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${moved}`.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}
