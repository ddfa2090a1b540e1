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

/** Whether words name a place that the repository has: a file, with a line that it has where one is said. */
export async function namesPlace(work: ProjectWork, text: string): Promise<boolean> {
  const files = new Set(await work.repository.files("HEAD"));
  const words = text.split(/[\s`'"()[\]{},;]+/).map((word) => word.replace(/[.:]+$/, ""));
  for (const word of words) if (word !== "" && (await doubtOf(work, files, word)) === undefined) return true;
  return false;
}
