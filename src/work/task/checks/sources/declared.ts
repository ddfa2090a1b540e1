// What a command of somebody's build or CI file checks, as far as its words say it.
import { inFolder } from "../../stacks/profile.ts";

export type CheckKind = "test" | "lint" | "types" | "build";

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

/** Undefined for whatever else it is: an installation, a publication, a step of the CI's own. */
export function kindOf(command: string): CheckKind | undefined {
  const plain = command.trim().replace(starters, "");
  // A script that mends, waits or shows: it says nothing of the files as they are.
  if (/^\S+ (?:run )?\S+[:_-](?:fix|write|watch|update|dev|debug|ui|open)(?= |$)/.test(plain)) return undefined;
  if (/\b(?:--watch|--fix|--write|--update\S*|-u|--init|publish|install|--version|--help)\b/.test(plain))
    return undefined;
  return kinds.find(([, pattern]) => pattern.test(plain))?.[0];
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

export function under(folder: string, moved: string): string {
  const parts: string[] = [];
  for (const part of `${folder}/${moved}`.split("/"))
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  return parts.join("/");
}
