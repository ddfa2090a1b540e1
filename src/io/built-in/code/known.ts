// Which language a file is of, and which programs serve it.
import path from "node:path";

interface Known {
  /** By extension, the name of the language in the protocol. */
  files: Readonly<Record<string, string>>;
  /** Programs with their arguments; the first that is found is taken. */
  programs: readonly (readonly string[])[];
}

export const knownLanguages: Readonly<Record<string, Known>> = {
  typescript: {
    files: {
      ...{ ".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact" },
      ...{ ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact" },
    },
    programs: [
      ["typescript-language-server", "--stdio"],
      ["tsgo", "--lsp", "--stdio"],
    ],
  },
  python: {
    files: { ".py": "python", ".pyi": "python" },
    programs: [["pyright-langserver", "--stdio"], ["basedpyright-langserver", "--stdio"], ["pylsp"]],
  },
  go: { files: { ".go": "go" }, programs: [["gopls"]] },
  rust: { files: { ".rs": "rust" }, programs: [["rust-analyzer"]] },
};

export function languageOf(file: string): { language: string; id: string } | undefined {
  const extension = path.extname(file).toLowerCase();
  for (const [language, { files }] of Object.entries(knownLanguages)) {
    const id = files[extension];
    if (id !== undefined) return { language, id };
  }
  return undefined;
}
