// Grammars of programming languages, as the bytes that packages bring.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

export type GrammarName =
  | ("python" | "javascript" | "typescript" | "tsx" | "java" | "go" | "rust" | "c-sharp" | "cpp" | "ruby" | "php")
  | ("css" | "ini");

/** Beside the built program lie the few that it needs (scripts/build.mjs): their packages are ten times as large. */
function bytes(name: string, packaged: string): Promise<Uint8Array> {
  const beside = fileURLToPath(new URL(`grammars/${name}.wasm`, import.meta.url));
  return readFile(existsSync(beside) ? beside : createRequire(import.meta.url).resolve(packaged));
}

/** What runs grammars, itself WebAssembly. */
export const parserBytes = (): Promise<Uint8Array> => bytes("web-tree-sitter", "web-tree-sitter/web-tree-sitter.wasm");

export const grammarBytes = (name: GrammarName): Promise<Uint8Array> =>
  bytes(`tree-sitter-${name}`, `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`);
