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
};
