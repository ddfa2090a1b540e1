// What a sandboxed process sees: the machine read-only, the roots writable, secrets and host sockets not at all.
import { existsSync, lstatSync } from "node:fs";
import path from "node:path";
import { pathFolders, toolchainParts, type Variables } from "../toolchain/toolchains.ts";
import { asRoot, below, hiddenFolders, real, rootsSecrets } from "./hidden.ts";
import type { Unlinked } from "../files/unlinked.ts";
import { mountedBelow } from "../process/mounted.ts";
import { ownFolders, repositories } from "../git/repositories.ts";
import { entriesFor, hasPrivateTmp } from "./scratch.ts";
import { type Source, sourceOf } from "./sources.ts";
import type { SandboxSpec } from "./spec.ts";
import { belongsToSystem, systemView } from "./system.ts";

export interface World {
  home: string;
  env: Variables;
  /** An empty file that covers masked files. */
  empty: string;
}

type Kind = "hide" | "writable" | "readable" | "mask" | "stand-in";
interface Mount {
  path: string;
  kind: Kind;
  /** What is seen there, when not the place itself. */
  source?: Source;
}
const order: readonly Kind[] = ["hide", "writable", "readable", "mask", "stand-in"];

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

/** Folders that programs may write, now or in another run. */
const rootsOf = (spec: SandboxSpec): string[] =>
  [spec.workspace, ...spec.writable].flatMap((folder) => real(folder) ?? []);

function readable(spec: SandboxSpec, world: World, hidden: readonly string[]): string[] {
  const { folders, links } = systemView();
  const system = [...folders, ...links.map(({ place }) => place)];
  const lost = (file: string) =>
    hidden.some((folder) => below(folder, file)) || !system.some((folder) => below(folder, file));
  const programs = pathFolders(world.env).filter(
    (folder) => lost(folder) && !below(world.home, folder) && !foreignToolchain.test(folder),
  );
  const resolver = spec.network ? real("/etc/resolv.conf") : undefined;
  // What the workspace holds is seen there, but where it is the home: there they stay as they are.
  const holdsHome = rootsOf(spec).filter((root) => below(root, world.home));
  const own = (folder: string) => rootsOf(spec).some((root) => below(root, folder) && !holdsHome.includes(root));
  const shown = [...programs.filter((folder) => existsSync(folder)), ...toolchains(world)].filter((file) => !own(file));
  return resolver && lost(resolver) ? [...shown, resolver] : shown;
}

/**
 * Git folders: covered read-only, or opened where a judged git command needs them: the workspace's own, and that of a
 * repository below where the command works.
 */
function gitMounts(spec: SandboxSpec): Mount[] {
  const outer = ownFolders(spec.workspace);
  const outside = outer.map((folder): Mount => ({ path: folder, kind: spec.gitWritable ? "writable" : "readable" }));
  // What lies inside is read-only there with all the rest.
  if (spec.readOnly) return outside;
  const top = path.join(spec.workspace, ".git");
  const opened = spec.gitWritable ? [top, ...(spec.gitIn ?? []).map((folder) => path.join(folder, ".git"))] : [];
  const inside = repositories(spec.workspace).flatMap(({ entry, folders }): Mount[] => {
    if (opened.includes(entry)) return [];
    const own = lstatSync(entry, { throwIfNoEntry: false })?.isSymbolicLink() === false ? [entry] : [];
    const led = folders.filter((folder) => !below(entry, folder) && below(spec.workspace, folder));
    // A submodule's folder lies in that of the repository at the top.
    const free = led.filter((folder) => !opened.some((git) => below(git, folder)));
    return [...own, ...free].map((file) => ({ path: file, kind: "readable", source: { file, held: true } }));
  });
  return [...outside, ...inside];
}

/** Masks of files inside are a layer of their own, which goes along when a folder is renamed. */
const masksOf = ({ masked, layered, workspace }: SandboxSpec): readonly string[] =>
  layered === undefined
    ? masked
    : masked.filter((file) => !below(workspace, file) || lstatSync(file, { throwIfNoEntry: false })?.isDirectory());

