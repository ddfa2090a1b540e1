// The environment of git inside of a sandbox.
import type { Assessment } from "../../protocol/effect.ts";
import { gitAttributesFile, gitSettingsFile } from "./git-settings.ts";

/** Nothing asks, nothing pages, and readers take no locks. */
const quietGit = {
  GIT_TERMINAL_PROMPT: "0",
  GIT_PAGER: "cat",
  GIT_EDITOR: ":",
  GIT_SEQUENCE_EDITOR: ":",
  GIT_OPTIONAL_LOCKS: "0",
};

/** fettle's own git: nothing that a repository configures is run. */
const hardened: readonly [string, string][] = [
  ["core.fsmonitor", "false"],
  ["core.hooksPath", "/dev/null"],
  ["core.sshCommand", "false"],
  ["credential.helper", ""],
];

/** What git must know whatever a repository configures. Who may read sensitive files sees them in commits, too. */
export function gitEnvironment(
  { own, quiet }: { own: boolean; quiet: boolean },
  { tags }: Assessment,
  temporary: string,
): Record<string, string> {
  const settings = own || quiet ? [...hardened] : [];
  if (!tags.includes("sensitive-read")) settings.push(["core.attributesFile", gitAttributesFile(temporary)]);
  // What is hidden stays marked as not checked out, also where the person checks out parts only.
  settings.push(["sparse.expectFilesOutsideOfPatterns", "true"]);
  const numbered = settings.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...quietGit,
    ...(own && { GIT_CONFIG_NOSYSTEM: "1" }),
    GIT_CONFIG_GLOBAL: gitSettingsFile(temporary),
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(numbered),
  };
}
