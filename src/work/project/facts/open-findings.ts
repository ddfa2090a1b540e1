// Findings of reviews that nobody has mended: what stands in the way of a phase although its plans are done.
import type { OpenItem } from "../../../protocol/project.ts";
import { type Finding, readFindings, reviewedAt, severities, writtenAt } from "../formats/findings-document.ts";
import { splitPhase } from "../formats/phase-number.ts";
import type { ReadSettings } from "./settings.ts";

/** Whether an open threat stops a phase. One that nobody gave a severity counts as high. */
export function stops(severity: Finding["severity"], settings: ReadSettings): boolean {
  const least = settings["workflow.security_block_on"];
  if (least === "none") return false;
  const from = severities.indexOf(severities.find((each) => each === least) ?? "high");
  return severities.indexOf(severity === "" ? "high" : severity) >= from;
}

/** Critical findings of code reviews, and open threats that stop; without those that a later document calls fixed. */
export function openFindingsIn(texts: ReadonlyMap<string, string>, settings: ReadSettings): OpenItem[] {
  const found: OpenItem[] = [];
  for (const [path, text] of texts) {
    const [, folder = "", kind] = /^phases\/([^/]+)\/(?:[^/-]*-)?(REVIEW|SECURITY)\.md$/.exec(path) ?? [];
    const phase = splitPhase(folder)?.number;
    if (phase === undefined) continue;
    const fixed = fixedIn(text, texts.get(path.replace(/\.md$/, "-FIX.md")));
    for (const { title, state, severity, doubt } of readFindings(text)) {
      // What is said of a place that is not there is nobody's work.
      const critical = kind === "REVIEW" && state === "critical" && doubt === undefined;
      const open = critical || (kind === "SECURITY" && state === "open" && stops(severity, settings));
      if (!open || fixed.has(title)) continue;
      const what = kind === "REVIEW" ? "finding" : "threat";
      found.push({ phase, path: `.planning/${path}`, state: what, text: title });
    }
  }
  return found;
}

/** Titles; none where the review is newer than what was mended. */
function fixedIn(review: string, mended: string | undefined): Set<string> {
  if (mended === undefined) return new Set();
  if (writtenAt(mended) < reviewedAt(review)) return new Set();
  return new Set(readFindings(mended).flatMap(({ title, state }) => (state === "fixed" ? [title] : [])));
}
