// What this machine and this installation are to the program, outside of any session.
import os from "node:os";
import path from "node:path";
import type { Facts } from "../../guard/contract/ports.ts";
import { unreadFiles } from "../../guard/matching/unread.ts";
import { createFacts } from "../../io/facts.ts";
import { detectSandbox, type Sandbox } from "../../io/sandbox/sandbox.ts";
import { packageRoot } from "../../io/installation.ts";
import type { Program } from "./program.ts";

export const personName = (): string => `local:${os.userInfo().username}`;

/** fettle's own folders: no grant reads or writes them. */
export const ownFolders = (program: Program): string[] => [
  program.places.config,
  program.places.state,
  program.places.cache,
  packageRoot(),
];

export const sandboxOf = (program: Program): Sandbox =>
  detectSandbox({
    enabled: program.config().settings.sandbox.enabled,
    cacheFolder: program.places.cache,
    env: program.env,
  });

/** For judging outside a session: nothing is granted, so no temporary folder is made. */
export const factsOf = (program: Program): Facts => ({
  ...createFacts({
    workspace: program.workspace,
    home: program.places.home,
    temporary: path.join(os.tmpdir(), "fettle-none"),
    own: ownFolders(program),
    env: program.env,
  }),
  unread: () =>
    unreadFiles({ rules: program.config().settings.rules, policy: program.config().policy }, program.workspace),
});
