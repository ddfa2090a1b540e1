/** Words of a script's text that may be paths: with a slash or a dot in them, and what Python imports. */
export function references(text: string, most = 3_000): string[] {
  const words = (text.match(/[\w@./+-]+/g) ?? []).flatMap(pathIn).slice(0, most);
  const modules = [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+([\w.]+)/gm)].slice(0, most);
  return [...words, ...modules.map(([, name]) => (name ?? "").replaceAll(".", "/"))].filter((word) => word !== "");
}

/** What a name without its ending may stand for. */
export const scriptEndings = [
  "",
  ".sh",
  ".js",
  ".mjs",
  ".cjs",
  ".ts",
  ".py",
  ".rb",
  "/index.js",
  "/index.ts",
  "/__init__.py",
];

/** Up to its last letter, if a slash or a dot stands before that. By hand: a pattern takes for ever on one long word. */
function pathIn(run: string): string[] {
  let end = run.length;
  while (end > 0 && /\W/.test(run.charAt(end - 1))) end -= 1;
  const word = run.slice(0, end);
  return /[/.]/.test(word) ? [word] : [];
}
