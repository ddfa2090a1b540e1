// What of the machine a sandbox shows: the system that programs are made of, and nothing that is anybody's.
import { lstatSync, readlinkSync } from "node:fs";
import { below } from "./hidden.ts";

/** Programs, libraries, settings, and what package managers know of them. */
const folders = (
  "/usr /etc /opt /sys /nix/store /nix/var/nix/profiles /gnu/store /snap /home/linuxbrew/.linuxbrew /var/lib/dpkg /var/lib/rpm " +
  "/var/lib/pacman /var/lib/apk /var/lib/alternatives /var/lib/gems /var/lib/ghc /var/lib/php /var/lib/texmf /var/lib/tex-common " +
  "/bin /sbin /lib /lib32 /lib64 /libx32 /etc/static /var/run"
).split(" ");

/** Whoever links to one of these names no secret: programs, and settings that everybody may read. */
const parts = /^\/(?:usr\/(?!local\/)|s?bin\/|lib\w*\/|sys\/|proc\/|dev\/|nix\/|gnu\/|snap\/|boot\/|var\/lib\/)/;
const settings = /^\/etc\//;

/** Whether commands cannot do without this file: a link in a workspace could name it to have it covered. Follows no link. */
export function belongsToSystem(file: string): boolean {
  if (parts.test(file)) return true;
  const mode = lstatSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  return (mode & 0o111) !== 0 || (settings.test(file) && (mode & 0o004) !== 0);
}

export interface System {
  /** To be seen read-only. */
  folders: string[];
  /** As on the machine: `/bin` is mostly a link. */
  links: { place: string; target: string }[];
}

let known: System | undefined;

/** Only root changes these, so they are looked at once. */
export function systemView(): System {
  if (known) return known;
  const found: System = { folders: [], links: [] };
  for (const place of folders) {
    const stats = lstatSync(place, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) found.links.push({ place, target: readlinkSync(place) });
    else if (stats?.isDirectory() && !found.folders.some((folder) => below(folder, place))) found.folders.push(place);
  }
  found.links = found.links.filter(({ place }) => !found.folders.some((folder) => below(folder, place)));
  return (known = found);
}
