// Path globs and host patterns of rules.
import { methodCovered, nameMatches, parsePattern, pathCovered, splitHost } from "../../base/host-pattern.ts";
import { pathGlobMatches } from "../../base/path-glob.ts";

/**
 * A relative glob is anchored at the workspace; without one it matches nothing, or, when `anywhere` (what forbids
 * matches rather too much), below any folder. A glob that ends in `/` means everything below.
 */
export function pathMatches(path: string, glob: string, workspace: string | undefined, anywhere: boolean): boolean {
  const wanted = (glob.endsWith("/") ? `${glob}**` : glob).replace(/^\.\//, "");
  if (wanted.startsWith("/")) return pathGlobMatches(wanted, path);
  if (workspace !== undefined && pathGlobMatches(wanted, below(path, workspace) ?? "\0")) return true;
  return anywhere && pathGlobMatches(`**/${wanted}`, path);
}

function below(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

/**
 * `host`, `*.host` or `*`, optional `:port`. Without a port a pattern means the scheme's own ones, or, when
 * `anyPort` (what forbids matches rather too much), all. A method and a path prefix count where `part` is the URL
 * that is fetched; what forbids is not narrowed by them.
 */
export function hostMatches(target: string, pattern: string, anyPort = false, part?: string): boolean {
  const there = splitHost(target);
  const wanted = parsePattern(pattern);
  if (wanted.port === undefined) {
    if (!anyPort && there.port !== undefined && there.port !== "80" && there.port !== "443") return false;
  } else if (
    wanted.port !== there.port &&
    !(there.port === undefined && (wanted.port === "443" || wanted.port === "80"))
  ) {
    return false;
  }
  if (!nameMatches(there.name, wanted.name)) return false;
  if (anyPort || (wanted.method === undefined && wanted.path === undefined)) return true;
  const url = part !== undefined && URL.canParse(part) ? new URL(part) : undefined;
  const sameHost = url !== undefined && splitHost(url.host).name === there.name;
  return sameHost && methodCovered("GET", wanted.method) && pathCovered(url.pathname, wanted.path);
}
