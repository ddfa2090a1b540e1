// "Approve for this session": what exactly is bound, and when it is never offered.
import path from "node:path";
import { sha256 } from "../../base/digest.ts";
import type { Action } from "../../protocol/action.ts";
import type { Assessment } from "../../protocol/effect.ts";
import type { Facts } from "../ports.ts";
import { baseName } from "./words.ts";

/** What may be repeated unseen; every tag that is not here withholds the offer. */
const repeatable = new Set([
  "process",
  "unknown-program",
  "unknown-option",
  "overwrite",
  "move",
  "commit",
  "git-write",
  "outside",
  "sensitive-read",
  "declared-check",
  "declared-build",
  "checkpointable",
  "background",
]);

/** Files that decide what a build or check command does. */
const definitions = [
  "package.json",
  "Makefile",
  "makefile",
  "GNUmakefile",
  "justfile",
  "Taskfile.yml",
  "Cargo.toml",
  "build.rs",
  "go.mod",
  "pyproject.toml",
  "setup.py",
  "setup.cfg",
  "tox.ini",
  "noxfile.py",
  "conftest.py",
  "pom.xml",
  "build.gradle",
  "build.gradle.kts",
  "settings.gradle",
  "settings.gradle.kts",
  "CMakeLists.txt",
  "composer.json",
  "Gemfile",
  "Rakefile",
  "mix.exs",
  "pubspec.yaml",
  "deno.json",
];

/** Readable by the person; equal only for the same command in the same folder with the same files executed. */
export function sessionScope(action: Action, assessment: Assessment, facts: Facts): string | undefined {
  const { tags, effects } = assessment;
  if (!tags.every((tag) => repeatable.has(tag))) return undefined;
  if (
    effects.some(
      ({ kind, undo }) => kind === "delete" || kind === "network" || kind === "spawn" || undo === "irreversible",
    )
  ) {
    return undefined;
  }
  switch (action.kind) {
    case "shell":
      return commandScope(action.background ? `${action.command.trim()} &` : action.command.trim(), assessment, facts);
    case "program":
      return commandScope(JSON.stringify(action.argv), assessment, facts);
    case "read":
    case "search":
      return `${action.kind} ${facts.path(path.resolve(facts.workspace, action.path)).real}`;
    case "change": {
      const targets = effects.filter(({ kind }) => kind === "write").map(({ target }) => target);
      const simple = action.changes.every(({ op }) => op === "write" || op === "edit");
      return simple ? `change ${[...new Set(targets)].toSorted().join(" ")}` : undefined;
    }
    default:
      return undefined;
  }
}

function commandScope(command: string, { effects }: Assessment, facts: Facts): string | undefined {
  const programs = [
    ...new Set(effects.filter(({ kind }) => kind === "execute").map(({ target }) => target)),
  ].toSorted();
  const digests: string[] = [];
  for (const program of programs) {
    const digest = programDigest(program, facts);
    if (digest === undefined) return undefined;
    digests.push(digest);
  }
  const files = definitions.flatMap((name) => {
    const text = facts.text(path.join(facts.workspace, name));
    return text === undefined ? [] : [`${name}:${sha256(text)}`];
  });
  const bound = sha256([...digests, ...files].join("\n")).slice(0, 16);
  return `${command} (in ${facts.workspace}, files ${bound})`;
}

/** A program of the system stands for itself; any other must be a file whose content can be bound. */
function programDigest(program: string, facts: Facts): string | undefined {
  const system = facts.systemProgram(baseName(program));
  if (system !== undefined && (program === system || !program.includes("/"))) return system;
  const file = path.resolve(facts.workspace, program);
  const text = facts.text(file) ?? facts.text(facts.path(file).real);
  return text === undefined ? undefined : `${file}:${sha256(text)}`;
}
