// What a sandboxed process sees: the machine read-only, the roots writable, secrets and host sockets not at all.
import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { pathFolders, toolchainParts, type Variables } from "../toolchains.ts";
import { asRoot, below, hiddenFolders, real, rootsSecrets } from "./hidden.ts";
import { repositories } from "./repositories.ts";
import type { SandboxSpec } from "./spec.ts";

export interface World {
  home: string;
  env: Variables;
  /** An empty file that covers masked files. */
  empty: string;
}

type Kind = "hide" | "writable" | "readable" | "mask";
interface Mount {
  path: string;
  kind: Kind;
  /** What is seen there, when not the place itself. */
  source?: string;
}
const order: readonly Kind[] = ["hide", "writable", "readable", "mask"];

const depth = (file: string): number => file.split("/").filter(Boolean).length;

/** Covered when the home folder itself is the workspace. */
export const homeSecrets = (
  ".ssh .gnupg .aws .azure .kube .docker .netrc .pgpass .git-credentials .npmrc .pypirc .config/gh .config/gcloud " +
  ".config/fettle .config/hub .config/op .local/share/keyrings .local/state/fettle .password-store .cargo/credentials " +
  ".cargo/credentials.toml .m2/settings.xml .gem/credentials .mozilla .config/google-chrome .config/chromium"
).split(" ");

const toolchainCache = new Map<string, string[]>();
function toolchains(world: World): string[] {
  const key = `${world.home}\0${world.env["PATH"]}`;
  let known = toolchainCache.get(key);
  if (!known) toolchainCache.set(key, (known = toolchainParts(world.home, world.env)));
  return known;
}

/** What another person's toolchain keeps in PATH needs the rest of that home, which is hidden, and is not theirs to show. */
const foreignToolchain = /^\/(root|home\/[^/]+)\/\./;

function readable(spec: SandboxSpec, world: World, hidden: readonly string[]): string[] {
  const lost = (file: string) => hidden.some((folder) => below(folder, file));
  const programs = pathFolders(world.env).filter(
    (folder) => lost(folder) && !below(world.home, folder) && !foreignToolchain.test(folder),
  );
  const resolver = spec.network ? real("/etc/resolv.conf") : undefined;
  const shown = [...programs.filter((folder) => existsSync(folder)), ...toolchains(world)];
  return resolver && lost(resolver) ? [...shown, resolver] : shown;
}

/** Git folders: covered read-only, or opened where a judged git command needs them. */
function gitMounts(spec: SandboxSpec): Mount[] {
  return repositories(spec.workspace).flatMap(({ entry, folders }): Mount[] => {
    const outside = folders.filter((folder) => !below(entry, folder));
    if (spec.gitWritable) return outside.map((folder) => ({ path: folder, kind: "writable" }));
    const own = lstatSync(entry).isSymbolicLink() ? [] : [entry];
    return [...own, ...outside].map((folder) => ({ path: folder, kind: "readable" }));
  });
}

function covers(spec: SandboxSpec, world: World): string[] {
  const own = spec.own.filter((folder) => real(folder) !== spec.workspace);
  const homes = [spec.workspace, ...(spec.readable ?? [])];
  const secrets = homes.some((folder) => below(folder, world.home))
    ? homeSecrets.map((name) => path.join(world.home, name))
    : [];
  return [...new Set([...own, ...spec.masked, ...secrets, ...rootsSecrets()].flatMap((file) => real(file) ?? []))];
}

function plan(spec: SandboxSpec, world: World): Mount[] {
  const hidden = hiddenFolders(world.home);
  const list: Mount[] = hidden.map((folder) => ({ path: folder, kind: "hide" }));
  const add = (kind: Kind, files: readonly string[]) => list.push(...files.map((file) => ({ path: file, kind })));
  const roots = (folders: readonly string[]) => folders.flatMap((folder) => real(folder) ?? []);
  add("readable", readable(spec, world, hidden));
  add(spec.readOnly ? "readable" : "writable", roots([spec.workspace]));
  add("writable", roots(spec.writable));
  add("readable", roots(spec.readable ?? []));
  for (const { from, to } of spec.lent ?? []) {
    const source = real(from);
    if (source && existsSync(to)) list.push({ path: to, kind: "readable", source });
  }
  if (!spec.readOnly) list.push(...gitMounts(spec));
  // Git reads its settings there: a program beside it must not choose what git runs while the repository can be written.
  const settings = spec.writable.flatMap((folder) =>
    [".gitconfig", ".gitattributes"].map((name) => path.join(folder, name)),
  );
  if (spec.gitWritable)
    add(
      "readable",
      settings.filter((file) => existsSync(file)),
    );
  add(
    "readable",
    [path.join(spec.workspace, ".fettle")].filter((folder) => existsSync(folder)),
  );
  const visible = list.filter(({ kind }) => kind !== "hide");
  const shown = (file: string) =>
    !hidden.some((folder) => below(folder, file)) ||
    visible.some((mount) => below(mount.path, file) || below(file, mount.path));
  add("mask", covers(spec, world).filter(shown));
  return list;
}

/** Arguments for bubblewrap. Deeper mounts come later, so they lie on top of what contains them. */
export function mountArguments(spec: SandboxSpec, world: World): string[] {
  const seen = new Set<string>();
  const mounts = plan(spec, world)
    .sort((a, b) => depth(a.path) - depth(b.path) || order.indexOf(a.kind) - order.indexOf(b.kind))
    .filter(({ path: place, kind }) => !seen.has(`${kind} ${place}`) && seen.add(`${kind} ${place}`));
  const early: string[] = [];
  const late: string[] = [];
  for (const { path: place, kind, source = place } of mounts) {
    if (place === "/") continue;
    if (kind === "hide") early.push("--perms", "0755", "--size", temporaryBytes, "--tmpfs", place);
    else if (kind === "writable") early.push("--bind", place, place);
    else if (kind === "readable") early.push("--ro-bind", source, place);
    else if (lstatSync(place).isDirectory()) {
      early.push("--size", "4096", "--perms", "0555", "--tmpfs", place);
      late.push("--remount-ro", place);
    } else early.push("--ro-bind", world.empty, place);
  }
  const whole = spec.workspace === "/" && !spec.readOnly ? "--bind" : "--ro-bind";
  // The home folder may lie below another hidden one and is empty then, but there.
  const home = real(world.home);
  if (home && spec.workspace !== "/") late.push("--dir", home);
  return [whole, "/", "/", "--proc", "/proc", ...kernelSettings(), "--dev", "/dev", ...early, ...late];
}

/**
 * Root without any capability still owns the kernel's settings below /proc, and bubblewrap 0.8 leaves them writable for
 * it. One read-only mount covers all of them, and costs a seventh of covering each.
 */
const kernelSettings = (): string[] => (asRoot() ? ["--remount-ro", "/proc"] : []);

/** What a command may fill outside its roots; it is memory and gone afterwards. */
const temporaryBytes = String(1024 * 1024 * 1024);
