// Places of the repository that agents name for what they have seen: whether they are there.
import { counted } from "../../../base/counted.ts";
import { oneLine } from "../formats/sections.ts";
import type { ProjectWork } from "./work.ts";

const placed = /^(.*?)(?::(\d+)(?:[-:].*)?)?$/;

/** What is wrong with a place that an agent names, `path` or `path:line` of the repository; undefined where nothing is, and for none. */
export async function doubtOf(
  work: ProjectWork,
  files: ReadonlySet<string>,
  place: string,
): Promise<string | undefined> {
  if (place === "") return undefined;
  const [, file = "", line] = placed.exec(place.replace(/^\.\//, "")) ?? [];
  if (!files.has(file)) return `there is no file ${oneLine(file)}`;
  const text = (await work.repository.text("HEAD", file)) ?? "";
  const lines = text.replace(/\n$/, "").split("\n").length;
  return line !== undefined && Number(line) > lines ? `${oneLine(file)} has ${counted(lines, "line")}` : undefined;
}

const isProse = (file: string): boolean => /\.(?:md|mdx|txt|rst|adoc)$/i.test(file);
/** What stands in a line that does nothing by itself. */
const idle: readonly (readonly [RegExp, string])[] = [
  [/^[\s{}()[\];,]*$/, "is empty"],
  [/^\s*(?:\/\/|\/\*|\*|#(?!\[)|--\s|<!--|"""|''')/, "is a comment"],
  [
    /^\s*(?:import\b|from\s+\S+\s+import\b|using\s|use\s|package\s|export\b.*\bfrom\b|.*\brequire\(["'][^"']+["']\);?\s*$)/,
    "only imports",
  ],
];

/** As doubtOf, for a claim that code does something: then the place is a line, and the line does something. */
export async function idleDoubtOf(
  work: ProjectWork,
  files: ReadonlySet<string>,
  place: string,
): Promise<string | undefined> {
  const doubt = await doubtOf(work, files, place);
  if (doubt !== undefined || place === "") return doubt;
  const [, file = "", line] = placed.exec(place.replace(/^\.\//, "")) ?? [];
  if (isProse(file)) return undefined;
  if (line === undefined) return `${oneLine(file)} is named without a line`;
  const text = ((await work.repository.text("HEAD", file)) ?? "").split("\n")[Number(line) - 1] ?? "";
  const why = idle.find(([shape]) => shape.test(text))?.[1];
  return why === undefined ? undefined : `line ${line} of ${oneLine(file)} ${why}`;
}

/**
 * Whether words name a place that the repository has and that does something: a document, or a line of another file. A line
 * that is not there takes the worth of all of them away.
 */
export async function namesPlace(work: ProjectWork, text: string): Promise<boolean> {
  const files = new Set(await work.repository.files("HEAD"));
  let shown = false;
  for (const word of wordsIn(text)) {
    const doubt = await doubtOf(work, files, word);
    if (doubt !== undefined && /^(?!.*:\/\/).*\/.*\.[A-Za-z]\w*:\d+$/.test(word)) return false;
    shown ||= doubt === undefined && (await idleDoubtOf(work, files, word)) === undefined;
  }
  return shown;
}

/** `a.js, line 3` is `a.js:3`; of `a.js:3-7` and `a.js:3:7` it is the first line. */
const wordsIn = (text: string): string[] =>
  text
    .replace(/(\.\w+)[`'")\]]*(?:,|\s)+(?:at |on |in )?lines?\s+(\d+)/gi, "$1:$2")
    .split(/[\s`'"()[\]{},;]+/)
    .map((word) => word.replace(/[.:]+$/, "").replace(/(:\d+)[:-]\d+$/, "$1"))
    .filter((word) => word !== "");
