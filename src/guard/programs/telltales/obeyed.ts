// Files of the folder, or above it, by which a program that only tells something would run something else first.
import { posix } from "node:path";
import { type Context, note } from "../../command-line/context/context.ts";
import { classifyPath } from "../../command-line/context/sensitive.ts";
import { Origin } from "../../command-line/syntax/text.ts";

const rust = [".cargo", "rust-toolchain", "rust-toolchain.toml"];
const obeyed: Readonly<Record<string, readonly string[]>> = {
  npm: [".npmrc"],
  yarn: [".yarnrc", ".yarnrc.yml", ".yarn"],
  pnpm: [".pnpmfile.cjs", ".pnpmfile.mjs", "pnpm-workspace.yaml", ".npmrc"],
  bun: ["bunfig.toml"],
  cargo: rust,
  rustc: rust,
  rustup: rust,
  rustfmt: rust,
  rustdoc: rust,
  dotnet: ["global.json"],
  mvn: [".mvn"],
  gradle: ["gradle.properties"],
  bazel: [".bazelversion", "tools/bazel"],
  bazelisk: [".bazelversion", "tools/bazel"],
  mise: ["mise.toml", ".mise.toml"],
};

/** `rust-toolchain.toml` names a folder of programs, `.yarnrc.yml` a program to run instead, `.mvn` an agent. */
export function judgeObeyed(name: string, at: Context): void {
  const files = Object.hasOwn(obeyed, name) ? (obeyed[name] ?? []) : [];
  if (files.length === 0) return;
  const { facts, written } = at.run;
  const found = at.scope.folders
    .flatMap(upwards)
    .flatMap((folder) => files.map((file) => posix.join(folder, file)))
    .find(
      (file) =>
        facts.path(file).kind !== "missing" ||
        [...written.keys()].some((one) => one === file || one.startsWith(`${file}/`)),
    );
  if (found !== undefined || at.scope.folders.length === 0)
    note(
      at,
      "L2",
      "program.obeys",
      `${name} obeys ${found === undefined ? "files that are not known beforehand" : posix.basename(found)}, which can make it run something else`,
      "unknown-program",
    );
}

function upwards(folder: string): string[] {
  const found: string[] = [];
  for (let at = folder; ; at = posix.dirname(at)) {
    found.push(at);
    if (at === "/" || at === ".") return found;
  }
}

/** A manifest that this same command downloads says what is run. */
export function fromDownload(at: Context): void {
  for (const [file, from] of at.run.written)
    if (from & Origin.network && classifyPath(file, at.run.facts) === "run-later")
      note(
        at,
        "L3",
        "shell.run-download",
        `obeys ${posix.basename(file)}, which this command downloads`,
        "download-and-run",
      );
}
