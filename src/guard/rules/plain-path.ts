// One spelling for the names that file systems take for the same.

/** Characters that HFS+ and APFS leave out when they compare names, and others that no screen shows. */
const ignored =
  /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8]|\udb40[\udc00-\udfff]/g;

/**
 * A path in lower case, without what some file system passes over: dots and spaces at the end of a name, the name of a
 * stream (`x::$DATA`), invisible characters, wide and composed letters.
 */
export function plainPath(path: string): string {
  if (/^[\w/.-]*$/.test(path) && !/\.(?=\/|$)/.test(path)) return path.toLowerCase();
  return path
    .normalize("NFKC")
    .replace(ignored, "")
    .toLowerCase()
    .split("/")
    .map((part) => (/^\.{1,2}$/.test(part) ? part : part.replace(/:.*$/s, "").replace(/[. ]+$/, "")) || part)
    .join("/");
}

/** Whether a name is `.git` to some file system: by its letters, or by the short name that Windows gives it. */
export const namesGit = (part: string): boolean => /^(?:\.git|git~\d+|gi[0-9a-f]{4}~\d+)$/.test(plainPath(part));
