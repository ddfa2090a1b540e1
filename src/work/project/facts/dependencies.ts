// Edges between phases that the roadmap does not have, and what speaks for each: common files, or words about what another makes.
import type { PhaseEdge, ProjectPhase, ProjectView } from "../../../protocol/project.ts";
import { comparePhases, isBacklog } from "../formats/phase-number.ts";

const common = new Set(
  "about after also and before from have into is it its nothing of on or that the their then this to when which with work works phase phases person people user users all each every can".split(
    " ",
  ),
);

/** Names of a phase and its goal, as whoever reads them would tell them apart. */
const wordsOf = ({ name, goal = "" }: ProjectPhase): Set<string> =>
  new Set((`${name} ${goal}`.toLowerCase().match(/\p{L}{4,}/gu) ?? []).filter((word) => !common.has(word)));

const filesOf = ({ plans }: ProjectPhase): Set<string> =>
  new Set(plans.flatMap(({ files }) => files.map((file) => file.replace(/^\.\//, ""))));

const namedIn = ({ dependsOn = "" }: ProjectPhase): Set<string> =>
  new Set((dependsOn.match(/\d[\w]*(?:\.\d+)*/g) ?? []).map((each) => each.replace(/^0+(?=\d)/, "").toUpperCase()));

const leastWords = 2;

/** The later phase depends on the earlier one; what is declared, also over another phase, is not suggested. */
export function suggestedEdges({ phases }: Pick<ProjectView, "phases">): PhaseEdge[] {
  const own = phases
    .filter(({ number, shipped }) => !isBacklog(number) && !shipped)
    .toSorted((one, other) => comparePhases(one.number, other.number));
  const reached = new Map<string, Set<string>>();
  for (const phase of own) {
    const all = new Set<string>();
    for (const each of namedIn(phase)) for (const far of [each, ...(reached.get(each) ?? [])]) all.add(far);
    reached.set(phase.number, all);
  }
  return own.flatMap((phase, at) =>
    own.slice(0, at).flatMap((before): PhaseEdge[] => {
      if (reached.get(phase.number)?.has(before.number)) return [];
      const files = [...filesOf(phase)].filter((file) => filesOf(before).has(file));
      const words = [...wordsOf(phase)].filter((word) => wordsOf(before).has(word));
      if (files.length === 0 && words.length < leastWords) return [];
      return [{ phase: phase.number, on: before.number, files, words: files.length > 0 ? [] : words }];
    }),
  );
}
