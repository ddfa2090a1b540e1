// Files that import each other in a circle: the strongly connected parts of the import graph (Tarjan), without recursion.
import type { MapFile } from "../../protocol/project-map.ts";

/** The largest first, each in the order of its paths. */
export function circlesOf(files: readonly Pick<MapFile, "path" | "imports">[]): string[][] {
  const importsOf = new Map(files.map(({ path, imports }) => [path, imports]));
  const order = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const circles: string[][] = [];
  const enter = (path: string) => {
    order.set(path, order.size);
    low.set(path, order.get(path) ?? 0);
    open.push(path);
    isOpen.add(path);
    return { path, next: 0 };
  };
  const lower = (path: string, value: number) => low.set(path, Math.min(low.get(path) ?? value, value));
  const leave = (path: string) => {
    if (low.get(path) !== order.get(path)) return;
    const circle = open.splice(open.lastIndexOf(path));
    for (const each of circle) isOpen.delete(each);
    if (circle.length > 1) circles.push(circle.toSorted());
  };
  for (const { path } of files) {
    if (order.has(path)) continue;
    const way = [enter(path)];
    for (let top = way.at(-1); top; top = way.at(-1)) {
      const target = (importsOf.get(top.path) ?? [])[top.next++];
      if (target === undefined) {
        way.pop();
        leave(top.path);
        const above = way.at(-1);
        if (above) lower(above.path, low.get(top.path) ?? 0);
      } else if (importsOf.has(target) && !order.has(target)) way.push(enter(target));
      else if (isOpen.has(target)) lower(top.path, order.get(target) ?? 0);
    }
  }
  return circles.toSorted((a, b) => b.length - a.length || ((a[0] ?? "") < (b[0] ?? "") ? -1 : 1));
}
