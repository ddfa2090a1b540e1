// What the gate asked about as reading outside of the roots, and was allowed: shown to that command, and to no other.
import path from "node:path";
import { namesIn } from "../../io/layers/look.ts";
import { coveredIn, isPlain } from "../../io/sandbox/looked-through.ts";
import type { Assessment } from "../../protocol/effect.ts";
import { globSource } from "../command-line/context/glob.ts";
import { classifyPath, within } from "../command-line/context/sensitive.ts";
import type { Facts } from "../contract/ports.ts";

export interface ApprovedReads {
  shown: string[];
  /** Secrets and fettle's own in it, sockets, and what lies too deep to be looked through. */
  covered: string[];
}

const mostMatches = 200;
/** Names there lead each process elsewhere, or talk to somebody. */
const never = /^\/(?:proc|sys|dev|run|var\/run)(?:\/|$)|^\/$/;

export function approvedReads({ effects, reasons }: Assessment, facts: Facts): ApprovedReads {
  const asked = new Set(reasons.flatMap(({ code, part }) => (code === "path.outside" ? [part] : [])));
  const roots = [facts.workspace, facts.temporary];
  const guarded = (file: string): boolean => {
    const kind = classifyPath(file, facts);
    return kind !== "ordinary" && kind !== "run-later";
  };
  const shown = effects
    .filter(({ kind, part }) => kind === "read" && asked.has(part))
    .flatMap(({ target }) => matching(target))
    .filter((file) => !roots.some((root) => within(file, root)) && !never.test(file))
    .filter((file) => isPlain(file) && !guarded(file) && facts.path(file).real === file);
  const each = [...new Set(shown)];
  return { shown: each, covered: each.flatMap((file) => coveredIn(file, { guarded, roots })) };
}

/** A pattern in the last part is looked up now, and is nothing more than a name otherwise. */
function matching(target: string): string[] {
  const pattern = path.basename(target);
  if (!/[*?[]/.test(pattern)) return [target];
  const source = globSource(pattern);
  if (source === undefined) return [];
  const fits = new RegExp(`^${source}$`);
  const folder = path.dirname(target);
  const names = namesIn(folder).filter((name) => fits.test(name) && (pattern.startsWith(".") || !name.startsWith(".")));
  return names.slice(0, mostMatches).map((name) => path.join(folder, name));
}
