import { shellWord } from "../../../base/shell-word.ts";
import { below, inFolder, nearest, type Look, type Proof, type StackProfile } from "./profile.ts";

const folderOf = (path: string): string => path.split("/").slice(0, -1).join("/");

/** A package is the least that can be run: what else fails in it is told apart by its name. */
function proof(test: string, { files }: Look): Proof {
  const module = nearest(files, test, /^go\.mod$/)?.folder ?? "";
  const inner = below(module, `${folderOf(test)}/`).replace(/\/$/, "");
  return {
    command: inFolder(module, `go test -json -count=1 ${shellWord(inner === "" ? "." : `./${inner}`)}`),
    format: "go-json",
  };
}

export const go: StackProfile = {
  name: "go",
  keywords:
    /\b(?:golang|go (?:module|service|program|package|server|cli|code|app|test)s?|goroutines?|gin-gonic|cobra)\b/i,
  files: /(?:^|\/)go\.(?:mod|work)$|\.go$/,
  extensions: [".go", ".mod", ".sum"],
  manifests: ["go.mod"],
  dependencyFolders: ["vendor"],
  buildFolders: ["bin"],
  lockfiles: ["go.sum", "go.work.sum"],
  programs: ["go"],
  leftovers: /\.test$|(?:^|\/)(?:coverage|cover)\.out$/,
  upMs: 90_000,
  minutes: 30,
  syntax: (file) => (file.endsWith(".go") ? `gofmt -l -e ${shellWord(file)}` : undefined),
  proof,
};
