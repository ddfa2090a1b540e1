// What a sandbox that was made a while ago has really mounted, as the kernel tells. A mount goes with the place that it
// lies on: to where that is renamed, or away with it. A place that was renamed there and back shows it nowhere else.
import { readFileSync, realpathSync } from "node:fs";
import { anyError, withFallback } from "../../base/fallback.ts";
import type { ProcessSpec } from "./spec.ts";

interface Mount {
  device: string;
  /** What of the file system is seen there. */
  root: string;
  point: string;
  readOnly: boolean;
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 8)));

/** In the order in which they were made. */
const parsed = (list: string): Mount[] =>
  list.split("\n").flatMap((line) => {
    const [, , device, root, point, options] = line.split(" ");
    if (!device || !root || !point || !options) return [];
    return [{ device, root: unescaped(root), point: unescaped(point), readOnly: options.split(",").includes("ro") }];
  });

/** The machine's mounts as this process sees them; empty where they cannot be told. */
export const mountList = (): string => withFallback("", anyError, () => readFileSync("/proc/self/mountinfo", "utf8"));

/** Places below `folder` at which something else is mounted: layers over the folder do not reach them. */
export function mountedBelow(folder: string): string[] {
  const points = parsed(mountList()).map(({ point }) => point);
  return [...new Set(points.filter((point) => point.startsWith(`${folder}/`)))];
}

/** Of the first process inside: bubblewrap itself stays outside. */
function mountsInside(pid: number): Mount[] {
  try {
    const inner = Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1"), 10);
    return inner > 0 ? parsed(readFileSync(`/proc/${inner}/mountinfo`, "utf8")) : [];
  } catch {
    // It has ended, or the system does not tell: then nothing is known to be there.
    return [];
  }
}

/** How a mount of this place shows in a list. */
function shown(place: string, all: readonly Mount[]): Pick<Mount, "device" | "root"> | undefined {
  let under: Mount | undefined;
  for (const mount of all) {
    const holds = mount.point === "/" || place === mount.point || place.startsWith(`${mount.point}/`);
    if (holds && mount.point.length >= (under?.point.length ?? 0)) under = mount;
  }
  if (!under) return undefined;
  const { device, root, point } = under;
  const rest = point === "/" ? place : place.slice(point.length);
  return { device, root: root === "/" ? rest || "/" : root + (rest === "/" ? "" : rest) };
}

const realOptional = (file: string): string => withFallback(file, anyError, () => realpathSync.native(file));

type Fits = (mount: Mount) => boolean;

/** What has to be on top at each place. */
export type WantedMounts = ReadonlyMap<string, Fits>;

/**
 * Of what these words for bubblewrap mount, on a machine with these mounts (`mountList`). `inherit`: what stands behind
 * the descriptors that they name, from 3. `layered`: where layers are mounted inside only, a file system that nobody
 * else on the machine has.
 */
export function wantedMounts(
  words: readonly string[],
  machine: string,
  { inherit = [], layered }: { inherit?: ProcessSpec["inherit"]; layered?: string | undefined } = {},
): WantedMounts {
  const outside = parsed(machine);
  const devices = new Set(outside.map(({ device }) => device));
  const own: Fits = ({ device, root }) => root === "/" && !devices.has(device);
  const places = new Map<string, Fits>();
  for (const [index, word] of words.entries()) {
    const [first = "", second = ""] = words.slice(index + 1, index + 3);
    if (word === "--tmpfs" || word === "--proc" || word === "--dev") places.set(first, own);
    const [bind, readOnly, held] = /^--(ro-)?bind(-fd)?$/.exec(word) ?? [];
    if (bind === undefined) continue;
    if (first === layered && !held) {
      places.set(second, (mount) => own(mount) && (mount.readOnly || !readOnly));
      continue;
    }
    const behind = held ? inherit[Number(first) - 3] : first;
    const source = typeof behind === "object" && "unlinked" in behind ? behind.unlinked : String(behind ?? "");
    places.set(second, (mount) => {
      const same = (source: string) => {
        const at = shown(source, outside);
        return at?.device === mount.device && at.root === mount.root;
      };
      return (mount.readOnly || !readOnly) && (same(source) || (!held && same(realOptional(source))));
    });
  }
  return places;
}

/** Whether all of it lies where it should in the sandbox that process `pid` has made. */
export function hasMounts(pid: number, wanted: WantedMounts): boolean {
  const top = new Map(mountsInside(pid).map((mount) => [mount.point, mount]));
  return wanted.entries().every(([place, fits]) => {
    const mount = top.get(place);
    return mount !== undefined && fits(mount);
  });
}
