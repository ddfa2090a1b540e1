// The map as a picture: folders in layers, each above what it imports, with the imports as curves. Reads in light and dark.
import { escapeLine } from "../../base/escape.ts";
import type { MapFile } from "../../protocol/project-map.ts";
import { foldersOf, layersOf, type MapFolder, summaryOf } from "./folders.ts";

const mostFolders = 36;
const mostArrows = 90;
const box = { width: 176, height: 52, gap: 18, drop: 58 };
const margin = { side: 20, top: 56, bottom: 16 };
const mostInRow = 6;

export const escapeMarkup = (text: string): string =>
  // Control characters are none of XML's, and those that turn a line hide what it says.
  escapeLine(text.replace(/[\r\n\t]/g, " "))
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/>/g, "&gt;")
    .replace(/"/g, "&quot;");

interface Placed {
  folder: MapFolder;
  x: number;
  y: number;
}

const style = `<style>
svg{--ink:#1f2328;--paper:#fff;--box:#f2f5f8;--edge:#57606a;--arrow:#0072b2;font:12px system-ui,sans-serif}
@media(prefers-color-scheme:dark){svg{--ink:#e6edf3;--paper:#0d1117;--box:#1c232c;--edge:#8b949e;--arrow:#56b4e9}}
.paper{fill:var(--paper)}.box{fill:var(--box);stroke:var(--edge)}.name{fill:var(--ink);font-weight:600}
.note{fill:var(--ink);font-size:10.5px}.arrow{fill:none;stroke:var(--arrow);opacity:.55}.head{fill:var(--arrow)}
</style>`;

/** Sources and tests by folder; what has no code is counted in the title only. */
export function pictureOf(files: readonly MapFile[], title: string): string {
  const code = files.filter(({ kind, lines }) => (kind === "source" || kind === "test") && lines > 0);
  const folders = foldersOf(code, mostFolders);
  const placed = place(layersOf(folders));
  const width = margin.side * 2 + mostInRow * (box.width + box.gap) - box.gap;
  const height = Math.max(...placed.map(({ y }) => y + box.height), margin.top) + margin.bottom;
  const lines = code.reduce((sum, file) => sum + file.lines, 0);
  const heading = `${title}: ${code.length} of ${files.length} files hold code, ${lines} lines`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(heading)}">`,
    style,
    `<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="6" markerHeight="6" orient="auto"><path class="head" d="M0,0L8,4L0,8z"/></marker></defs>`,
    `<rect class="paper" width="${width}" height="${height}"/>`,
    `<text class="name" x="${margin.side}" y="22" font-size="14">${escapeMarkup(heading)}</text>`,
    `<text class="note" x="${margin.side}" y="40">A folder stands above those that it imports; the width of an arrow is the number of imports.</text>`,
    ...arrows(placed),
    ...placed.map(boxOf),
    "</svg>\n",
  ].join("\n");
}

function place(layers: readonly MapFolder[][]): Placed[] {
  const rows = layers.flatMap((layer) =>
    Array.from({ length: Math.ceil(layer.length / mostInRow) }, (_, row) =>
      layer.slice(row * mostInRow, (row + 1) * mostInRow),
    ),
  );
  const whole = mostInRow * (box.width + box.gap) - box.gap;
  return rows.flatMap((row, down) => {
    const taken = row.length * (box.width + box.gap) - box.gap;
    const left = margin.side + (whole - taken) / 2;
    return row.map((folder, at) => ({
      folder,
      x: left + at * (box.width + box.gap),
      y: margin.top + down * (box.height + box.drop),
    }));
  });
}

function boxOf({ folder, x, y }: Placed): string {
  const { name, files, lines, imports } = folder;
  const shown = name.length > 23 ? `…${name.slice(-22)}` : name;
  const told = summaryOf(folder)?.summary ?? "";
  const hint = `${name}/: ${told}${imports.size > 0 ? ` Imports ${[...imports.keys()].join(", ")}.` : ""}`;
  return [
    `<g><title>${escapeMarkup(hint)}</title><rect class="box" x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="6"/>`,
    `<text class="name" x="${x + 10}" y="${y + 21}">${escapeMarkup(shown)}/</text>`,
    `<text class="note" x="${x + 10}" y="${y + 39}">${files.length} files, ${lines} lines</text></g>`,
  ].join("");
}

function arrows(placed: readonly Placed[]): string[] {
  const byName = new Map(placed.map((each) => [each.folder.name, each]));
  const all = placed.flatMap((from) =>
    [...from.folder.imports].flatMap(([name, count]) => {
      const to = byName.get(name);
      return to ? [{ from, to, count }] : [];
    }),
  );
  const kept = all.toSorted((a, b) => b.count - a.count).slice(0, mostArrows);
  const top = Math.max(1, ...kept.map(({ count }) => count));
  return kept.map(({ from, to, count }) => {
    const width = (0.8 + 3.2 * (Math.log1p(count) / Math.log1p(top))).toFixed(1);
    const isDown = to.y > from.y;
    const x1 = from.x + box.width / 2;
    const x2 = to.x + box.width / 2;
    const y1 = isDown ? from.y + box.height : from.y;
    const y2 = isDown ? to.y : to.y + box.height;
    const bend = isDown ? Math.max(24, (y2 - y1) / 2) : -40;
    return `<path class="arrow" stroke-width="${width}" marker-end="url(#to)" d="M${x1},${y1}C${x1},${y1 + bend} ${x2},${y2 - bend} ${x2},${y2}"/>`;
  });
}