function covers(spec: SandboxSpec, world: World): string[] {
  const own = spec.own.filter((folder) => real(folder) !== spec.workspace);
  const approved = spec.shown ?? [];
  const homes = [spec.workspace, ...(spec.readable ?? []), ...approved];
  const inHome = approved.some((folder) => below(world.home, folder));
  const secrets =
    inHome || homes.some((folder) => below(folder, world.home))
      ? homeSecrets.map((name) => path.join(world.home, name))
      : [];
  // A link in a workspace could name any file of the system to be covered.
  const roots = [...rootsOf(spec), ...homes, world.home];
  const masked = masksOf(spec)
    .flatMap((file) => real(file) ?? [])
    .filter((file) => roots.some((root) => below(root, file)) || !belongsToSystem(file));
  return [...new Set([...masked, ...[...own, ...secrets, ...rootsSecrets()].flatMap((file) => real(file) ?? [])])];
}

/** Folders and files that are seen from elsewhere or stay as they are, each where it really lies. */
function shownMounts(spec: SandboxSpec, world: World, hidden: readonly string[]): Mount[] {
  const roots = rootsOf(spec);
  const from = (file: string, place = file): Mount[] => {
    const source = sourceOf(file, roots);
    return source ? [{ path: place, kind: "readable", source }] : [];
  };
  const own = path.join(spec.workspace, ".fettle");
  // With layers they are mounted there already, with a layer of their own.
  // Another workspace's: its programs write there, too.
  const lent = (spec.layered === undefined ? (spec.lent ?? []) : []).filter(
    ({ from: there, to }) => real(to) === to && real(there) === there,
  );
  return [
    ...readable(spec, world, hidden).flatMap((file) => from(file)),
    ...(spec.readable ?? []).flatMap((folder) => from(folder, real(folder))),
    ...lent.map((each): Mount => ({ path: each.to, kind: "readable", source: { file: each.from, held: true } })),
    ...(spec.shown ?? []).map((file): Mount => ({ path: file, kind: "readable", source: { file, held: true } })),
    ...from(own),
  ];
}

/** Only where a file lies, and no link: bubblewrap would follow it. */
const standIns = ({ standIns: given = [], layered, workspace }: SandboxSpec): Mount[] =>
  given
    .filter(({ path: place }) => real(place) === place)
    // Masks of files inside are a layer of their own.
    .filter(({ path: place }) => layered === undefined || !below(workspace, place) || isGit(workspace, place))
    .map(({ path: place, source }) => ({ path: place, kind: "stand-in", source: { file: source } }));

const isGit = (workspace: string, place: string): boolean =>
  path.relative(workspace, place).split("/").includes(".git");

function plan(spec: SandboxSpec, world: World): Mount[] {
  const roots = rootsOf(spec);
  // A whole machine as the workspace is seen but for what is hidden; else there is only what is shown.
  const system = spec.workspace === "/" ? ["/"] : systemView().folders;
  const hidden = hiddenFolders(world.home).filter(
    (folder) =>
      temporary.includes(folder) ||
      folder === real(world.home) ||
      [...system, ...(spec.shown ?? [])].some((each) => below(each, folder) && each !== folder),
  );
  const { scratch } = spec;
  const list: Mount[] = hidden
    .filter((folder) => folder !== "/tmp" || scratch === undefined)
    .map((folder) => ({ path: folder, kind: "hide" }));
  for (const folder of system) {
    if (folder !== "/" && !roots.some((root) => below(root, folder))) list.push({ path: folder, kind: "readable" });
  }
  for (const root of roots) {
    const within = roots.some((other) => other !== root && below(other, root));
    const kind = spec.readOnly && root === spec.workspace ? "readable" : "writable";
    const layered = root === spec.workspace ? spec.layered : undefined;
    const source: Source | undefined = layered === undefined ? undefined : { file: layered };
    const held: Source | undefined = within ? { file: root, held: true } : undefined;
    const shownThere = source ?? held;
    list.push({ path: root, kind, ...(shownThere && { source: shownThere }) });
  }
  // Layers over the workspace do not reach what somebody has mounted in it.
  const mounted = spec.layered === undefined ? [] : mountedBelow(spec.workspace);
  list.push(...mounted.map((file): Mount => ({ path: file, kind: "readable" })));
  list.push(
    ...(spec.overlaid ?? []).map(({ from, to }): Mount => ({ path: to, kind: "writable", source: { file: from } })),
  );
  const opened = spec.openedFiles ?? [];
  list.push(...opened.map((file): Mount => ({ path: file, kind: "writable", source: { file, held: true } })));
  list.push(...shownMounts(spec, world, hidden));
  list.push(...gitMounts(spec));
  list.push(...standIns(spec));
  const visible = list.filter(({ kind }) => kind !== "hide");
  const shown = (file: string) =>
    (spec.workspace === "/" && !hidden.some((folder) => below(folder, file))) ||
    visible.some((mount) => below(mount.path, file) || below(file, mount.path));
  list.push(
    ...covers(spec, world)
      .filter(shown)
      .map((file): Mount => ({ path: file, kind: "mask" })),
  );
  return scratch === undefined ? list : [...list, ...scratchMounts(scratch, list, world)];
}

