// Sentences of `fettle scan`.
import { plural } from "../text/amounts.ts";

export const scans = {
  batchNothing: "There is nothing to scan.",
  batchRemedy: "Pipe JSON lines in, one object per line.",
  batchBad: (line: number, problem: string) => `line ${line}: ${problem}`,
  badId: "id is neither a string nor a number",
  notText: (key: string) => `${key} is not a string`,

  secretsNothing: "No file is named.",
  secretsNothingRemedy: "Name files or folders, or - for standard input: fettle scan secrets src .env",
  noSecrets: (files: number) => `No secrets in ${plural(files, "file")}.`,
  secrets: (count: number, files: number) => `${plural(count, "secret")} in ${plural(files, "file")}.`,
  skipped: {
    ignored: "ignored by .gitignore",
    binary: "no text",
    link: "links, which are not followed",
    git: "git's own data",
    other: "no files",
  },
  notScanned: (count: number, why: string, names: string) => `Not scanned (${why}): ${count}, ${names}`,
  andMore: (count: number) => ` and ${count} more`,
  notRead: (problem: string) => `not read: ${problem}`,

  injectionNothing: "No file is named.",
  injectionNothingRemedy: "Name files or folders, or - for standard input: fettle scan injection docs",
  noInjections: (files: number) => `No instructions to an assistant in ${plural(files, "file")}.`,
  injections: (flagged: number, files: number) =>
    `${flagged} of ${plural(files, "file")} may try to give orders to an assistant.`,

  manifestsNone: "There is no manifest here.",
  manifestsNoneRemedy: "Name one: package.json, requirements.txt, pyproject.toml, Cargo.toml, go.mod or pom.xml.",
  typosquat: (near: string) => `resembles the well-known ${near}`,
  unknown: "not among the names that fettle knows; look at it before installing it",
  packages: (count: number, odd: number, unknown: number) =>
    `${plural(count, "package")}: ${odd} suspicious, ${unknown} unknown.`,
} as const;
