// Folders that import each other. dependency-cruiser knows folders side by side; this one also looks at a folder's own
// files and the folders inside it, which may know each other one way only.
import path from "node:path";

/** The node of a folder's own files. */
const ownFiles = "(own files)";

export interface FileImport {
  from: string;
  to: string;
}

/** For each folder, which of its parts import which: its subfolders, and its own files together as one part. */
function partsOf(imports: readonly FileImport[]): Map<string, Map<string, Set<string>>> {
  const graphs = new Map<string, Map<string, Set<string>>>();
  for (const { from, to } of imports) {
    const left = path.dirname(from).split("/");
    const right = path.dirname(to).split("/");
    let shared = 0;
    while (shared < left.length && left[shared] === right[shared]) shared++;
    const [source = ownFiles, target = ownFiles] = [left[shared], right[shared]];
    if (source === target) continue;
    const folder = left.slice(0, shared).join("/");
    const graph = graphs.get(folder) ?? new Map<string, Set<string>>();
    graph.set(source, (graph.get(source) ?? new Set()).add(target));
    graphs.set(folder, graph);
  }
  return graphs;
}

/** Whether `to` can be reached from `from`. */
function reaches(graph: ReadonlyMap<string, ReadonlySet<string>>, from: string, to: string): boolean {
  const seen = new Set([from]);
  for (const part of seen) {
    if (graph.get(part)?.has(to)) return true;
    for (const next of graph.get(part) ?? []) seen.add(next);
  }
  return false;
}

/** One line for each folder whose parts import each other, with the parts concerned. */
export function folderCircles(imports: readonly FileImport[]): string[] {
  return [...partsOf(imports)].flatMap(([folder, graph]) => {
    const inCircle = [...graph.keys()].filter((part) => reaches(graph, part, part)).sort();
    return inCircle.length === 0 ? [] : [`${folder}: ${inCircle.join(", ")}`];
  });
}
