// What a person who watches is told of files that a command wrote beside the plan.
import type { WriteReport } from "../../../io/layers/spec.ts";

const mostNamed = 5;

function named(files: readonly string[]): string {
  const rest = files.length - mostNamed;
  return files.slice(0, mostNamed).join(", ") + (rest > 0 ? ` and ${rest} more` : "");
}

/** `told` holds what was said before, and grows. */
export function writtenTexts(command: string, written: WriteReport | undefined, told: Set<string>): string[] {
  if (!written) return [];
  const fresh = (files: readonly string[]) => files.filter((file) => !told.has(file) && told.add(file));
  const made = fresh(written.generated);
  const texts =
    made.length > 0
      ? [
          `${command} made ${named(made)}, which the plan does not name: later commands of the task see it, no commit holds it`,
        ]
      : [];
  for (const [why, each] of Map.groupBy(written.dropped, (one) => one.why)) {
    const files = fresh(each.map(({ path }) => path));
    if (files.length > 0) texts.push(`${command} also wrote ${named(files)}, which was dropped: ${why}`);
  }
  return texts;
}
