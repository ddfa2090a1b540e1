// macOS: a profile for sandbox-exec. Written from its documented language and tested as text only: experimental.
import { spawnSync } from "node:child_process";
import { existsSync, realpathSync } from "node:fs";
import path from "node:path";
import { pathFolders, toolchainParts } from "../toolchain/toolchains.ts";
import { below } from "./hidden.ts";
import { homeSecrets, type World } from "./mounts.ts";
import { repositories } from "../git/repositories.ts";
import type { Sandbox, SandboxSpec } from "./spec.ts";
import { variablesText, withVariables } from "./variables.ts";

const program = "/usr/bin/sandbox-exec";

/** A word of the profile's language; what cannot stand in one must not be let through by accident. */
function quoted(file: string): string {
  if (/[\0\n\r]/.test(file)) throw new Error(`a path cannot stand in a sandbox profile: ${JSON.stringify(file)}`);
  return `"${file.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

const literal = (file: string): string => `(literal ${quoted(file)})`;
const subpath = (file: string): string => `(subpath ${quoted(file)})`;
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

function real(file: string): string {
  try {
    return realpathSync.native(file);
  } catch {
    // Rules for what is not there yet name it as it was given.
    return file;
  }
}

/** Sockets, other programs' temporary files, and everything personal. */
const hidden = ["/private/tmp", "/private/var/tmp", "/private/var/folders", "/private/var/run", "/Users", "/Volumes"];
const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper"];
/** Looking up users and the time zone; nothing that starts or asks other programs. */
const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.notification_center",
];

const rule = (verb: "allow" | "deny", operations: string, filters: readonly string[]): string[] =>
  filters.length === 0 ? [] : [`(${verb} ${operations} ${filters.join(" ")})`];

/** Folders on the way to what may be seen: their names, not what is in them. */
function ancestors(files: readonly string[]): string[] {
  const found = new Set<string>();
  for (const file of files) {
    for (let folder = path.dirname(file); folder !== "/"; folder = path.dirname(folder)) found.add(folder);
  }
  return ["/", ...[...found].sort()];
}

/** Later rules win. Every repository's git folder is closed at any depth, those that do not exist yet, too. */
function gitRules(spec: SandboxSpec): string[] {
  const outside = repositories(spec.workspace).flatMap(({ entry, folders }) =>
    folders.filter((folder) => folder !== entry && !folder.startsWith(`${entry}/`)),
  );
  if (spec.gitWritable) return rule("allow", "file-write*", outside.map(subpath));
  const anywhere = `(regex #"^${escaped(spec.workspace).replaceAll('"', '\\"')}/(.*/)?\\.git(/|$)")`;
  return rule("deny", "file-write*", [anywhere, ...outside.map(subpath)]);
}

/** No network at all: a command that was granted hosts does not get them here. */
export function seatbeltProfile(spec: SandboxSpec, world: World): string {
  const roots = [spec.workspace, ...spec.writable.map(real)];
  const programs = pathFolders(world.env).filter((folder) => existsSync(folder));
  const more = spec.readable ?? [];
  const shown = [...toolchainParts(world.home, world.env), ...programs, ...more].map(real);
  const writable = spec.readOnly ? spec.writable.map(real) : roots;
  const secrets = more.some((folder) => below(folder, world.home))
    ? homeSecrets.map((name) => path.join(world.home, name))
    : [];
  const masked = [...spec.masked, ...spec.own, ...secrets].map(real).filter((file) => file !== spec.workspace);
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow process-info* signal (target same-sandbox))",
    "(allow sysctl-read)",
    "(allow ipc-posix-sem)",
    "(allow pseudo-tty)",
    ...rule(
      "allow",
      "mach-lookup",
      services.map((name) => `(global-name ${quoted(name)})`),
    ),
    '(allow file-read* (subpath "/"))',
    ...rule("deny", "file-read*", [...new Set([...hidden, real(world.home)])].map(subpath)),
    ...rule("allow", "file-read-metadata", ancestors([...roots, ...shown]).map(literal)),
    ...rule("allow", "file-read*", [...roots, ...shown].map(subpath)),
    ...rule("allow", "file-read* file-write* file-ioctl", devices.map(literal)),
    ...rule("allow", "file-write*", writable.map(subpath)),
    ...gitRules(spec),
    ...rule("deny", "file-write*", [subpath(path.join(spec.workspace, ".fettle"))]),
    ...rule("deny", "file-read* file-write*", masked.map(subpath)),
  ].join("\n");
}

/** Undefined where it works, else why not. */
function problem(): string | undefined {
  if (!existsSync(program)) return `${program} is not there`;
  const run = spawnSync(program, ["-p", "(version 1)\n(allow default)", "/usr/bin/true"], { timeout: 10_000 });
  return run.status === 0 ? undefined : "sandbox-exec does not work here";
}

export function seatbelt(world: World): Sandbox | { detail: string } {
  const why = problem();
  if (why !== undefined) return { detail: why };
  return {
    name: "seatbelt",
    experimental: true,
    detail: `${program}: files and network; processes are followed by their group only`,
    wrap(argv, spec) {
      return {
        argv: [program, "-p", seatbeltProfile(spec, world), ...(spec.variables ? withVariables(argv, 3) : argv)],
        inherit: spec.variables ? [{ text: variablesText(spec.variables) }] : [],
        contained: false,
        cleanup: () => undefined,
      };
    },
  };
}
