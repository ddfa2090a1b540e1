// The files at the top of a workspace that say what its checks are, or that checks run before the tests themselves.
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { anyError, withFallback } from "../../base/fallback.ts";

const named = new Set(
  (
    "package.json .npmrc .yarnrc .yarnrc.yml pnpm-workspace.yaml deno.json deno.jsonc bunfig.toml .mocharc.json " +
    ".mocharc.cjs .mocharc.js .mocharc.yml .babelrc .eslintrc.js .eslintrc.cjs .swcrc turbo.json nx.json lerna.json " +
    "Makefile makefile GNUmakefile justfile Justfile .justfile Rakefile Gemfile .rspec Taskfile.yml " +
    "pyproject.toml setup.py setup.cfg tox.ini pytest.ini .coveragerc conftest.py noxfile.py sitecustomize.py mypy.ini ruff.toml .flake8 " +
    "Cargo.toml build.rs .cargo/config.toml .cargo/config rust-toolchain.toml rust-toolchain go.mod go.work .golangci.yml " +
    "pom.xml .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml mvnw build.gradle build.gradle.kts settings.gradle " +
    "settings.gradle.kts gradle.properties gradlew gradle/wrapper/gradle-wrapper.properties build.sbt " +
    "composer.json phpunit.xml phpunit.xml.dist CMakeLists.txt meson.build mix.exs .formatter.exs Package.swift pubspec.yaml"
  ).split(" "),
);
const configuration = /^[\w.-]+\.config\.[cm]?[jt]s$|^(vitest|jest)\.(setup|workspace)\.[cm]?[jt]s$/;
const folders = [".cargo", ".mvn", "gradle/wrapper"];
const inFolders = new Set([...named].map((name) => path.posix.basename(name)));

/** Whether a file of this name says what checks are, or is run before them, in whatever folder it lies. */
export const definesChecks = (name: string): boolean => inFolders.has(name) || configuration.test(name);

const largest = 1024 * 1024;

interface Definition {
  seal: string;
  digest: string;
}

const entriesOf = (folder: string): string[] => withFallback([], anyError, () => readdirSync(folder));

/** Names of those that are in a folder, and in the few below it that hold more of the same. */
export function definitionsIn(workspace: string): string[] {
  const top = entriesOf(workspace);
  const found = top.filter((name) => named.has(name) || configuration.test(name));
  for (const folder of folders) {
    if (!top.includes(folder.split("/")[0] ?? "")) continue;
    const inside = entriesOf(path.join(workspace, folder)).map((name) => `${folder}/${name}`);
    found.push(...inside.filter((name) => named.has(name)));
  }
  return found;
}

function sealOf(file: string): string | undefined {
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (!stats) return undefined;
  return `${stats.ino} ${stats.ctimeMs} ${stats.mtimeMs} ${stats.size} ${stats.mode}`;
}

const digestOf = (file: string): string =>
  withFallback("unreadable", anyError, () => {
    const stats = lstatSync(file);
    // A link or a giant cannot be vouched for: every look gives another digest.
    if (!stats.isFile() || stats.size > largest) return `${stats.ctimeMs} ${stats.size} ${stats.isSymbolicLink()}`;
    return createHash("sha256").update(readFileSync(file)).digest("hex");
  });

export class Manifests {
  private readonly workspace: string;
  private readonly start = new Map<string, Definition>();
  private readonly latest = new Map<string, Definition>();

  /** Remembers the definitions as they are now. */
  constructor(workspace: string) {
    this.workspace = workspace;
    for (const name of definitionsIn(workspace)) {
      const definition = this.definition(name);
      if (definition) this.start.set(name, definition);
    }
  }

  private definition(name: string): Definition | undefined {
    const file = path.join(this.workspace, name);
    const seal = sealOf(file);
    if (seal === undefined) return undefined;
    const known = this.latest.get(name);
    if (known?.seal === seal) return known;
    const definition = { seal, digest: digestOf(file) };
    this.latest.set(name, definition);
    return definition;
  }

  /** Names that were added, changed or removed since the start, sorted. */
  changed(): string[] {
    const names = new Set([...this.start.keys(), ...definitionsIn(this.workspace)]);
    return [...names].filter((name) => this.definition(name)?.digest !== this.start.get(name)?.digest).sort();
  }

  /** Text of a manifest now; undefined when absent, a link or too large. */
  text(name: string): string | undefined {
    const file = path.join(this.workspace, name);
    const stats = lstatSync(file, { throwIfNoEntry: false });
    return stats?.isFile() && stats.size <= largest ? readFileSync(file, "utf8") : undefined;
  }
}
