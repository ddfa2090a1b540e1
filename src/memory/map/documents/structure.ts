import type { MapFile } from "../../../protocol/project-map.ts";
import type { Codebase } from "../codebase.ts";
import { foldersOf, type MapFolder, summaryOf } from "../folders.ts";
import { bullets, code, counted, document, number, said } from "../markdown.ts";

/** Which folder holds what, where the important files are, and how names are written. */
export function structure({ files, settings }: Codebase): string {
  const folders = foldersOf(files, 60);
  const top = files.filter(({ path }) => !path.includes("/"));
  return document("Codebase Structure", "Read off the files that ignore rules leave.", [
    { title: "Directory Layout", lines: ["```text", ...layout(folders), "```"] },
    { title: "Directory Purposes", lines: bullets(folders.filter(({ name }) => name !== ".").map(purpose), 60) },
    {
      title: "Key File Locations",
      lines: bullets([...top.map(keyFile), ...[...settings.keys()].filter((path) => path.includes("/")).map(code)], 40),
    },
    { title: "Naming Conventions", lines: bullets(naming(files)) },
    { title: "Where to Add New Code", lines: bullets(places(files)) },
    { title: "Special Directories", lines: bullets(special(files)) },
  ]);
}

const layout = (folders: readonly MapFolder[]): string[] =>
  folders.map(({ name, files, lines }) => {
    const shown = name === "." ? "./" : `${"  ".repeat(name.split("/").length - 1)}${name}/`;
    return `${shown.replace(/`/g, "'").padEnd(48)} ${files.length} files, ${lines} lines`;
  });

function purpose(folder: MapFolder): string {
  const { name, files } = folder;
  const kinds = counted(files, ({ kind }) => kind).map(([kind, all]) => `${kind} ${all.length}`);
  const telling = summaryOf(folder);
  const told = telling ? `; as ${code(telling.path)}: ${said(telling.summary)}` : "";
  return `${code(`${name}/`)}: ${kinds.join(", ")}${told}`;
}

const keyFile = ({ path, summary }: MapFile): string =>
  summary === "" ? code(path) : `${code(path)}: ${said(summary)}`;

const styles: readonly (readonly [string, RegExp])[] = [
  ["kebab-case", /^[a-z0-9]+(?:-[a-z0-9]+)+$/],
  ["snake_case", /^_*[a-z0-9]+(?:_[a-z0-9]+)+$/],
  ["PascalCase", /^[A-Z][A-Za-z0-9]*[a-z][A-Za-z0-9]*$/],
  ["camelCase", /^[a-z]+[A-Z][A-Za-z0-9]*$/],
  ["one lower-case word", /^[a-z0-9]+$/],
];

export const styleOf = (name: string): string | undefined => styles.find(([, shape]) => shape.test(name))?.[0];

function naming(files: readonly MapFile[]): string[] {
  const sources = files.filter(({ kind }) => kind === "source" || kind === "test");
  return counted(sources, ({ kind }) => kind).flatMap(([kind, all]) => {
    const bare = ({ path }: MapFile) => (path.split("/").at(-1) ?? "").split(".")[0] ?? "";
    return counted(all, (file) => styleOf(bare(file))).map(
      ([style, same]) => `${kind} files: ${style}, ${same.length} of ${all.length}, as ${code(same[0]?.path ?? "")}`,
    );
  });
}

/** The folder in which most of a kind and language lie. */
function places(files: readonly MapFile[]): string[] {
  const wanted = files.filter(({ kind, lines }) => (kind === "source" || kind === "test") && lines > 0);
  return counted(wanted, ({ kind, language }) => `${kind} in ${language}`)
    .slice(0, 8)
    .map(([what, all]) => {
      const [folder = "", same = []] =
        counted(all, ({ path }) => path.split("/").slice(0, -1).join("/") || ".")[0] ?? [];
      return `${what}: most lie in ${code(`${folder}/`)} (${same.length} of ${all.length})`;
    });
}

function special(files: readonly MapFile[]): string[] {
  const generated = files.filter(({ kind }) => kind === "generated");
  return counted(generated, ({ path }) => path.split("/").slice(0, -1).join("/") || ".").map(
    ([folder, all]) => `${code(`${folder}/`)}: ${number(all.length, "generated file")}, as ${code(all[0]?.path ?? "")}`,
  );
}
