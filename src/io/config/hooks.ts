// The hooks of a person and of a repository: read, named apart, and what of a repository's needs trust.
import path from "node:path";
import type { Json } from "../../protocol/message.ts";
import { type HookAgent, hookAgents, type HookFile, type ReadHooks, readHookFile } from "./hook-files.ts";
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
  /** Of the person's plugins. */
  plugins: readonly HookSettings[];
  shown(file: string): string;
}

/** Looks at nothing when no hooks are written and none are imported. */
export function findHooks({ own, brought, workspace, home, plugins, shown }: Sources): FoundHooks {
  const imports = own.findLast(({ key }) => key.path.join(".") === "import.hooks")?.value;
  const agents = hookAgents.filter((agent) => Array.isArray(imports) && imports.includes(agent));
  const read = agents.map((agent) => imported(agent, { home, workspace, shown }));
  const ofUser = read.flatMap((each) => each.user);
  const ofProject = read.flatMap((each) => each.project);
  const user = [...written(own, "user"), ...read.flatMap((each) => kept(each.user)), ...plugins];
  const project = [...written(brought, "project"), ...read.flatMap((each) => kept(each.project))];
  nameApart([...user, ...project]);
  for (const hook of project) hook.files = hookScripts(hook.command, workspace);
  return { user, project, notices: [...ofUser, ...ofProject].flatMap(({ notices }) => notices) };
}

const filesOf: Readonly<Record<HookAgent, readonly string[]>> = {
  claude: [".claude/settings.json", ".claude/settings.local.json"],
  gemini: [".gemini/settings.json"],
  codex: [".codex/hooks.json"],
};

/** A person's file may switch all hooks off that it and the repository's have. */
function imported(
  agent: HookAgent,
  { home, workspace, shown }: Pick<Sources, "home" | "workspace" | "shown">,
): { user: ReadHooks[]; project: ReadHooks[] } {
  const file = (folder: string, name: string, origin: HookFile["origin"]): ReadHooks => {
    const full = path.join(folder, name);
    return readHookFile({ path: full, shown: shown(full), origin, agent });
  };
  const [first = ""] = filesOf[agent];
  const user = [file(home, first, "user")];
  const off = user.some((read) => read.off) || home === workspace;
  return { user, project: off ? [] : filesOf[agent].map((name) => file(workspace, name, "project")) };
}

const kept = (files: readonly ReadHooks[]): HookSettings[] =>
  files.flatMap(({ hooks }) => (files.some((each) => each.off) ? [] : hooks));

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
