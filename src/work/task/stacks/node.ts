import path from "node:path";
import { type Proof, quoted, type Look, type StackProfile } from "./profile.ts";

function runnerOf({ known }: Look): "vitest" | "jest" | "node" {
  const manifest = known.get("package.json") ?? "";
  if (/"vitest"\s*:|\bvitest\b/.test(manifest)) return "vitest";
  return /"jest"\s*:|\bjest\b/.test(manifest) ? "jest" : "node";
}

function proof(test: string, look: Look): Proof {
  const file = quoted(test);
  switch (runnerOf(look)) {
    case "vitest":
      return { command: `node_modules/.bin/vitest run --reporter=json ${file}`, format: "vitest-json" };
    case "jest":
      return { command: `node_modules/.bin/jest --json ${file}`, format: "jest-json" };
    case "node":
      return { command: `node --test --test-reporter=junit ${file}`, format: "junit" };
  }
}

const specifiers = /(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)["'`]([^"'`]+)["'`]/g;
const bare = (file: string): string => file.replace(/(?:\/index)?\.[cm]?[jt]sx?$/, "");

export const node: StackProfile = {
  name: "node",
  keywords: /\b(?:node(?:\.?js)?|typescript|javascript|react|vue|express|next\.?js|vite|npm)\b/i,
  files: /(?:^|\/)package\.json$/,
  extensions: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"],
  dependencyFolders: ["node_modules"],
  lockfiles: ["package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml", "bun.lock", "bun.lockb"],
  programs: ["node"],
  syntax: (file) => (/\.[cm]?js$/.test(file) ? `node --check ${quoted(file)}` : undefined),
  proof,
  imports: (test, text, subject) =>
    [...text.matchAll(specifiers)].some(([, name = ""]) => {
      if (!name.startsWith(".")) return false;
      return bare(path.posix.join(path.posix.dirname(test), name)) === bare(subject);
    }),
};
