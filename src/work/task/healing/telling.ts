// What of a long output is shown to whoever mends: its head, its tail, and before them the lines that say what failed.
import { withoutJunit } from "../../../base/report-wrapper.ts";

const failed =
  /^\s*not ok\b|^\s*(?:✖|✗|×|●)|^E {2,}|\bAssertionError\b|\bERR_ASSERTION\b|\bassert(?:ion)?\b.*\bfail|^\s*--- FAIL\b|^(?:FAIL|FAILED|ERROR)\b|\bpanicked at\b|^\s*error(?:\[\w+\])?:|\berror TS\d+|\bexpect(?:ed)?\(/i;
const wrong = /\b\w*(?:Error|Exception)\b|\berror\b|\bexpected\b|\bactual\b|\bTraceback\b|\bfailed\b/i;
const good = /^\s*(?:ok \d|✓|✔|PASS\b|\.+$)/;

const longestLine = 400;
const headLines = 6;
const tailLines = 14;

const shortened = (line: string): string => (line.length <= longestLine ? line : `${line.slice(0, longestLine)}…`);

/** At most about `most` characters; what is left out is counted where it stood. */
export function telling(output: string, most = 4000): string {
  const lines = withoutJunit(output).trimEnd().split(/\r?\n/).map(shortened);
  const kept = new Set<number>();
  let room = most;
  const keep = (from: number, to: number) => {
    for (let at = Math.max(0, from); at < Math.min(lines.length, to); at += 1) {
      const cost = (lines[at]?.length ?? 0) + 1;
      if (kept.has(at)) continue;
      if (cost > room) return;
      kept.add(at);
      room -= cost;
    }
  };
  if (lines.reduce((sum, { length }) => sum + length + 1, 0) <= most) return lines.join("\n");
  const says = (pattern: RegExp) => [...lines.keys()].filter((at) => isBad(lines[at] ?? "", pattern));
  const [first] = says(failed);
  if (first !== undefined) keep(first - 2, first + 16);
  const ending = lines.length - tailLines;
  for (let at = lines.length - 1; at >= ending; at -= 1) keep(at, at + 1);
  keep(0, headLines);
  for (const at of [...says(failed), ...says(wrong)]) keep(at - 1, at + 8);
  return written(lines, kept);
}

const isBad = (line: string, pattern: RegExp): boolean => !good.test(line) && pattern.test(line);

function written(lines: readonly string[], kept: ReadonlySet<number>): string {
  const shown: string[] = [];
  let left = 0;
  for (const [at, line] of lines.entries()) {
    if (!kept.has(at)) {
      left += 1;
      continue;
    }
    if (left > 0) shown.push(`[${left} lines left out]`);
    left = 0;
    shown.push(line);
  }
  return [...shown, ...(left > 0 ? [`[${left} lines left out]`] : [])].join("\n");
}
