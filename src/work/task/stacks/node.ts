import { shellWord } from "../../../base/shell-word.ts";
import { membersOf } from "../../../base/json-text.ts";
import { ownProof } from "./own.ts";
import { filled, onlyFile } from "./suite.ts";
import { below, inFolder, type Look, nearest, type Proof, type StackProfile, withReport } from "./profile.ts";

type Runner = "vitest" | "jest" | "mocha" | "node" | "own";
const runners = ["vitest", "jest", "mocha"] as const;

/** The plan's command says it, else the test script; one that is not known is the repository's own. */
function runnerOf(manifest: string, command: string): Runner {
  const { scripts, ...rest } = membersOf(manifest);
  const script = String((scripts as Record<string, unknown> | undefined)?.["test"] ?? "");
  for (const text of [command, script, JSON.stringify(rest)]) {
    const named = runners.find((name) => new RegExp(`\\b${name}\\b`).test(text));
    if (named) return named;
    if (/\bnode\b.*--test\b/.test(text)) return "node";
    if (text === script && isOwn(script, command)) return "own";
  }
  return "node";
}

/** npm's placeholder says nothing, and a package manager's word for the tests nothing by itself. */
const isOwn = (script: string, command: string): boolean =>
  (script !== "" && !/no test specified/.test(script)) || /^(?!(?:npm|pnpm|yarn|bun)\s)\S/.test(command.trim());

function proof(test: string, look: Look): Proof | undefined {
  const { files, known, testCommand = "" } = look;
  const { folder, file } = nearest(files, test, /^package\.json$/) ?? { folder: "", file: "package.json" };
  const top = known.get("package.json") ?? "";
  const manifest = known.get(file) ?? "";
  const own = runnerOf(manifest, testCommand);
  const runner = own === "node" && folder !== "" && !/--test\b/.test(manifest) ? runnerOf(top, testCommand) : own;
  const name = shellWord(below(folder, test));
  const start = (program: string) => (folder === "" ? `node_modules/.bin/${program}` : `npx --no-install ${program}`);
  const run = (program: string, rest: string) => inFolder(folder, `${start(program)} ${rest}`);
  switch (runner) {
    case "vitest":
      // From version 5 on it prints where its report is, and no report.
      return {
        command: inFolder(
          folder,
          withReport((report) => `${start("vitest")} run --reporter=json --outputFile=${report} ${name}`),
        ),
        format: "vitest-json",
      };
    case "jest":
      return { command: run("jest", `--json --runTestsByPath ${name}`), format: "jest-json" };
    case "mocha":
      return {
        command: run("mocha", `--reporter json ${filled(onlyFile, below(folder, test))}`),
        format: "mocha-json",
      };
    case "own":
      return ownProof(test, look);
    case "node": {
      const loader = /\.[cm]?tsx?$/.test(test) && /"tsx"\s*:/.test(manifest + top) ? "--import tsx " : "";
      return { command: inFolder(folder, `node ${loader}--test --test-reporter=tap ${name}`), format: "tap" };
    }
  }
}

export const node: StackProfile = {
  name: "node",
  keywords:
    /\b(?:node(?:\.?js)?|typescript|javascript|react|vue|svelte|angular|express|fastify|nest(?:\.?js)?|next\.?js|nuxt|vite|webpack|npm|pnpm|yarn|tsx|jsx|electron|deno|bun)\b/i,
  files: /(?:^|\/)(?:package\.json|tsconfig[\w.-]*\.json|deno\.jsonc?)$/,
  extensions: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".jsx", ".tsx"],
  manifests: ["package.json"],
  dependencyFolders: ["node_modules"],
  buildFolders: ["dist", "build", ".next", "out", "coverage"],
  lockfiles: [
    "package-lock.json",
    "npm-shrinkwrap.json",
    "yarn.lock",
    "pnpm-lock.yaml",
    "bun.lock",
    "bun.lockb",
    "deno.lock",
  ],
  programs: ["node", "npm"],
  leftovers: /(?:^|\/)(?:\.nyc_output|\.turbo)\/|\.tsbuildinfo$/,
  minutes: 30,
  syntax: (file) => (/\.[cm]?js$/.test(file) ? `node --check ${shellWord(file)}` : undefined),
  proof,
};
