// A planned command of a runner that was seen to work only in another form than it is written: with variables, by an interpreter,
// under another of its program's names, or behind the build that it needs.
import { unwrapped } from "../../../base/report-wrapper.ts";
import type { Plan } from "../../../protocol/plan.ts";
import type { Rehearsal } from "../../../protocol/rehearsal.ts";

const head =
  /^((?:npm run build && )?(?:\w+=\S+ )*)((?:(?:uv|poetry|pipenv|pdm|rye|hatch) run )?(?:\S*python[\d.]* -m )?(?:\S+\/)?|npx (?:--no-install )?|node_modules\/\.bin\/)(pytest|unittest|vitest|jest|mocha|ava|node|cargo|go|npm|pnpm|yarn)(?= |$)/;
const byPython = /^((?:\w+=\S+ )*)(\S*python[\d.]*) (?=\S)/;

interface Form {
  folder: string;
  /** What stands before the program: a build, variables. */
  env: string;
  start: string;
  runner: string;
}

const inFolder = (command: string): [folder: string, rest: string] => {
  const [start = "", folder = ""] = /^cd (\S+) && /.exec(command) ?? [];
  return [folder, command.slice(start.length)];
};

const formOf = (command: string): Form | undefined => {
  const [folder, rest] = inFolder(command);
  const [, env = "", start = "", runner = ""] = head.exec(rest) ?? [];
  return runner === "" ? undefined : { folder, env, start, runner };
};

/** What the page shows and what runs is the form that works; a command that sets the same variable itself keeps its own. */
export function inWorkingForm(plan: Plan, rehearsal: Rehearsal | undefined): Plan {
  const worked = (rehearsal?.checks ?? []).filter(({ result }) => result === "works" || result === "red");
  const forms = worked.filter(({ kind }) => kind === "test").flatMap(formsIn);
  const runs = worked.map(({ run }) => inFolder(unwrapped(run))[1]);
  const known = (start: string) => runs.some((run) => run.replace(/^(?:\w+=\S+ )+/, "").startsWith(`${start} `));
  const python = runs.flatMap((run) => byPython.exec(run)?.[2] ?? [])[0];
  const paths = forms.flatMap(({ env }) => /\bPYTHONPATH=\S+ /.exec(env)?.[0] ?? [])[0];
  const asItWorks = (command: string): string => {
    const [folder, rest] = inFolder(command);
    const planned = formOf(command);
    const form = planned && forms.find((each) => each.runner === planned.runner && each.folder === planned.folder);
    const before = command.slice(0, command.length - rest.length);
    if (planned && form) return before + rest.replace(head, () => joined(planned, form, known));
    const [, env = "", program = ""] = byPython.exec(rest) ?? [];
    if (program === "") return command;
    const added = paths === undefined || folder !== "" || /\bPYTHONPATH=/.test(env) ? "" : paths;
    const by = python !== undefined && isAlias(program) && !known(program) ? python : program;
    return before + rest.replace(byPython, () => `${added}${env}${by} `);
  };
  const { commands, acceptance, run, background, verification } = plan;
  return {
    ...plan,
    commands: Object.fromEntries(
      Object.entries(commands).map(([name, text]) => [
        name,
        text === undefined || name === "install" ? text : asItWorks(text),
      ]),
    ),
    acceptance: acceptance.map((check) => ({ ...check, command: asItWorks(check.command) })),
    ...{ run: run.map(asItWorks), background: background.map(asItWorks), verification: verification.map(asItWorks) },
  };
}

/** Forms that differ from how a check is declared, and those by an interpreter, which has several names. */
function formsIn({ command, run }: Rehearsal["checks"][number]): Form[] {
  const [declared, worked] = [formOf(command), formOf(unwrapped(run))];
  if (!worked) return [];
  const env = worked.env.replace(declared?.env ?? "", "");
  if (env === "" && !/python/.test(worked.start)) return [];
  return [{ ...worked, env }, ...(declared && env !== "" ? [{ ...declared, env, start: "" }] : [])];
}

function joined(planned: Form, form: Form, known: (start: string) => boolean): string {
  const env = namesOf(form.env).some((name) => namesOf(planned.env).includes(name)) ? "" : form.env;
  const given = `${planned.start}${planned.runner}`;
  const start = /python/.test(form.start) && !planned.start.includes("/") && !known(given) ? form.start : planned.start;
  return `${planned.env.startsWith(env) ? "" : env}${planned.env}${start}${planned.runner}`;
}

/** `python`, `python3` and `python3.12` may be one program, or not be there. */
const isAlias = (program: string): boolean => !program.includes("/");

const namesOf = (env: string): string[] => [...env.matchAll(/(\w+)=/g)].map(([, name = ""]) => name);
