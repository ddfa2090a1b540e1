// Which of the places that git ignores were written to since a moment: a comparison of checkpoints does not see them.
import path from "node:path";
import { IgnoreRules } from "../files/ignored.ts";
import { namesIn, statsAt } from "../layers/look.ts";

/** Clocks of file systems are behind. */
const tolerance = 20;
const mostLooked = 5_000;

/** Relative, topmost first; looked at are the places themselves and what lies directly in them. */
export function ignoredSince(workspace: string, since: number): string[] {
  const rules = new IgnoreRules(workspace, "");
  const found: string[] = [];
  const folders = [""];
  let looked = 0;
  for (let next = folders.shift(); next !== undefined && looked < mostLooked; next = folders.shift()) {
    for (const name of namesIn(path.join(workspace, next))) {
      looked += 1;
      const at = path.posix.join(next, name);
      const isFolder = statsAt(path.join(workspace, at))?.isDirectory() === true;
      if (name === ".git") continue;
      if (rules.covered(at, isFolder)) {
        if (changedSince(path.join(workspace, at), since)) found.push(at);
      } else if (isFolder) folders.push(at);
    }
  }
  return found;
}

function changedSince(place: string, since: number): boolean {
  const changed = (file: string) => (statsAt(file)?.ctimeMs ?? 0) >= since - tolerance;
  return changed(place) || namesIn(place).some((name) => changed(path.join(place, name)));
}
