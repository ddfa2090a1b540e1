// Path globs and host patterns of rules.

const compiled = new Map<string, RegExp>();

/** `*` and `?` stay within one folder, `**` crosses them. */
function globPattern(glob: string): RegExp {
  const known = compiled.get(glob);
  if (known) return known;
  const source = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .map((piece) => {
      if (piece === "**/") return "(?:.*/)?";
      if (piece === "**") return ".*";
      if (piece === "*") return "[^/]*";
      if (piece === "?") return "[^/]";
      return piece.replace(/[.+^${}()|[\]\\]/g, "\\$&");
    })
    .join("");
  const made = new RegExp(`^${source}$`, "s");
  compiled.set(glob, made);
  return made;
}

/**
 * A relative glob is anchored at the workspace; without one it matches nothing, or, when `anywhere` (what forbids
 * matches rather too much), below any folder. A glob that ends in `/` means everything below.
 */
export function pathMatches(path: string, glob: string, workspace: string | undefined, anywhere: boolean): boolean {
  const wanted = (glob.endsWith("/") ? `${glob}**` : glob).replace(/^\.\//, "");
  if (wanted.startsWith("/")) return globPattern(wanted).test(path);
  if (workspace !== undefined && globPattern(wanted).test(below(path, workspace) ?? "\0")) return true;
  return anywhere && globPattern(`**/${wanted}`).test(path);
}

function below(path: string, folder: string): string | undefined {
  if (path === folder) return "";
  const prefix = folder.endsWith("/") ? folder : `${folder}/`;
  return path.startsWith(prefix) ? path.slice(prefix.length) : undefined;
}

function split(host: string): { name: string; port: string | undefined } {
  const found = /^(\[[^\]]+\]|[^:]*|.*?)(?::(\d+))?$/.exec(host.trim().toLowerCase());
  return { name: (found?.[1] ?? host).replace(/\.$/, ""), port: found?.[2] };
}

/**
 * `host`, `*.host` or `*`, optional `:port`. Without a port a pattern means the scheme's own ones, or, when
 * `anyPort` (what forbids matches rather too much), all.
 */
export function hostMatches(target: string, pattern: string, anyPort = false): boolean {
  const there = split(target);
  const wanted = split(pattern);
  if (wanted.port === undefined) {
    if (!anyPort && there.port !== undefined && there.port !== "80" && there.port !== "443") return false;
  } else if (
    wanted.port !== there.port &&
    !(there.port === undefined && (wanted.port === "443" || wanted.port === "80"))
  ) {
    return false;
  }
  if (wanted.name === "*" || wanted.name === there.name) return true;
  return wanted.name.startsWith("*.") && there.name.endsWith(wanted.name.slice(1));
}
