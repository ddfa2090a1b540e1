// A planned command of a runner that was seen to work only in another form than it is written: with variables, by an interpreter.
import { unwrapped } from "../../../base/report-wrapper.ts";
import type { Plan } from "../../../protocol/plan.ts";
import type { Rehearsal } from "../../../protocol/rehearsal.ts";

const head =
  /^((?:\w+=\S+ )*)((?:(?:uv|poetry|pipenv|pdm|rye|hatch) run )?(?:\S*python[\d.]* -m )?(?:\S+\/)?|npx (?:--no-install )?|node_modules\/\.bin\/)(pytest|unittest|vitest|jest|mocha|ava|node|cargo|go|npm|pnpm|yarn)(?= |$)/;

interface Form {
  env: string;
  start: string;
  runner: string;
}

const formOf = (command: string): Form | undefined => {
  const [, env = "", start = "", runner = ""] = head.exec(command) ?? [];
  return runner === "" ? undefined : { env, start, runner };
};

/** What the page shows and what runs is the form that works; a command that sets the same variable itself keeps its own. */
export function inWorkingForm(plan: Plan, rehearsal: Rehearsal | undefined): Plan {
  const forms = (rehearsal?.checks ?? [])
    .filter(({ kind, result }) => kind === "test" && (result === "works" || result === "red"))
    .flatMap(({ command, run }): Form[] => {
      const [declared, worked] = [formOf(command), formOf(unwrapped(run))];
      if (!worked) return [];
      const env = worked.env.replace(declared?.env ?? "", "");
      const byInterpreter = /python/.test(worked.start) && declared?.start !== worked.start;
      if (env === "" && !byInterpreter) return [];
      return [{ ...worked, env }, ...(declared && env !== "" ? [{ ...declared, env, start: "" }] : [])];
    });
  if (forms.length === 0) return plan;
  const interpreter = forms.flatMap(({ start }) => /^(\S*python[\d.]*) -m $/.exec(start)?.[1] ?? [])[0];
  const worked = (command: string): string => {
    // The same interpreter also where no runner is named: `python -c`.
    if (interpreter !== undefined && /^python3? (?!-m )/.test(command))
      return command.replace(/^python3?/, () => interpreter);
    const planned = formOf(command);
    const form = planned && forms.find(({ runner }) => runner === planned.runner);
    if (!planned || !form || namesOf(form.env).some((name) => namesOf(planned.env).includes(name))) return command;
    const start = /python/.test(form.start) ? form.start : planned.start;
    return command.replace(head, () => `${form.env}${planned.env}${start}${planned.runner}`);
  };
  const { commands, acceptance, verification } = plan;
  return {
    ...plan,
    commands: { ...commands, ...(commands.test !== undefined && { test: worked(commands.test) }) },
    acceptance: acceptance.map((check) => ({ ...check, command: worked(check.command) })),
    verification: verification.map(worked),
  };
}

const namesOf = (env: string): string[] => [...env.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
