// Paths as git names them: relative to the workspace, any bytes. Inside this folder they are latin1 strings, one
// character per byte; outside they are read as UTF-8.

export type RawPath = string;

export const shown = (raw: RawPath): string => Buffer.from(raw, "latin1").toString("utf8");
export const rawBytes = (raw: RawPath): Buffer => Buffer.from(raw, "latin1");

/** The paths of a list that git ended with NUL each. */
export const listed = (out: Buffer): RawPath[] =>
  out
    .toString("latin1")
    .split("\0")
    .filter((each) => each !== "");

/** A part of the path is git's or fettle's own. */
export const isControl = (raw: RawPath): boolean => /(?:^|\/)\.(?:git|fettle)(?:\/|$)/i.test(raw);

/** Whether `raw` is one of `roots` or lies below one (with or without a final slash). */
export function isBelow(raw: RawPath, roots: ReadonlySet<RawPath>): boolean {
  if (roots.has(raw)) return true;
  for (let at = raw.indexOf("/"); at >= 0; at = raw.indexOf("/", at + 1)) {
    if (roots.has(raw.slice(0, at)) || roots.has(raw.slice(0, at + 1))) return true;
  }
  return false;
}
