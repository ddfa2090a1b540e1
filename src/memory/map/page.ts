// The map as one page: the picture, and a table of all files that a reader can filter. Nothing is loaded from elsewhere.
import type { MapFile } from "../../protocol/project-map.ts";
import { escapeMarkup, pictureOf } from "./picture.ts";

const style = `:root{color-scheme:light dark}body{font:14px/1.45 system-ui,sans-serif;margin:1.5rem auto;max-width:75rem;padding:0 1rem}
svg{max-width:100%;height:auto}input{font:inherit;width:100%;max-width:32rem;padding:.4rem;margin:1rem 0}
table{border-collapse:collapse;width:100%}td,th{text-align:left;vertical-align:top;padding:.3rem .6rem;border-top:1px solid #8888}
td:first-child{overflow-wrap:anywhere}.names{opacity:.75;font-size:.86em}`;
/** The only program of the page, named by its hash in the policy. */
export const script = `const rows=[...document.querySelectorAll("tbody tr")];document.querySelector("input").oninput=e=>{const words=e.target.value.toLowerCase().split(/\\s+/);for(const row of rows)row.hidden=!words.every(w=>row.textContent.toLowerCase().includes(w))}`;

const mostNames = 24;

/** `digest`: of \`script\`, in base64. */
export function pageOf(files: readonly MapFile[], title: string, digest: string): string {
  const rows = files.map(rowOf);
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${escapeMarkup(title)}: project map</title><style>${style}</style></head><body>
<h1>${escapeMarkup(title)}</h1>
${pictureOf(files, title)}
<label>Files that hold these words<br><input type="search"></label>
<table><thead><tr><th>File</th><th>Kind</th><th>Lines</th><th>What it is</th><th>Tests</th></tr></thead><tbody>
${rows.join("\n")}
</tbody></table><script>${script}</script></body></html>
`;
}

function rowOf({ path, kind, lines, summary, exports, imports, packages, tests }: MapFile): string {
  const list = (title: string, names: readonly string[]) => {
    if (names.length === 0) return "";
    const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
    return `<div class="names">${title} ${escapeMarkup(names.slice(0, mostNames).join(", "))}${more}</div>`;
  };
  const names = exports.map(({ name }) => name);
  const told = `${escapeMarkup(summary)}${list("Exports", names)}${list("Imports", [...imports, ...packages])}`;
  return `<tr><td>${escapeMarkup(path)}</td><td>${kind}</td><td>${lines}</td><td>${told}</td><td>${escapeMarkup(tests.slice(0, 6).join(", "))}</td></tr>`;
}
