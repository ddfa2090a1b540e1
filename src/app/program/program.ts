// What every command needs: places, workspace, configuration, and state that is opened when first asked for.
import { randomBytes } from "node:crypto";
import { Fault } from "../../base/fault.ts";
import { type Config, type ConfigOptions, loadConfig } from "../../io/config/load.ts";
import { openDrafts } from "../../io/folders/left-drafts.ts";
import { fromParent } from "../../io/config/parent.ts";
import { findWorkspace } from "../../io/config/workspace.ts";
import {
  makePrivateFolder,
  type Places,
  type ProjectPlaces,
  places,
  projectPlaces,
  realFolder,
  unwritablePlace,
} from "../../io/places/places.ts";
import { type Clean, inMemory, openStore, type Store } from "../../io/store/store.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Json } from "../../protocol/message.ts";
import type { OpenFlags } from "../../protocol/open.ts";
import { openIncognito } from "./incognito.ts";
import { Presence } from "./presence.ts";

export interface Program {
  readonly flags: OpenFlags;
  readonly env: NodeJS.ProcessEnv;
  readonly places: Places;
  readonly project: ProjectPlaces;
  readonly workspace: string;
  readonly cwd: string;
  readonly version: string;
  readonly presence: Presence;
  config(): Config;
  /** Configuration is read anew when it is next needed. */
  readAgain(): void;
  /** Nothing of this run is kept but what the ledger says without content. */
  readonly incognito: boolean;
  store(): Store;
  /** The project's own file, whatever the session keeps: the ledger's head, leases, tainted files. */
  kept(): Store;
  /** Undefined while nothing has opened the store. */
  openedStore(): Store | undefined;
  /** Takes secrets out of what `store` writes, once something that knows them is loaded (stored-secrets.ts). */
  readonly storing: { clean?: Clean };
  close(): void;
}

function settingsOfFlags(flags: OpenFlags): Partial<Record<string, Json>> {
  return {
    ...(flags.model !== undefined && { "model.default": flags.model }),
    ...(flags.autonomy !== undefined && { "autonomy.level": flags.autonomy }),
    ...(flags.ceiling !== undefined && { "autonomy.ceiling": flags.ceiling }),
    ...(flags.maxCost !== undefined && { "budget.session_limit_usd": flags.maxCost }),
    ...(flags.maxRounds !== undefined && { "limits.rounds": flags.maxRounds }),
    ...flags.settings,
  };
}

/** How this program's configuration is read, now and whenever its files change. */
export const configOptions = ({
  workspace,
  places: base,
  env,
  flags,
}: Pick<Program, "workspace" | "places" | "env" | "flags">): ConfigOptions => ({
  ...{ workspace, env },
  places: base,
  flags: settingsOfFlags(flags),
  ...(flags.servers && { handed: flags.servers }),
});

/** Finds the workspace; configuration and state are read when first needed. Throws a Fault. */
export function openProgram(flags: OpenFlags, env: NodeJS.ProcessEnv, version: string): Program {
  const cwd = realFolder(flags.cwd ?? process.cwd());
  if (cwd === undefined) {
    throw new Fault(
      "cwd.missing",
      Exit.usage,
      `There is no folder ${flags.cwd ?? "here"}.`,
      "Give an existing folder with --cwd.",
    );
  }
  const base = places(env);
  const workspace = findWorkspace(cwd, flags.cwd !== undefined);
  const incognito = flags.incognito === true || fromParent(env)?.incognito === true ? openIncognito(flags) : undefined;
  const project = { ...projectPlaces(base, workspace), ...incognito?.places };
  const storing: Program["storing"] = {};
  let config: Config | undefined;
  let store: Store | undefined;
  let forgotten: Store | undefined;
  const kept = () => {
    store ??= openState(project, (value) => storing.clean?.(value) ?? value);
    return store;
  };
  return {
    ...{ flags, env, places: base, project, workspace, cwd, version, presence: new Presence(), storing },
    config() {
      config ??= loadConfig(configOptions({ workspace, places: base, env, flags }));
      return config;
    },
    readAgain() {
      config = undefined;
    },
    incognito: incognito !== undefined,
    kept,
    store() {
      if (!incognito) return kept();
      forgotten ??= openStore(inMemory);
      return forgotten;
    },
    openedStore: () => (incognito ? forgotten : store),
    close() {
      store?.close();
      forgotten?.close();
      incognito?.remove();
    },
  };
}

function openState(project: ProjectPlaces, clean: Clean): Store {
  try {
    makePrivateFolder(project.root);
    openDrafts(project.drafts);
  } catch (error) {
    const why = unwritablePlace(project.root) ?? (error instanceof Error ? error.message : String(error));
    throw new Fault(
      "state.unwritable",
      Exit.integrity,
      `There can be no state in ${project.root}: ${why}.`,
      `Move what stands in its way aside, or set XDG_STATE_HOME to a writable folder.`,
    );
  }
  return openStore(project.database, clean);
}

/** Sorts by day, is short enough to type: `20261121-3f9a2c`. */
export function newSessionId(now: number): string {
  const day = new Date(now).toISOString().slice(0, 10).replaceAll("-", "");
  return `${day}-${randomBytes(3).toString("hex")}`;
}
