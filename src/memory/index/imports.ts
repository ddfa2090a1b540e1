// Which file of a root an import means, as far as its words and the paths tell.
import path from "node:path";
import type { Catalog } from "../../io/index/catalog.ts";

interface Known {
  files: readonly { path: string }[];
  byText: { of(text: number): readonly number[] };
  byPath: ReadonlyMap<string, number>;
}

const codeEndings = [
  "",
  ".ts",
  ".tsx",
  ".js",
  ".jsx",
  ".mjs",
  ".py",
  ".rs",
  ".go",
  ".rb",
  ".java",
  ".php",
  ".h",
  ".hpp",
  ".cs",
  ".css",
];
const folderFiles = ["/index.ts", "/index.tsx", "/index.js", "/__init__.py", "/mod.rs"];

export function resolvedImports(catalog: Catalog, root: number, known: Known): Map<number, Set<number>> {
  const byEnd = new Map<string, number[]>();
  for (const [at, { path: file }] of known.files.entries()) {
    const parts = file
      .replace(/\.[^./]*$/, "")
      .replace(/\/(?:index|__init__|mod)$/, "")
      .split("/");
    for (const depth of [1, 2]) {
      const end = parts.slice(-depth).join("/");
      const same = byEnd.get(end);
      if (same) same.push(at);
      else byEnd.set(end, [at]);
    }
  }
  const imports = new Map<number, Set<number>>();
  for (const { text, target } of catalog.importsOf(root))
    for (const at of known.byText.of(text)) {
      const found = resolved(known, byEnd, known.files[at]?.path ?? "", target);
      if (found === undefined || found === at) continue;
      const all = imports.get(at) ?? new Set();
      imports.set(at, all.add(found));
    }
  return imports;
}

/** The file that an import means, as far as its words tell; packages of others mean none. */
function resolved(
  { byPath }: Known,
  byEnd: ReadonlyMap<string, number[]>,
  from: string,
  given: string,
): number | undefined {
  const target = given.replace(/^["'<]|["'>]$/g, "");
  if (/^\.{1,2}\//.test(target)) {
    const base = path.posix.join(path.posix.dirname(from), target);
    const bare = base.replace(/\.(?:m|c)?jsx?$/, "");
    for (const each of [base, bare])
      for (const ending of [...codeEndings, ...folderFiles]) {
        const found = byPath.get(each + ending);
        if (found !== undefined) return found;
      }
    return undefined;
  }
  const dots = /^\.+/.exec(target)?.[0].length ?? 0;
  const plain = target
    .slice(dots)
    .replace(/^crate::|^super::|^self::/, "")
    .replace(/::|\\|\.(?!(?:h|hpp|rb|php|css|js|ts|py)$)/g, "/");
  const parts = plain
    .replace(/\.(?:h|hpp|rb|php|css|js|ts|py)$/, "")
    .replace(/\{.*$/, "")
    .replace(/\/$/, "")
    .split("/");
  for (const end of [
    parts.slice(-2).join("/"),
    parts.slice(-3, -1).join("/"),
    parts.length === 1 ? (parts[0] ?? "") : "",
  ]) {
    const found = end === "" ? undefined : byEnd.get(end);
    if (found && found.length <= 3) return found[0];
  }
  return undefined;
}
