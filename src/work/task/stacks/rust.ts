import { shellWord } from "../../../base/shell-word.ts";
import { below, inFolder, type Look, nearest, type Proof, type StackProfile } from "./profile.ts";

/** Tests of their own stand in tests/; those inside of the library are run by their module. */
function proof(test: string, { files }: Look): Proof {
  const folder = nearest(files, test, /^Cargo\.toml$/)?.folder ?? "";
  const inner = below(folder, test);
  const own = /^tests\/([^/]+)(?:\.rs|\/main\.rs)$/.exec(inner)?.[1] ?? /^tests\/([^/]+)\//.exec(inner)?.[1];
  const module = inner
    .replace(/^src\//, "")
    .replace(/(?:\/mod)?\.rs$/, "")
    .replaceAll("/", "::");
  const what =
    own === undefined
      ? module === "lib" || module === "main"
        ? ""
        : shellWord(`${module}::`)
      : `--test ${shellWord(own)}`;
  const command = ["cargo test --offline --no-fail-fast --color never", what].filter(Boolean).join(" ");
  return { command: inFolder(folder, command), format: "libtest" };
}

function imports(test: string, text: string, subject: string): boolean {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|"(?:\\.|[^"\\])*"/g, "");
  if (/(?:^|\/)tests\//.test(test)) {
    // A test of its own reaches a crate by name; which one, its manifest says, so any but the standard ones counts.
    const used = [...code.matchAll(/\b(?:use|extern crate)\s+(?:::)?(\w+)|\b([a-z_]\w*)::/g)].map(
      ([, one, two]) => one ?? two ?? "",
    );
    return used.some(
      (name) => !["std", "core", "alloc", "proptest", "rstest", "serde", "tokio", "self", "crate"].includes(name),
    );
  }
  const module =
    subject
      .replace(/^.*src\//, "")
      .replace(/(?:\/mod)?\.rs$/, "")
      .split("/")
      .at(-1) ?? "";
  return /\buse\s+super::/.test(code) || new RegExp(`\\bcrate::(?:\\w+::)*${module}\\b|\\bcrate::`).test(code);
}

export const rust: StackProfile = {
  name: "rust",
  keywords: /\b(?:rust|cargo|crates?|tokio|serde|actix|axum|clippy|wasm-bindgen)\b/i,
  files: /(?:^|\/)Cargo\.toml$|\.rs$/,
  extensions: [".rs"],
  manifests: ["Cargo.toml"],
  dependencyFolders: [],
  buildFolders: ["target"],
  lockfiles: ["Cargo.lock"],
  programs: ["cargo", "rustc"],
  leftovers: /(?:^|\/)target\/(?:debug\/|release\/|tmp\/|\.rustc_info\.json$|CACHEDIR\.TAG$)/,
  upMs: 180_000,
  minutes: 45,
  proof,
  imports,
};
