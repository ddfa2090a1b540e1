// What can be said against the plans of a phase before anybody works on them, without a model.
import type { ProblemCode, ProblemLevel, ProjectProblem } from "../../../protocol/project.ts";
import type { Plan } from "../formats/plan.ts";
import type { ReadSettings } from "./settings.ts";
import { type Waves, wavesOf } from "./waves.ts";

export interface PhasePlans {
  number: string;
  /** Of the phase, after the roadmap. */
  requirements: readonly string[];
  plans: readonly Plan[];
}

export interface Checked {
  waves: Waves;
  problems: ProjectProblem[];
}

/** Design D's sizes: from the first on a warning, from the second on an error. */
export const sizes = { tasks: [4, 5], files: [10, 15] } as const;

const fileOf = (plan: Plan): string => `.planning/${plan.path}`;

/** `everyPlan`: keys of all plans of the project; `knownRequirements`: undefined where REQUIREMENTS.md is missing. */
export function checkPhase(
  phase: PhasePlans,
  more: { everyPlan: ReadonlySet<string>; knownRequirements?: ReadonlySet<string>; settings: ReadSettings },
): Checked {
  const problems: ProjectProblem[] = [];
  const add = (level: ProblemLevel, code: ProblemCode, path: string, ...about: string[]) =>
    problems.push({ level, code, path, about, phase: phase.number });
  const ordered = phase.plans.map((plan) => {
    const after = plan.dependsOn.flatMap((given) => {
      const found = phase.plans.find((other) => namesPlan(given, other.id));
      if (!found && !more.everyPlan.has(planKey(given)))
        add("error", "dependencyUnknown", fileOf(plan), plan.id, given);
      return found ? [found.id] : [];
    });
    return { id: plan.id, ...(plan.files && { files: plan.files }), after };
  });
  const waves = wavesOf(ordered, more.settings);
  for (const plan of phase.plans) {
    if (waves.stuck.includes(plan.id)) add("error", "cycle", fileOf(plan), plan.id);
    const wave = waves.waveOf.get(plan.id);
    if (wave !== undefined && plan.wave !== undefined && plan.wave !== wave) {
      add("warning", "waveDiffers", fileOf(plan), plan.id, String(plan.wave), String(wave));
    }
    checkPlan(plan, (level, code, ...about) => add(level, code, fileOf(plan), plan.id, ...about));
    for (const id of plan.requirements) {
      if (more.knownRequirements && !more.knownRequirements.has(id)) {
        add("warning", "requirementUnknown", fileOf(plan), plan.id, id);
      }
    }
  }
  for (const { first, second, file } of waves.overlaps) {
    const plan = phase.plans.find(({ id }) => id === second);
    if (plan && file !== "*") add("warning", "overlap", fileOf(plan), first, second, file);
  }
  const covered = new Set(phase.plans.flatMap(({ requirements }) => requirements));
  if (phase.plans.length > 0) {
    for (const id of phase.requirements) {
      if (!covered.has(id)) add("error", "requirementUncovered", ".planning/ROADMAP.md", id, phase.number);
    }
  }
  return { waves, problems };
}

function checkPlan(plan: Plan, add: (level: ProblemLevel, code: ProblemCode, ...about: string[]) => void): void {
  if (plan.problem !== undefined) {
    add("error", "badHead", plan.problem);
    return;
  }
  if (!plan.files) add("warning", "noFiles");
  for (const file of plan.files ?? []) if (isOutside(file)) add("error", "outside", file);
  if (plan.requirements.length === 0) add("warning", "noRequirements");
  if (plan.tasks.length === 0) add("error", "noTasks");
  for (const [at, task] of plan.tasks.entries()) {
    if (task.type.startsWith("checkpoint:")) {
      if (plan.autonomous) add("error", "checkpointAutonomous", task.type);
      continue;
    }
    const name = task.name === "" ? String(at + 1) : task.name;
    for (const part of ["name", "action"] as const) if (!task.parts.has(part)) add("error", "taskWithout", name, part);
    for (const part of ["verify", "done"] as const)
      if (!task.parts.has(part)) add("warning", "taskWithout", name, part);
  }
  const [manyTasks, tooManyTasks] = sizes.tasks;
  const [manyFiles, tooManyFiles] = sizes.files;
  const { length: tasks } = plan.tasks;
  const files = plan.files?.length ?? 0;
  if (tasks >= manyTasks) add(tasks >= tooManyTasks ? "error" : "warning", "manyTasks", String(tasks));
  if (files >= manyFiles) add(files >= tooManyFiles ? "error" : "warning", "manyFiles", String(files));
}

export function isOutside(file: string): boolean {
  if (/^(?:[/\\~]|[A-Za-z]:)/.test(file)) return true;
  let depth = 0;
  for (const part of file.split(/[/\\]/)) {
    if (part === "..") depth -= 1;
    else if (part !== "." && part !== "") depth += 1;
    if (depth < 0) return true;
  }
  return false;
}

/** `3-1` for `03-01`, `03-01-login` and `03-01-PLAN.md`. */
export function planKey(id: string): string {
  const [, phase, plan] = /^(?:[A-Za-z][A-Za-z0-9]*-)?0*(\d+[A-Za-z]?(?:\.\d+)*)-0*(\d+)(?:-|\.md$|$)/.exec(id) ?? [];
  return phase === undefined ? id.toLowerCase() : `${phase}-${plan ?? ""}`.toLowerCase();
}

export function namesPlan(given: string, id: string): boolean {
  const alone = /^0*(\d+)$/.exec(given)?.[1];
  return alone === undefined ? planKey(given) === planKey(id) : planKey(id).endsWith(`-${alone}`);
}
