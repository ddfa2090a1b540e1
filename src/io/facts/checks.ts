// The test, lint, type-check and build commands that a project declares.
import type { Manifests } from "./manifests.ts";
import declared from "../../../assets/programs/checks.json" with { type: "json" };

export type CheckKind = "test" | "lint" | "types" | "build";
type Checks = Map<string, CheckKind>;

const kinds: readonly [RegExp, CheckKind][] = [
  [/^(test|tests|unit|spec|e2e|integration)([:_-].*)?$/, "test"],
  [/^(lint|format[:_-]check|fmt[:_-]check|check[:_-](format|lint)|stylelint|eslint|clippy)([:_-].*)?$/, "lint"],
  [/^(type-?check|types|tsc|check[:_-]types|ts[:_-]check|mypy)([:_-].*)?$/, "types"],
  [/^(check|verify|ci)$/, "lint"],
  [/^(build|compile|dist|bundle)([:_-].*)?$/, "build"],
];
/** These watch, publish or rewrite, so their names promise something else. */
const excluded = /(watch|dev|serve|start|publish|deploy|release|update|clean)$/;

function kindOf(name: string): CheckKind | undefined {
  return excluded.test(name) ? undefined : kinds.find(([shape]) => shape.test(name))?.[1];
}

const simple = (text: string): string => text.trim().split(/\s+/).join(" ");

/** Packages whose commands check, and how those begin. */
const checkers = declared.packages as unknown as Readonly<Record<string, readonly [CheckKind, string]>>;
const starters = ["", "npx ", "pnpm exec ", "pnpm ", "yarn ", "bunx "];

function checkingPackages(checks: Checks, manifest: Record<string, unknown>): void {
  for (const key of ["dependencies", "devDependencies"]) {
    const packages = manifest[key];
    if (typeof packages !== "object" || packages === null) continue;
    for (const name of Object.keys(packages)) {
      const found = Object.hasOwn(checkers, name) ? checkers[name] : undefined;
      if (found)
        for (const starter of starters) add(checks, found[0], starter + found[1].split(" | ").join(` | ${starter}`));
    }
  }
}

function packageScripts(checks: Checks, text: string): void {
  let manifest: unknown;
  try {
    manifest = JSON.parse(text);
  } catch {
    // A broken manifest declares nothing.
    return;
  }
  if (typeof manifest !== "object" || manifest === null) return;
  checkingPackages(checks, manifest as Record<string, unknown>);
  checks.set("node --test", "test");
  const { scripts } = manifest as { scripts?: unknown };
  if (typeof scripts !== "object" || scripts === null) return;
  for (const [name, script] of Object.entries(scripts)) {
    const kind = kindOf(name);
    if (!kind || typeof script !== "string" || !/^[\w:.-]+$/.test(name)) continue;
    for (const runner of ["npm", "pnpm", "yarn", "bun"]) checks.set(`${runner} run ${name}`, kind);
    for (const runner of ["pnpm", "yarn"]) checks.set(`${runner} ${name}`, kind);
    if (name === "test") for (const form of ["npm test", "npm t", "npm run-script test"]) checks.set(form, kind);
    if (simple(script)) checks.set(simple(script), kind);
  }
}

function targets(checks: Checks, text: string, runner: string): void {
  for (const [, name = ""] of text.matchAll(/^([A-Za-z][\w.-]*)\s*(?:[\w ]*):(?!=)/gm)) {
    const kind = kindOf(name);
    if (kind) checks.set(`${runner} ${name}`, kind);
  }
}

const add = (checks: Checks, kind: CheckKind, commands: string): void => {
  for (const command of commands.split(" | ")) checks.set(command, kind);
};

function python(checks: Checks, text: string): void {
  for (const interpreter of ["python", "python3"]) {
    add(checks, "test", `${interpreter} -m pytest | ${interpreter} -m unittest | ${interpreter} -m unittest discover`);
    if (text.includes("mypy")) add(checks, "types", `${interpreter} -m mypy | ${interpreter} -m mypy .`);
  }
  add(
    checks,
    "test",
    "pytest | py.test | uv run pytest | poetry run pytest | pdm run pytest | hatch run pytest | hatch test",
  );
  if (text.includes("black")) add(checks, "lint", "black");
  if (text.includes("isort")) add(checks, "lint", "isort");
  if (text.includes("coverage")) add(checks, "test", "coverage run -m pytest | coverage report");
  if (text.includes("tox")) add(checks, "test", "tox | tox run");
  if (text.includes("nox")) add(checks, "test", "nox");
  if (text.includes("ruff"))
    add(checks, "lint", "ruff check | ruff check . | ruff format --check | ruff format --check .");
  if (text.includes("flake8")) add(checks, "lint", "flake8 | flake8 .");
  if (text.includes("pylint")) add(checks, "lint", "pylint");
  if (text.includes("mypy")) add(checks, "types", "mypy | mypy .");
  if (text.includes("pyright")) add(checks, "types", "pyright");
}

const fixed = declared.files as unknown as Record<string, readonly [CheckKind, string][]>;
const gradle: readonly [CheckKind, string][] = [
  ["test", "gradle test | ./gradlew test | gradle check | ./gradlew check"],
  ["build", "gradle * | ./gradlew * | gradle build | ./gradlew build | gradle assemble | ./gradlew assemble"],
];

function composer(checks: Checks, text: string): void {
  try {
    const scripts = (JSON.parse(text) as { scripts?: object } | null)?.scripts ?? {};
    for (const name of Object.keys(scripts)) {
      const kind = kindOf(name);
      if (kind) add(checks, kind, `composer ${name} | composer run ${name} | composer run-script ${name}`);
    }
  } catch (error) {
    // A broken manifest declares nothing.
    if (!(error instanceof SyntaxError)) throw error;
  }
}

/** Commands by their exact words, as the manifests say now. */
export function declaredChecks(manifests: Manifests): Checks {
  const checks: Checks = new Map();
  const given = (name: string, read: (text: string) => void) => {
    const text = manifests.text(name);
    if (text !== undefined) read(text);
  };
  given("package.json", (text) => packageScripts(checks, text));
  for (const name of ["GNUmakefile", "makefile", "Makefile"]) given(name, (text) => targets(checks, text, "make"));
  for (const name of ["justfile", "Justfile", ".justfile"]) given(name, (text) => targets(checks, text, "just"));
  const python3 = ["pyproject.toml", "setup.py", "setup.cfg", "pytest.ini", "tox.ini", "noxfile.py", "conftest.py"];
  const texts = [...python3, "mypy.ini", "ruff.toml", ".flake8"].flatMap((name) => {
    const text = manifests.text(name);
    return text === undefined ? [] : [`${name}\n${text}`];
  });
  if (texts.length > 0) python(checks, texts.join("\n"));
  for (const [name, commands] of Object.entries(fixed)) {
    given(name, () => commands.forEach(([kind, list]) => add(checks, kind, list)));
  }
  for (const name of ["build.gradle", "build.gradle.kts"])
    given(name, () => gradle.forEach(([kind, list]) => add(checks, kind, list)));
  given("composer.json", (text) => composer(checks, text));
  for (const name of ["phpunit.xml", "phpunit.xml.dist"])
    given(name, () => add(checks, "test", "phpunit | vendor/bin/phpunit"));
  return checks;
}

export const exactWords = simple;
