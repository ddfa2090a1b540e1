// A session of which nothing is kept: its log in memory, its files in a folder that goes with it, its ledger without content.
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { Config } from "../../io/config/load.ts";
import type { ProjectPlaces } from "../../io/places/places.ts";
import type { Arm } from "../../model/contract/arm.ts";
import { endpoints } from "../../model/contract/endpoints.ts";
import { Exit } from "../../protocol/exit.ts";
import type { OpenFlags } from "../../protocol/open.ts";
import { temporaryFolder } from "./temporary.ts";

export interface Incognito {
  /** Where long outputs and checkpoints go while it lasts. */
  places: Pick<ProjectPlaces, "snapshots" | "spills" | "changes">;
  remove(): void;
}

interface Configured {
  config(): Config;
}

/** Throws a Fault for flags that would keep something, or go on with something kept. */
export function openIncognito({ session, record }: OpenFlags): Incognito {
  if (record !== undefined) throw conflict("--record", "a recording keeps what was said");
  if (session && session.kind !== "new") throw conflict("--continue and --resume", "what was said before is kept");
  let folder: ReturnType<typeof temporaryFolder> | undefined;
  const root = () => {
    folder ??= temporaryFolder();
    return folder.path;
  };
  return {
    places: {
      get snapshots() {
        return path.join(root(), "snapshots.git");
      },
      get changes() {
        return path.join(root(), "changes");
      },
      get spills() {
        return path.join(root(), "spills");
      },
    },
    remove: () => folder?.remove(),
  };
}

const conflict = (flag: string, why: string): Fault =>
  new Fault("incognito.conflict", Exit.usage, `Incognito and ${flag} exclude each other: ${why}.`, "Leave one out.");

/** Throws a Fault when a policy forbids sessions without records of their content. */
export function refuseForbidden(program: Configured): void {
  const { policy } = program.config();
  if (policy.allowIncognito) return;
  const place = policy.places["allow_incognito"];
  throw new Fault(
    "incognito.forbidden",
    Exit.usage,
    `Policy forbids incognito (policy.allow_incognito = false${place === undefined ? "" : `, ${place}`}).`,
    "Work without --incognito, or ask whoever wrote the policy.",
  );
}

/** Throws a Fault for a model that is not local, unless the person has said that any will do. */
export function refuseRemote(program: Configured & { incognito: boolean; env: NodeJS.ProcessEnv }, arm: Arm): Arm {
  const { settings } = program.config();
  if (!program.incognito || !settings.incognito.local_only || arm.provider.local) return arm;
  const endpoint = endpoints(settings, program.env).get(arm.name.split("/", 1)[0] ?? "");
  if (endpoint?.near === "network") throw elsewhere(arm.name, new URL(endpoint.baseUrl).hostname);
  throw new Fault(
    "incognito.remote",
    Exit.usage,
    `Incognito uses local models only (incognito.local_only), and ${arm.name} is not local.`,
    "Name a local one (--model ollama/NAME), or let others be: fettle config set incognito.local_only false",
  );
}

const elsewhere = (name: string, host: string): Fault =>
  new Fault(
    "incognito.remote",
    Exit.usage,
    `Incognito uses local models only (incognito.local_only), and ${name} is at ${host}: on your network, not on this machine.`,
    `If that is yours, too, say so: fettle config set model.local_hosts ${host}`,
  );
