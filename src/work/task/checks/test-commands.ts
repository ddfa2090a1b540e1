// How each part of a repository is tested, by its manifests: at the top, and in the packages below it.
import path from "node:path";
import { inFolder, type Look } from "../stacks/profile.ts";
import { scriptsOf } from "./sources/package-scripts.ts";

const mostNamed = 20;

type Reader = (text: string, folder: string, look: Look) => string[];

const ofPytest = /(?:^|\/)(?:conftest\.py|\.?pytest\.ini)$/;

const readers: Readonly<Record<string, Reader>> = {
  "package.json": (text, folder, { files }) => {
    const runner = packageManager(files, folder);
    return Object.keys(scriptsOf(text))
      .filter((name) => /^test(?:[:_-]|$)/.test(name) && /^[\w:.-]+$/.test(name))
      .map((name) => (name === "test" ? `${runner} test` : `${runner} run ${name}`));
  },
  "pyproject.toml": (text, _, { files }) => [
    /pytest/.test(text) || files.some((file) => ofPytest.test(file)) ? "python3 -m pytest" : "python3 -m unittest",
  ],
  "go.mod": () => ["go test ./..."],
  "Cargo.toml": (text) => [/^\[workspace\]/m.test(text) ? "cargo test --workspace" : "cargo test"],
  "pom.xml": (_, folder, { files }) => [has(files, folder, "mvnw") ? "./mvnw test" : "mvn test"],
  "build.gradle": gradle,
  "build.gradle.kts": gradle,
  "pubspec.yaml": (text) => [/^\s+sdk:\s*flutter\s*$/m.test(text) ? "flutter test" : "dart test"],
};

function gradle(_: string, folder: string, { files }: Look): string[] {
  return [has(files, folder, "gradlew") ? "./gradlew test" : "gradle test"];
}

const has = (files: readonly string[], folder: string, name: string): boolean =>
  files.includes(folder === "" ? name : `${folder}/${name}`);

function packageManager(files: readonly string[], folder: string): string {
  const locks = [
    ["pnpm-lock.yaml", "pnpm"],
    ["yarn.lock", "yarn"],
    ["bun.lock", "bun"],
  ] as const;
  return locks.find(([name]) => has(files, folder, name) || has(files, "", name))?.[1] ?? "npm";
}

/** Members of a workspace are tested by its top, so they come later; what is below another crate is that crate's. */
export async function testCommandsOf(look: Look): Promise<string[]> {
  const found = new Set<string>();
  const folders = new Map<string, string[]>();
  for (const [file, text] of look.known) {
    const name = path.posix.basename(file);
    const folder = path.posix.dirname(file) === "." ? "" : path.posix.dirname(file);
    const above = folders.get(name) ?? [];
    const nested = name !== "package.json" && above.some((each) => each === "" || folder.startsWith(`${each}/`));
    if (nested || !Object.hasOwn(readers, name)) continue;
    folders.set(name, [...above, folder]);
    for (const command of readers[name]?.(text, folder, look) ?? []) found.add(inFolder(folder, command));
  }
  for (const command of await fromTop(look)) found.add(command);
  return [...found].slice(0, mostNamed);
}

async function fromTop({ files, text, known }: Look): Promise<string[]> {
  const python = files.some((file) => /(?:^|\/)(?:test_[^/]+|[^/]+_test|conftest)\.py$/.test(file));
  const make = files.includes("Makefile") ? ((await text("Makefile")) ?? "") : "";
  return [
    ...(python && !known.has("pyproject.toml") ? ["python3 -m pytest"] : []),
    ...(/^(?:test|check)\s*:/m.test(make) ? [/^test\s*:/m.test(make) ? "make test" : "make check"] : []),
  ];
}
