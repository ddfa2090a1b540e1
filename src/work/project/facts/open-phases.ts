// What can be done next of each open phase, and what it waits for: several phases can be worked on beside each other.
import type { OpenPhase, ProjectView } from "../../../protocol/project.ts";
import { isBacklog } from "../formats/phase-number.ts";
import { stepOf } from "./next.ts";
import type { ReadSettings } from "./settings.ts";

/** Discussing and planning need no other phase; carrying out waits for those that the roadmap names. */
export function openPhases({ phases }: Pick<ProjectView, "phases">, settings: ReadSettings): OpenPhase[] {
  const isDone = new Map(phases.map(({ number, state }) => [number, state === "done" || state === "claimed"]));
  return phases
    .filter(({ number }) => !isBacklog(number) && isDone.get(number) === false)
    .map((phase) => {
      const step = stepOf(phase, settings);
      const on = (phase.dependsOn?.match(/\d[\w]*(?:\.\d+)*/g) ?? []).map((each) =>
        each.replace(/^0+(?=\d)/, "").toUpperCase(),
      );
      const waits = step === "execute" ? on.filter((number) => isDone.get(number) === false) : [];
      const done = phase.plans.filter(({ summarized }) => summarized).length;
      return {
        ...{ number: phase.number, name: phase.name, state: phase.state, step, waitsFor: waits },
        ...{ discussed: phase.documents.includes("CONTEXT"), plans: phase.plans.length, executed: done },
        verified: phase.documents.includes("VERIFICATION"),
      };
    });
}
