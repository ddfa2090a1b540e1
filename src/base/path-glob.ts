// Globs of paths, matched in time that grows with the pattern times the path and no faster: repositories bring patterns.
// `*` and `?` stay within one folder, `**` crosses them; with a slash behind it, it is any number of folders, none too.

type Step = { kind: "folders" | "anything" | "name" | "one" } | { kind: "text"; text: string };

/** Two states each: before the step, and within the folders that it has begun to cross. */
const before = (at: number): number => at * 2;
const inside = (at: number): number => at * 2 + 1;

const kinds: Readonly<Record<string, Step>> = {
  "**/": { kind: "folders" },
  "**": { kind: "anything" },
  "*": { kind: "name" },
  "?": { kind: "one" },
};

/** The whole path counts. */
export function pathGlobMatches(glob: string, path: string): boolean {
  const steps = glob
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .flatMap((piece): Step[] =>
      kinds[piece] ? [kinds[piece]] : Array.from(piece, (text) => ({ kind: "text", text })),
    );
  let states = reached(new Set([before(0)]), steps);
  for (const character of path) {
    states = reached(after(states, steps, character), steps);
    if (states.size === 0) return false;
  }
  return states.has(before(steps.length));
}

function after(states: ReadonlySet<number>, steps: readonly Step[], character: string): Set<number> {
  const next = new Set<number>();
  for (const state of states) {
    const at = Math.floor(state / 2);
    const step = steps[at];
    if (step?.kind === "text" && step.text === character) next.add(before(at + 1));
    if (step?.kind === "one" && character !== "/") next.add(before(at + 1));
    if (step?.kind === "anything" || (step?.kind === "name" && character !== "/")) next.add(before(at));
    if (step?.kind === "folders") {
      next.add(inside(at));
      if (character === "/") next.add(before(at + 1));
    }
  }
  return next;
}

/** With what follows from each state without a character. */
function reached(states: Set<number>, steps: readonly Step[]): Set<number> {
  // A set that grows while it is walked gives the new ones too.
  for (const state of states) {
    const step = state % 2 === 0 ? steps[state / 2] : undefined;
    if (step && step.kind !== "text" && step.kind !== "one") states.add(state + 2);
  }
  return states;
}
