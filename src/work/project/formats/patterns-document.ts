// NN-PATTERNS.md: for each file of a phase the one that it should be like, with an excerpt that code has cut out.
import { oneLine, rowsOf, sectionNamed, sectionsOf, table } from "./sections.ts";

export interface FilePattern {
  path: string;
  role: string;
  flow: string;
  /** Undefined: nothing is like it. */
  analog?: { path: string; from: number; to: number; match: "exact" | "partial"; excerpt: string };
  note: string;
}

export interface PatternsDocument {
  phase: string;
  name: string;
  files: FilePattern[];
  shared: { name: string; path: string; applies: string }[];
}

export function patternsText({ phase, name, files, shared }: PatternsDocument, at: string): string {
  const without = files.filter(({ analog }) => !analog);
  return [
    ...[
      `# Phase ${phase}: ${oneLine(name)} - Pattern Map`,
      "",
      `**Mapped:** ${at.slice(0, 10)}`,
      `**Files analyzed:** ${files.length}`,
      "",
    ],
    ...["## File Classification", ""],
    ...table(
      ["New/Modified File", "Role", "Data Flow", "Closest Analog", "Lines", "Match Quality", "Note"],
      files.map(({ path, role, flow, analog, note }) => [
        ...[`\`${path}\``, role, flow, analog ? `\`${analog.path}\`` : "-"],
        ...[analog ? `${analog.from}-${analog.to}` : "-", analog?.match ?? "none", note],
      ]),
    ),
    ...["", "## Pattern Assignments", ""],
    ...files.flatMap(({ path, analog }) => (analog ? assignment(path, analog) : [])),
    ...[
      "## Shared Patterns",
      "",
      ...table(
        ["Pattern", "Source", "Apply To"],
        shared.map((each) => [each.name, `\`${each.path}\``, each.applies]),
      ),
      "",
    ],
    ...[
      "## No Analog Found",
      "",
      ...table(
        ["File", "Role"],
        without.map(({ path, role }) => [`\`${path}\``, role]),
      ),
      "",
    ],
  ].join("\n");
}

function assignment(path: string, { path: analog, from, to, excerpt }: NonNullable<FilePattern["analog"]>): string[] {
  const longest = Math.max(2, ...(excerpt.match(/`{3,}/g) ?? []).map((marks) => marks.length));
  const fence = "`".repeat(longest + 1);
  return [`### \`${path}\``, "", `**Analog:** \`${analog}\`, lines ${from}-${to}`, "", fence, excerpt, fence, ""];
}

export function readPatterns(text: string): PatternsDocument {
  const all = sectionsOf(text, 3);
  const [, phase = "", name = ""] = /^Phase\s+(\S+):\s*(.*?)\s*-\s*Pattern Map$/i.exec(all[0]?.title ?? "") ?? [];
  const bare = (cell: string) => cell.replace(/^`(.*)`$/, "$1");
  const body = (title: string) => sectionNamed(all, title)?.body ?? "";
  const excerpts = new Map(
    all.map(({ title, body: inside }) => [bare(title), /^(`{3,}).*\n([\s\S]*?)\n\1$/m.exec(inside)?.[2] ?? ""]),
  );
  const files = rowsOf(body("file classification")).map((row): FilePattern => {
    const [path = "", role = "", flow = "", analog = "-"] = row.map(bare);
    // The older form has no lines and no note.
    const [lines, quality = "", note = ""] = row.length >= 7 ? row.slice(4) : ["1-1", row[4] ?? ""];
    const [, from = "1", to = from] = /^(\d+)(?:-(\d+))?$/.exec(lines ?? "") ?? [];
    const found = analog !== "-" && analog !== "" && !/^none$/i.test(analog);
    return {
      ...{ path, role, flow, note },
      ...(found && {
        analog: {
          ...{ path: analog, from: Number(from), to: Number(to), excerpt: excerpts.get(path) ?? "" },
          match: /exact/i.test(quality) ? "exact" : "partial",
        },
      }),
    };
  });
  const shared = rowsOf(body("shared patterns")).map(([title = "", path = "", applies = ""]) => ({
    name: title,
    path: bare(path),
    applies,
  }));
  return { phase, name, files, shared };
}
