// One more test that the auditor may write: its place is part of the plan that was signed.
import path from "node:path";
import type { Plan } from "../../../protocol/plan.ts";

/** Beside the plan's first test and called like it; undefined where there is such a file already. */
export function moreTestPath({ test, files }: Plan, there: ReadonlySet<string>): string | undefined {
  const [first] = test?.paths ?? [];
  if (first === undefined) return undefined;
  const { dir, base } = path.posix.parse(first);
  const name = path.posix.join(dir, withMore(base));
  return there.has(name) || files.some((file) => file.path === name) ? undefined : name;
}

/** In a form that the same runner finds. */
function withMore(base: string): string {
  const suffix = /^(.+?)((?:[._-](?:test|spec|tests))?(?:\.[^.]+)?)$/i;
  if (/^\w*Tests?\.(?:java|kt|cs)$/.test(base)) return base.replace(/Tests?\./, (end) => `More${end}`);
  const [, stem = base, end = ""] = suffix.exec(base) ?? [];
  return end.startsWith(".") && /^\.(?:test|spec)/.test(end) ? `${stem}.more${end}` : `${stem}_more${end}`;
}