/** What is shown deeper in /tmp stands on an empty folder, whose name programs cannot give to anything else. */
function scratchMounts(scratch: string, list: readonly Mount[], { home }: World): Mount[] {
  const entries = entriesFor(scratch, [...list.map((mount) => mount.path), real(home) ?? home]);
  const bare = entries.filter((entry) => !list.some((mount) => mount.path === entry));
  return [
    { path: "/tmp", kind: "writable", source: { file: scratch } },
    ...bare.map((entry): Mount => ({ path: entry, kind: "hide" })),
  ];
}

export interface Mounts {
  words: string[];
  /** What they name by descriptor, in their order. */
  held: Unlinked[];
}

/**
 * Arguments for bubblewrap; the descriptors that they name begin with `first`. Deeper mounts come later, so they lie on
 * top of what contains them.
 */
export function mountArguments(spec: SandboxSpec, world: World, first: number): Mounts {
  const seen = new Set<string>();
  const private_ = spec.scratch !== undefined && hasPrivateTmp({ workspace: spec.workspace, home: world.home });
  const { scratch: _scratch, ...without } = spec;
  const mounts = plan(private_ ? spec : without, world)
    .sort((a, b) => depth(a.path) - depth(b.path) || order.indexOf(a.kind) - order.indexOf(b.kind))
    .filter(({ path: place, kind }) => !seen.has(`${kind} ${place}`) && seen.add(`${kind} ${place}`));
  const early: string[] = [];
  const late: string[] = [];
  const held: Unlinked[] = [];
  for (const { path: place, kind, source = { file: place } } of mounts) {
    if (place === "/") continue;
    if (kind === "hide") early.push("--perms", "0755", "--size", temporaryBytes, "--tmpfs", place);
    else if (kind !== "mask") {
      const bind = kind === "writable" ? "--bind" : "--ro-bind";
      if (!source.held) early.push(bind, source.file, place);
      else early.push(`${bind}-fd`, String(first + held.push({ unlinked: source.file }) - 1), place);
    } else if (lstatSync(place).isDirectory()) {
      early.push("--size", "4096", "--perms", "0555", "--tmpfs", place);
      late.push("--remount-ro", place);
    } else early.push("--ro-bind", world.empty, place);
  }
  // The home folder may lie below another hidden one and is empty then, but there.
  const home = real(world.home);
  if (home && spec.workspace !== "/") late.push("--dir", home);
  const inner = ["--proc", "/proc", ...kernelSettings(), "--dev", "/dev", ...early, ...late];
  if (spec.workspace === "/") return { words: [spec.readOnly ? "--ro-bind" : "--bind", "/", "/", ...inner], held };
  const links = systemView().links.flatMap(({ place, target }) => ["--symlink", target, place]);
  return { words: [...links, ...inner, "--remount-ro", "/"], held };
}

/** May be filled, and are empty. */
const temporary = ["/tmp", "/var/tmp", "/run"];

/**
 * Root without any capability still owns the kernel's settings below /proc, and bubblewrap 0.8 leaves them writable for
 * it. One read-only mount covers all of them, and costs a seventh of covering each.
 */
const kernelSettings = (): string[] => (asRoot() ? ["--remount-ro", "/proc"] : []);

/** What a command may fill outside its roots; it is memory and gone afterwards. */
const temporaryBytes = String(1024 * 1024 * 1024);
