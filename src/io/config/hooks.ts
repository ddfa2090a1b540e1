// The hooks of a person and of a repository: read, named apart, and what of a repository's needs trust.
import path from "node:path";
import type { Json } from "../../protocol/message.ts";
import { type HookFile, type ReadHooks, readHookFile } from "./hook-files.ts";
import { hookScripts } from "./hook-scripts.ts";
import { namedHooks } from "./hook-values.ts";
import type { LayerEntry } from "./layers.ts";
import type { HookSettings } from "./setting-kinds.ts";
import type { TrustItem } from "./trust.ts";

export interface FoundHooks {
  user: HookSettings[];
  project: HookSettings[];
  notices: string[];
}

interface Sources {
  /** Of everything that the person says: file, environment, flags. */
  own: readonly LayerEntry[];
  /** Of the repository's file. */
  brought: readonly LayerEntry[];
  workspace: string;
  home: string;
  shown(file: string): string;
}

/** Looks at nothing when no hooks are written and none are imported. */
export function findHooks({ own, brought, workspace, home, shown }: Sources): FoundHooks {
  const imports = own.findLast(({ key }) => key.path.join(".") === "import.hooks")?.value;
  const claude = Array.isArray(imports) && imports.includes("claude");
  const file = (folder: string, name: string, origin: HookFile["origin"]): ReadHooks => {
    const full = path.join(folder, ".claude", name);
    return readHookFile({ path: full, shown: shown(full), origin });
  };
  const ofUser = claude ? [file(home, "settings.json", "user")] : [];
  const off = ofUser.some((read) => read.off);
  const same = home === workspace;
  const ofProject =
    claude && !off && !same
      ? [file(workspace, "settings.json", "project"), file(workspace, "settings.local.json", "project")]
      : [];
  const kept = (files: readonly ReadHooks[]) =>
    files.flatMap(({ hooks }) => (files.some((each) => each.off) ? [] : hooks));
  const user = [...written(own, "user"), ...kept(ofUser)];
  const project = [...written(brought, "project"), ...kept(ofProject)];
  nameApart([...user, ...project]);
  for (const hook of project) hook.files = hookScripts(hook.command, workspace);
  return { user, project, notices: [...ofUser, ...ofProject].flatMap(({ notices }) => notices) };
}

const written = (entries: readonly LayerEntry[], origin: HookSettings["origin"]): HookSettings[] =>
  entries
    .filter(({ key }) => key.kind.type === "hooks")
    .flatMap(({ value, place, items }) => namedHooks(value, { origin, dialect: "fettle" }, items ?? [place]));

/** The first of a name keeps it: the ledger and refusals tell hooks apart by name. */
function nameApart(hooks: readonly HookSettings[]): void {
  const taken = new Set<string>();
  for (const hook of hooks) {
    const wanted = hook.name;
    for (let number = 2; taken.has(hook.name); number += 1) hook.name = `${wanted}-${number}`;
    taken.add(hook.name);
  }
}

/** What is trusted is the definition and everything of the repository that it runs. */
export const hookTrust = ({ origin: _origin, place, name, ...rest }: HookSettings): TrustItem => ({
  what: `hook ${name}`,
  value: rest as unknown as { [key: string]: Json },
  place,
});

/** Files that are no longer what was trusted; none when all are. */
export function changedScripts({ command, files = {} }: HookSettings, workspace: string): string[] {
  const now = hookScripts(command, workspace);
  return [...new Set([...Object.keys(files), ...Object.keys(now)])].filter((file) => files[file] !== now[file]);
}
