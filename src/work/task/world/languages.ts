// Languages by the endings of file names.
import path from "node:path";
import endings from "../../../../assets/programs/languages.json" with { type: "json" };

const byEnding: ReadonlyMap<string, string> = new Map(
  Object.entries(endings).flatMap(([language, list]) => list.split(" ").map((ending) => [ending, language])),
);

export const languageOf = (file: string): string | undefined => byEnding.get(path.posix.extname(file).toLowerCase());
