// What documents about a code base are written from: its map, and lines of its files that say something of themselves.
import type { MapFile } from "../../protocol/project-map.ts";

/** Reads one project; a text is without secrets, undefined where there is none. */
export interface CodebaseSource {
  map(): MapFile[];
  textOf(path: string): Promise<string | undefined>;
  /** Settings whose names begin with a dot, which the index leaves out. */
  hiddenSettings(): Promise<string[]>;
  /** Files that hold one of the words, as the index counts words. */
  pathsWith(words: readonly string[]): string[];
}

export interface Mark {
  path: string;
  line: number;
  text: string;
}

export interface Codebase {
  files: readonly MapFile[];
  byPath: ReadonlyMap<string, MapFile>;
  /** Texts of manifests and settings, by path. */
  settings: ReadonlyMap<string, string>;
  /** What is left to do, as comments say it. */
  todos: Mark[];
  /** Names of environment variables, each where it is first read. */
  variables: ReadonlyMap<string, Mark>;
  /** Hosts that sources name. */
  hosts: ReadonlyMap<string, Mark>;
  /** What sources do, by the shape of lines. */
  habits: ReadonlyMap<Habit, Mark[]>;
}

const settingPath =
  /(?:^|\/)(?:package\.json|tsconfig[^/]*\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|Pipfile|tox\.ini|go\.mod|Cargo\.toml|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|Gemfile|[^/]+\.gemspec|[^/]+\.csproj|CMakeLists\.txt|Makefile|Dockerfile|docker-compose[^/]*\.ya?ml|compose\.ya?ml|\.nvmrc|\.python-version|\.node-version|\.tool-versions|rust-toolchain(?:\.toml)?|\.editorconfig|biome\.jsonc?|\.prettierrc[^/]*|\.eslintrc[^/]*|eslint\.config\.[mc]?[jt]s|ruff\.toml|\.flake8|\.rubocop\.yml|\.golangci\.ya?ml|rustfmt\.toml|\.clang-format|vitest\.config\.[mc]?[jt]s|jest\.config\.[mc]?[jt]s|pytest\.ini|\.gitlab-ci\.yml|Jenkinsfile)$|(?:^|\/)\.(?:github\/workflows|circleci)\/[^/]+\.ya?ml$/;

/** A setting deeper than this belongs to an example or a fixture. */
const mostDepth = 4;
const mostSettings = 200;
const mostRead = 3_000;
const mostMarks = 400;

export type Habit = "catches" | "throws" | "logs" | "prints" | "mocks" | "evaluates" | "silences";

