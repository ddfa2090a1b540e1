import type { MapFile } from "../../../protocol/project-map.ts";
import type { Codebase } from "../codebase.ts";
import { foldersOf, layersOf } from "../folders.ts";
import type { Manifests } from "../manifests.ts";
import { bullets, code, document, number, place, said } from "../markdown.ts";

const mostFolders = 40;
const entryName = /^(?:main|index|cli|app|server|__main__|manage|program|bin|start|lib|mod)$/i;

/** Layers by imports, entry points, what most files need, and how errors go. */
export function architecture(codebase: Codebase, manifests: Manifests): string {
  const sources = codebase.files.filter(({ kind }) => kind === "source");
  const users = usersOf(sources);
  const layers = layersOf(foldersOf(sources, mostFolders)).map((level, at) => {
    const names = level.map(({ name, files, lines }) => {
      return `${code(`${name}/`)} (${number(files.length, "file")}, ${number(lines, "line")})`;
    });
    return `${at + 1}. ${names.join(", ")}`;
  });
  const habits = (kind: "throws" | "catches" | "logs") => codebase.habits.get(kind) ?? [];
  return document(
    "Architecture",
    "Read off the imports of the sources: a folder of a layer is imported by those above it.",
    [
      { title: "Layers", lines: layers },
      { title: "Entry Points", lines: bullets(entriesOf(sources, users, manifests)) },
      { title: "Key Abstractions", lines: bullets(abstractions(sources, users), 25) },
      { title: "Data Flow", lines: bullets(flows(sources), 25) },
      {
        title: "Error Handling",
        lines: bullets(["throws", "catches"].flatMap((kind) => habitLine(kind, habits(kind as "throws" | "catches")))),
      },
      { title: "Logging", lines: bullets(habitLine("logs", habits("logs"))) },
    ],
  );
}

function habitLine(kind: string, marks: readonly { path: string; line: number; text: string }[]): string[] {
  const [first] = marks;
  if (!first) return [];
  const files = new Set(marks.map(({ path }) => path)).size;
  const words: Record<string, string> = {
    throws: "Errors are raised",
    catches: "Errors are caught",
    logs: "Log lines are written",
  };
  return [`${words[kind] ?? kind} at ${number(marks.length, "place")} in ${number(files, "file")}, as ${place(first)}`];
}

/** How many files import each. */
export function usersOf(files: readonly MapFile[]): Map<string, number> {
  const users = new Map<string, number>();
  for (const { imports } of files) for (const target of imports) users.set(target, (users.get(target) ?? 0) + 1);
  return users;
}

function entriesOf(sources: readonly MapFile[], users: ReadonlyMap<string, number>, { commands }: Manifests): string[] {
  const named = sources.filter(({ path, imports }) => {
    const bare = (path.split("/").at(-1) ?? "").replace(/\.[^.]*$/, "");
    return entryName.test(bare) && imports.length > 0 && (users.get(path) ?? 0) === 0;
  });
  const started = commands.filter(({ name }) => /^(?:npm run |make )?(?:start|dev|serve|run|build)$/.test(name));
  return [
    ...named
      .slice(0, 20)
      .map(
        (file) => `${code(file.path)}${told(file)}: imports ${number(file.imports.length, "file")}, imported by none`,
      ),
    ...started.map(
      ({ name, command, manifest, line }) => `${code(name)}: ${code(command)} (${place({ path: manifest, line })})`,
    ),
  ];
}

const told = ({ summary }: MapFile): string => (summary === "" ? "" : ` — ${said(summary)}`);

function abstractions(sources: readonly MapFile[], users: ReadonlyMap<string, number>): string[] {
  return sources
    .filter(({ path }) => (users.get(path) ?? 0) > 1)
    .toSorted((a, b) => (users.get(b.path) ?? 0) - (users.get(a.path) ?? 0) || (a.path < b.path ? -1 : 1))
    .map((file) => {
      const [first] = file.exports;
      const names = file.exports.slice(0, 4).map(({ name }) => code(name));
      const where = first ? place({ path: file.path, line: first.line }) : code(file.path);
      const what = names.length === 0 ? "" : ` defines ${names.join(", ")}`;
      return `${where}${what}; imported by ${number(users.get(file.path) ?? 0, "file")}${told(file)}`;
    });
}

/** Which folders take most from which. */
function flows(sources: readonly MapFile[]): string[] {
  const arrows = foldersOf(sources, mostFolders).flatMap(({ name, imports }) =>
    [...imports].map(([to, count]) => ({ name, to, count })),
  );
  return arrows
    .toSorted((a, b) => b.count - a.count || (a.name + a.to < b.name + b.to ? -1 : 1))
    .map(({ name, to, count }) => `${code(`${name}/`)} imports ${code(`${to}/`)} (${number(count, "import")})`);
}
