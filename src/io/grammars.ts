// Grammars of programming languages, as the bytes that packages bring.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

export type GrammarName =
  | ("python" | "javascript" | "typescript" | "tsx" | "java" | "go" | "rust" | "c-sharp" | "cpp" | "ruby" | "php")
  | ("css" | "ini");

/** Beside the built program lie the few that it needs, compressed (scripts/build.mjs): their packages are a hundred times as large. */
async function bytes(name: string, packaged: string): Promise<Uint8Array> {
  const beside = fileURLToPath(new URL(`grammars/${name}.wasm.br`, import.meta.url));
  if (existsSync(beside)) return promisify(brotliDecompress)(await readFile(beside));
  return readFile(createRequire(import.meta.url).resolve(packaged));
}

/** What runs grammars, itself WebAssembly. */
export const parserBytes = (): Promise<Uint8Array> => bytes("web-tree-sitter", "web-tree-sitter/web-tree-sitter.wasm");

export const grammarBytes = (name: GrammarName): Promise<Uint8Array> =>
  bytes(`tree-sitter-${name}`, `@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`);
