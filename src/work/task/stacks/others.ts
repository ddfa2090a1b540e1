import { shellWord } from "../../../base/shell-word.ts";
import type { StackProfile } from "./profile.ts";

export const docker: StackProfile = {
  name: "docker",
  keywords: /\b(?:docker(?:file)?|docker-compose|containers?|podman|compose file)\b/i,
  files: /(?:^|\/)(?:Dockerfile(?:\.[\w-]+)?|Containerfile|(?:docker-)?compose(?:\.[\w-]+)?\.ya?ml|\.dockerignore)$/,
  extensions: [".dockerfile"],
  manifests: [],
  dependencyFolders: [],
  buildFolders: [],
  lockfiles: [],
  programs: ["docker"],
  upMs: 180_000,
  minutes: 60,
};

/** What is none of the others: everything is the plan's to say. */
export const generic: StackProfile = {
  name: "generic",
  keywords: /(?!)/,
  files: /(?!)/,
  extensions: [],
  manifests: [],
  dependencyFolders: [],
  buildFolders: [],
  lockfiles: [
    "composer.lock",
    "Gemfile.lock",
    "mix.lock",
    "Package.resolved",
    "flake.lock",
    "packages.lock.json",
    "Podfile.lock",
  ],
  programs: [],
  minutes: 30,
  syntax: (file) => (/\.(?:sh|bash)$/.test(file) ? `bash -n ${shellWord(file)}` : undefined),
};
