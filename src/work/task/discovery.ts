// The repository map: what there is, by looking at names and manifests only.
import path from "node:path";
import { digestOf } from "../../base/digest.ts";
import type { RepositoryMap } from "../../protocol/task.ts";
import type { Repository } from "./git.ts";
import { lookAt, stacksOf } from "./stacks/list.ts";
import type { Look } from "./stacks/profile.ts";

const languages: Readonly<Record<string, string>> = {
  ".ts": "TypeScript",
  ".tsx": "TypeScript",
  ".mts": "TypeScript",
  ".cts": "TypeScript",
  ".js": "JavaScript",
  ".jsx": "JavaScript",
  ".mjs": "JavaScript",
  ".cjs": "JavaScript",
  ".py": "Python",
  ".java": "Java",
  ".kt": "Kotlin",
  ".go": "Go",
  ".rs": "Rust",
  ".dart": "Dart",
  ".rb": "Ruby",
  ".php": "PHP",
  ".c": "C",
  ".h": "C",
  ".cc": "C++",
  ".cpp": "C++",
  ".cs": "C#",
  ".swift": "Swift",
  ".sh": "Shell",
  ".md": "Markdown",
  ".html": "HTML",
  ".css": "CSS",
};

const frameworks = [
  "react",
  "vue",
  "svelte",
  "next",
  "express",
  "fastify",
  "hono",
  "vite",
  "vitest",
  "jest",
  "django",
  "flask",
  "fastapi",
  "pytest",
  "sqlalchemy",
];
const entries = /(?:^|\/)(?:main|index|app|server|cli|__main__)\.(?:[cm]?[jt]sx?|py|go|rs|java|dart)$/;
const ci = /^(?:\.github\/workflows\/[^/]+\.ya?ml|\.gitlab-ci\.yml|\.ci\/run|Jenkinsfile|azure-pipelines\.yml)$/;
const mostNamed = 20;

export async function mapRepository(repository: Repository, revision: string): Promise<RepositoryMap> {
  const files = await repository.files(revision);
  const look = await lookAt(files, (name) => repository.text(revision, name));
  const counts = new Map<string, number>();
  for (const file of files) {
    const language = languages[path.posix.extname(file)];
    if (language) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const map = {
    files: files.length,
    languages: [...counts]
      .map(([language, count]) => ({ language, files: count }))
      .toSorted((left, right) => right.files - left.files || left.language.localeCompare(right.language)),
    stacks: stacksOf(files),
    frameworks: frameworksOf(look),
    entryPoints: files.filter((file) => entries.test(file)).slice(0, mostNamed),
    testCommands: testCommandsOf(look),
    ci: files.filter((file) => ci.test(file)),
  };
  return { ...map, digest: digestOf({ ...map, names: files }) };
}

function frameworksOf({ known }: Look): string[] {
  const text = [...known.values()].join("\n");
  return frameworks.filter((name) => new RegExp(`["'\\s]${name}["'\\s=<>~^]`).test(text));
}

function testCommandsOf({ known, files }: Look): string[] {
  const scripts = scriptsOf(known.get("package.json"));
  const found = Object.keys(scripts)
    .filter((name) => /^test(?:[:_-]|$)/.test(name))
    .map((name) => (name === "test" ? "npm test" : `npm run ${name}`));
  const python = files.some((file) => /(?:^|\/)(?:test_[^/]+|[^/]+_test|conftest)\.py$/.test(file));
  return python ? [...found, "python3 -m pytest"] : found;
}

function scriptsOf(manifest: string | undefined): Record<string, unknown> {
  try {
    const parsed = JSON.parse(manifest ?? "{}") as { scripts?: unknown };
    return typeof parsed.scripts === "object" && parsed.scripts !== null ? { ...parsed.scripts } : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

/** For the model that plans. */
export function mapText(map: RepositoryMap): string {
  const list = (title: string, values: readonly string[]) =>
    values.length > 0 ? [`${title}: ${values.join(", ")}`] : [];
  return [
    `${map.files} files`,
    ...list(
      "Languages",
      map.languages.slice(0, 6).map(({ language, files }) => `${language} (${files})`),
    ),
    ...list("Stacks", map.stacks),
    ...list("Frameworks", map.frameworks),
    ...list("Entry points", map.entryPoints),
    ...list("Test commands", map.testCommands),
    ...list("CI", map.ci),
  ].join("\n");
}
