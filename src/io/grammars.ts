// Grammars of programming languages, as the bytes that packages bring.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

export type GrammarName = "python" | "javascript" | "typescript" | "tsx" | "java" | "go" | "rust";

const resolve = (name: string): string => createRequire(import.meta.url).resolve(name);

/** What runs grammars, itself WebAssembly. */
export const parserBytes = (): Promise<Uint8Array> => readFile(resolve("web-tree-sitter/web-tree-sitter.wasm"));

export const grammarBytes = (name: GrammarName): Promise<Uint8Array> =>
  readFile(resolve(`@vscode/tree-sitter-wasm/wasm/tree-sitter-${name}.wasm`));
