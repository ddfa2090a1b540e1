// What a repository declares to check itself with: its suite, linter, types and build, from manifests, build files and CI.
import path from "node:path";
import { inFolder, type Look, type Proof } from "../stacks/profile.ts";
import { suiteOf } from "../stacks/suite.ts";
import { scriptsOf } from "./package-scripts.ts";
import { testCommandsOf } from "./test-commands.ts";

export interface OwnCheck {
  kind: "test" | "lint" | "types" | "build";
  /** As the repository declares it. */
  command: string;
  /** As it is run, so that what came of it can be read. */
  run: Proof;
  /** The file that declares it. */
  from: string;
}

const most = { test: 4, lint: 2, types: 2, build: 1 };

/** The most telling first; a build only where it is more than the tests do by themselves. */
export async function ownChecks(look: Look): Promise<OwnCheck[]> {
  const tests = await Promise.all(
    (await testCommandsOf(look)).slice(0, most.test).map(async (command): Promise<OwnCheck> => {
      const run = (await suiteOf(command, look)) ?? plain(command);
      return { kind: "test", command, run, from: sourceOf(command) };
    }),
  );
  return [...tests, ...scripts(look), ...python(look), ...(await fromMake(look))];
}

const plain = (command: string): Proof => ({ command, format: "any", whole: true });

const sourceOf = (command: string): string =>
  ([
    [/\b(?:npm|pnpm|yarn|bun) /, "package.json"],
    [/\bpytest\b|\bunittest\b/, "pyproject.toml"],
    [/\bcargo\b/, "Cargo.toml"],
    [/\bgo test\b/, "go.mod"],
    [/\bmake\b/, "Makefile"],
  ].find(([pattern]) => (pattern as RegExp).test(command))?.[1] as string) ?? "the repository";

const named: readonly [OwnCheck["kind"], RegExp][] = [
  ["lint", /^(?:lint|eslint|lint:check|check:lint)$/],
  ["types", /^(?:types?|typecheck|type-check|check:types|tsc)$/],
];

function scripts({ known }: Look): OwnCheck[] {
  const found: OwnCheck[] = [];
  for (const [file, text] of known) {
    if (path.posix.basename(file) !== "package.json" || file.split("/").length > 1) continue;
    for (const [kind, pattern] of named)
      for (const name of Object.keys(scriptsOf(text)).filter((each) => pattern.test(each))) {
        const command = inFolder("", `npm run ${name}`);
        if (found.filter((each) => each.kind === kind).length < most[kind])
          found.push({ kind, command, run: plain(command), from: file });
      }
  }
  return found;
}

function python({ known }: Look): OwnCheck[] {
  const text = [...known]
    .filter(([file]) => /\.(?:toml|cfg|ini)$/.test(file))
    .map(([, each]) => each)
    .join("\n");
  const checks: [OwnCheck["kind"], RegExp, string][] = [
    ["lint", /^\[tool\.ruff\b/m, "ruff check ."],
    ["types", /^\[(?:tool\.)?mypy\b/m, "mypy ."],
  ];
  return checks
    .filter(([, pattern]) => pattern.test(text))
    .map(([kind, , command]) => ({ kind, command, run: plain(command), from: "pyproject.toml" }));
}

async function fromMake({ files, text }: Look): Promise<OwnCheck[]> {
  const make = files.includes("Makefile") ? ((await text("Makefile")) ?? "") : "";
  return /^lint\s*:/m.test(make)
    ? [{ kind: "lint", command: "make lint", run: plain("make lint"), from: "Makefile" }]
    : [];
}