/** Words that lead to files of interest, as the index counts them, and what their lines look like. */
const habits: Readonly<Record<Habit, { words: string[]; line: RegExp }>> = {
  catches: { words: ["catch", "except", "rescu"], line: /\bcatch\s*[({]|^\s*except\b|^\s*rescue\b/ },
  throws: { words: ["throw", "rais", "panic"], line: /\bthrow\s+new\s+(\w+)|^\s*raise\s+(\w+)|\bpanic!?\(/ },
  logs: { words: ["log", "logg", "slog", "tracing"], line: /\b(?:logger|logging|log|slog|tracing)[.:]+\w+!?\(/ },
  prints: { words: ["consol", "println", "print"], line: /\bconsole\.\w+\(|\bprintln!?\(|^\s*print\(|\bfmt\.Print/ },
  mocks: {
    words: ["mock", "stub", "fak", "patch", "spy", "monkeypatch"],
    line: /\b(?:vi|jest|sinon)\.(?:mock|fn|spyOn|stub)\b|\bmock\.patch\b|@patch\b|\bmonkeypatch\.|\bgomock\.|\bMockito\./,
  },
  evaluates: {
    words: ["eval", "exec", "innerhtml"],
    line: /(?<![\w.])eval\(|\bnew Function\(|\.innerHTML\s*=|\bshell=True\b|\bos\.system\(/,
  },
  silences: {
    words: ["ignor", "disabl", "noqa", "nolint", "nosec", "allow"],
    line: /@ts-(?:ig[n]ore|no[c]heck|expect-er[r]or)|eslint-dis[a]ble|biome-ig[n]ore|#\s*no[q]a|#\s*type:\s*ig[n]ore|\/\/\s*no[l]int|#\s*no[s]ec|#!?\[allow\(/,
  },
};

const todo = /\b(?:TOD[O]|FIXM[E]|HAC[K]|XX[X])\b[^\n]*/;
const variable =
  /\bprocess\.env(?:\.([A-Z][A-Z0-9_]+)|\[["']([A-Z][A-Z0-9_]+)["']\])|\b(?:os\.)?(?:environ(?:\.get)?|getenv|Getenv|LookupEnv|env::var|ENV(?:\.fetch)?)[[(]\s*["']([A-Z][A-Z0-9_]+)["']/g;
const host =
  /\b(?:https?|postgres(?:ql)?|mysql|redis|amqps?|mongodb(?:\+srv)?|wss?):\/\/(?:[^\s/@"'`]*@)?([a-z0-9-]+(?:\.[a-z0-9-]+)+)/gi;
/** Names of examples and of standards mean no service. */
const noHost =
  /(?:^|\.)(?:example|test|invalid|localhost)(?:\.|$)|(?:^|\.)(?:w3\.org|schema\.org|json-schema\.org|xmlsoap\.org|apache\.org|opensource\.org|mozilla\.org|ietf\.org|rfc-editor\.org|gnu\.org|wikipedia\.org|github\.com|stackoverflow\.com|npmjs\.com|pypi\.org)$|^\d+(?:\.\d+)+$/i;

export async function readCodebase(source: CodebaseSource): Promise<Codebase> {
  const files = source.map();
  const byPath = new Map(files.map((file) => [file.path, file]));
  const settings = new Map<string, string>();
  const paths = [...files.map(({ path }) => path), ...(await source.hiddenSettings())];
  for (const path of new Set(paths)) {
    if (!settingPath.test(path) || path.split("/").length > mostDepth) continue;
    if (settings.size >= mostSettings) break;
    const text = await source.textOf(path);
    if (text !== undefined) settings.set(path, text);
  }
  const found = { todos: [], variables: new Map(), hosts: new Map(), habits: new Map() } satisfies Partial<Codebase>;
  const wanted = new Set(
    source.pathsWith(["todo", "fixm", "hack", "xxx", "env", "environ", "getenv", "http", "https", "postgr", "redi"]),
  );
  for (const { words } of Object.values(habits)) for (const path of source.pathsWith(words)) wanted.add(path);
  const telling = [...wanted].filter((path) => ["source", "test", "build"].includes(byPath.get(path)?.kind ?? ""));
  for (const path of telling.toSorted().slice(0, mostRead)) {
    const text = await source.textOf(path);
    if (text !== undefined) mark(found, path, text, byPath.get(path)?.kind === "test");
  }
  return { files, byPath, settings, ...found };
}

interface Found {
  todos: Mark[];
  variables: Map<string, Mark>;
  hosts: Map<string, Mark>;
  habits: Map<Habit, Mark[]>;
}

function mark(found: Found, path: string, text: string, isTest: boolean): void {
  for (const [at, line] of text.split("\n").entries()) {
    if (line.length > 2_000) continue;
    const here = (said: string): Mark => ({ path, line: at + 1, text: said.trim().replace(/\s+/g, " ").slice(0, 120) });
    const left = /(?:\/\/|#|\/?\*|--|<!--|%|;)/.test(line) ? todo.exec(line)?.[0] : undefined;
    if (left !== undefined && found.todos.length < mostMarks)
      found.todos.push(here(left.replace(/\*\/.*$|-->.*$/, "")));
    if (!isTest) {
      for (const [, ...names] of line.matchAll(variable)) {
        const name = names.find((each) => each !== undefined) ?? "";
        if (!found.variables.has(name)) found.variables.set(name, here(line));
      }
      for (const [, name = ""] of line.matchAll(host))
        if (!noHost.test(name) && !found.hosts.has(name.toLowerCase())) found.hosts.set(name.toLowerCase(), here(line));
    }
    for (const [habit, { line: shape }] of Object.entries(habits) as [Habit, (typeof habits)[Habit]][]) {
      if ((habit === "mocks") !== isTest || !shape.test(line)) continue;
      const all = found.habits.get(habit) ?? [];
      if (all.length < mostMarks) all.push(here(line));
      found.habits.set(habit, all);
    }
  }
}
