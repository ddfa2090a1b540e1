/** Words of a script's text that may be paths: with a slash or a dot in them, and what Python imports. */
export function references(text: string, most = 3_000): string[] {
  const words = text.match(/[\w@.+-]*[/.][\w@./+-]*[\w]/g)?.slice(0, most) ?? [];
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
