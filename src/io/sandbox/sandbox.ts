// The kernel's wall around every executed process: bubblewrap where it works, else nothing, and then it says so.
import { statSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { mountsAsRoot } from "../layers/mount.ts";
import type { Variables } from "../toolchain/toolchains.ts";
import { doorMounts, throughDoors } from "./network.ts";
import { mountArguments, type World } from "./mounts.ts";
import { keepFile } from "../places/kept-files.ts";
import { confinement, probe } from "./probe.ts";
import { intoRoom, openRoom } from "./room.ts";
import { seatbelt } from "./seatbelt.ts";
import { socketFilter } from "./seccomp.ts";
import type { Sandbox, SandboxSpec } from "./spec.ts";
import { variablesText, withVariables } from "./variables.ts";

export type { Sandbox, SandboxSpec } from "./spec.ts";

const none = (detail: string, remedy: string): Sandbox => ({
  name: "none",
  detail,
  remedy,
  wrap: (argv, spec) => ({
    argv: spec.variables ? withVariables(argv, 3) : [...argv],
    inherit: given(spec),
    contained: false,
    cleanup: () => undefined,
  }),
});

/** Root working on another person's files would lose its access with all capabilities; these two let it write there. */
const foreignOwner = ["--cap-add", "CAP_DAC_OVERRIDE", "--cap-add", "CAP_FOWNER"];

const given = ({ variables }: SandboxSpec) => (variables ? [{ text: variablesText(variables) }] : []);

const hasLayers = ({ layered, overlaid }: SandboxSpec): boolean => layered !== undefined || overlaid !== undefined;

/** Layers of an ordinary user are mounted as root of a user namespace; the command is to be the user again. */
function asThemselves(spec: SandboxSpec): string[] {
  if (!hasLayers(spec) || mountsAsRoot()) return [];
  return ["--uid", String(process.getuid?.() ?? 0), "--gid", String(process.getgid?.() ?? 0)];
}

function rights(spec: SandboxSpec): readonly string[] {
  const foreign = process.getuid?.() === 0 && statSync(spec.workspace).uid !== 0 && mountsAsRoot();
  return foreign ? [...confinement.filter((word) => word !== "--unshare-user"), ...foreignOwner] : confinement;
}

function bubblewrap(bwrap: string, filter: string, world: World): Sandbox {
  return {
    name: "bubblewrap",
    detail: `${bwrap}: own process, network and mount namespaces, system call filter`,
    wrap(argv, spec) {
      const room = spec.network ? undefined : spec.room;
      const confined = rights(spec);
      const enter = room ? intoRoom(room, 4, confined === confinement) : [];
      // Shells name these, so they come first: the filter is 3, then the room's or the channel, then the variables.
      const files = [filter, ...(room?.files ?? []), ...given(spec)];
      const next = 3 + files.length + (spec.network ? 1 : 0);
      const { words, held } = mountArguments(spec, world, next);
      const mounts = [...words, ...(spec.network ? doorMounts() : [])];
      const inherit = [...files, ...held];
      const itself = spec.variables ? withVariables(argv, next - 1) : argv;
      const command = spec.network ? throughDoors(itself, spec.network, 4) : itself;
      const inner = ["--seccomp", "3", "--chdir", spec.cwd, "--", ...command];
      return {
        argv: [
          ...enter,
          bwrap,
          ...confined,
          ...asThemselves(spec),
          ...(room ? [] : ["--unshare-net"]),
          ...mounts,
          ...inner,
        ],
        ...(hasLayers(spec) && { layerAt: enter.length }),
        inherit,
        contained: true,
        cleanup: () => undefined,
      };
    },
    openRoom: () => openRoom(bwrap),
  };
}

function macSandbox({ cacheFolder, home, env = process.env }: { cacheFolder: string; home?: string; env?: Variables }) {
  const empty = path.join(cacheFolder, "empty");
  const found = seatbelt({ home: home ?? (env["HOME"] || os.homedir()), env, empty });
  return "wrap" in found ? found : none(found.detail, "Run fettle in a Linux container or virtual machine.");
}

/** Synchronous; under a millisecond when it was found working before. `cacheFolder` must be out of reach of grants. */
export function detectSandbox(options: {
  enabled: boolean;
  cacheFolder: string;
  home?: string;
  env?: Variables;
}): Sandbox {
  if (!options.enabled) return none("switched off by `sandbox.enabled`", "Set `sandbox.enabled = true`.");
  if (process.platform === "darwin") return macSandbox(options);
  const filter = process.platform === "linux" ? socketFilter(process.arch) : undefined;
  if (!filter) {
    return none(`no sandbox for ${process.platform} on ${process.arch} yet`, "Use Linux on x64 or arm64, or WSL.");
  }
  const env = options.env ?? process.env;
  const filterFile = path.join(options.cacheFolder, filter.name);
  const empty = path.join(options.cacheFolder, "empty");
  try {
    keepFile(filterFile, filter.program);
    keepFile(empty, "");
    const found = probe(options.cacheFolder, filterFile);
    if (!("bwrap" in found)) return none(found.detail, found.remedy);
    return bubblewrap(found.bwrap, filterFile, { home: options.home ?? (env["HOME"] || os.homedir()), env, empty });
  } catch (error) {
    const problem = (error as Error).message;
    return none(`the sandbox's files could not be kept: ${problem}`, `Make ${options.cacheFolder} writable.`);
  }
}
