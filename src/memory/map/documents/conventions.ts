import type { Codebase, Habit } from "../codebase.ts";
import { bullets, code, counted, document, number, place } from "../markdown.ts";
import { styleOf } from "./structure.ts";

const linters =
  /(?:^|\/)(?:biome\.jsonc?|\.prettierrc[^/]*|\.eslintrc[^/]*|eslint\.config\.[^/]+|ruff\.toml|\.flake8|\.rubocop\.yml|\.golangci\.ya?ml|rustfmt\.toml|\.clang-format|\.editorconfig|tsconfig[^/]*\.json)$/;

/** How names, files, imports and comments are written, counted. */
export function conventions(codebase: Codebase): string {
  const sources = codebase.files.filter(({ kind }) => kind === "source");
  const habit = (kind: Habit) => codebase.habits.get(kind) ?? [];
  const read = sources.filter(({ lines }) => lines > 0);
  const told = read.filter(({ summary }) => summary !== "");
  const lengths = read.map(({ lines }) => lines).toSorted((a, b) => a - b);
  const at = (share: number) => lengths[Math.min(lengths.length - 1, Math.floor(lengths.length * share))] ?? 0;
  return document("Coding Conventions", "Counted over the sources; a convention that few files keep is none.", [
    { title: "Naming Patterns", lines: bullets(names(codebase)) },
    {
      title: "Code Style",
      lines: bullets(
        [...codebase.settings.keys()]
          .filter((path) => linters.test(path))
          .toSorted()
          .map(code),
      ),
    },
    { title: "Import Organization", lines: bullets(imports(codebase)) },
    {
      title: "Error Handling",
      lines: bullets([...shapes("raised", habit("throws")), ...shapes("caught", habit("catches"))]),
    },
    { title: "Logging", lines: bullets([...shapes("logger", habit("logs")), ...shapes("printed", habit("prints"))]) },
    {
      title: "Comments",
      lines:
        read.length === 0
          ? []
          : [
              `- ${told.length} of ${number(read.length, "source file")} begin with a comment or docstring that says what they are`,
            ],
    },
    {
      title: "Module Design",
      lines:
        read.length === 0
          ? []
          : [
              `- Half of the files have at most ${number(at(0.5), "line")}, nine of ten at most ${at(0.9)}`,
              `- ${number(read.filter((each) => each.exports.length === 1).length, "file")} of ${read.length} export one name, ${read.filter((each) => each.exports.length === 0).length} none`,
            ],
    },
  ]);
}

function names({ files }: Codebase): string[] {
  const exported = files
    .filter(({ kind }) => kind === "source")
    .flatMap(({ path, language, exports }) => exports.map((each) => ({ ...each, path, language })));
  const kinds = counted(exported, ({ kind, language }) => `${language} ${kind}`).filter(([, all]) => all.length >= 3);
  return kinds.slice(0, 16).flatMap(([what, all]) => {
    const [style, same] =
      counted(all, ({ name }) => styleOf(name) ?? (/^[A-Z0-9_]+$/.test(name) ? "UPPER_CASE" : undefined))[0] ?? [];
    const first = same?.[0];
    if (style === undefined || !first) return [];
    return [`${what}: ${style}, ${same?.length ?? 0} of ${all.length}, as ${code(first.name)} (${place(first)})`];
  });
}

function imports({ files }: Codebase): string[] {
  const sources = files.filter(({ kind }) => kind === "source");
  const inner = sources.reduce((sum, each) => sum + each.imports.length, 0);
  const outer = counted(
    sources.flatMap(({ packages, path }) => packages.map((name) => ({ name, path }))),
    ({ name }) => name,
  );
  return [
    ...(inner > 0 ? [`${number(inner, "import")} of the project's own files`] : []),
    ...outer
      .slice(0, 12)
      .map(([name, all]) => `${code(name)}: imported by ${number(all.length, "file")}, as ${code(all[0]?.path ?? "")}`),
  ];
}

/** The commonest shapes, each with an example. */
function shapes(what: string, marks: readonly { path: string; line: number; text: string }[]): string[] {
  const shape = (text: string) =>
    /\bnew\s+\w+|\braise\s+\w+|\bexcept\s+[\w.()]+|\bcatch\s*(?:\(\w+\))?|\b[\w.]+[.:]+\w+!?(?=\()|\w+!?(?=\()/.exec(
      text,
    )?.[0];
  return counted(marks, ({ text }) => shape(text))
    .slice(0, 6)
    .flatMap(([form, all]) => {
      const first = all[0];
      return first ? [`${what}: ${code(form)}, ${number(all.length, "place")}, as ${place(first)}`] : [];
    });
}
