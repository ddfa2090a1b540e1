// What a person types, as a line, as a part of a file's name, and as what it names among the files.
import { Fault } from "../../../base/fault.ts";
import { Exit } from "../../../protocol/exit.ts";

export const fault = (code: string, text: string, remedy: string): Fault =>
  new Fault(`project.${code}`, Exit.usage, text, remedy);

export function oneLine(text: string, what: string): string {
  const clean = text.replace(/[\s\p{Cc}]+/gu, " ").trim();
  if (clean === "") throw fault("empty", `The ${what} says nothing.`, "Name it in some words.");
  return clean;
}

/** ASCII letters and digits; at most some words of it. */
export const slugOf = (text: string): string =>
  text
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "")
    .slice(0, 40)
    .replace(/-+$/, "") || "unnamed";

export function freeName(texts: ReadonlyMap<string, string>, folders: readonly string[], stem: string): string {
  for (let count = 1; ; count += 1) {
    const name = `${stem}${count === 1 ? "" : `-${count}`}.md`;
    if (folders.every((folder) => !texts.has(`${folder}/${name}`))) return name;
  }
}
