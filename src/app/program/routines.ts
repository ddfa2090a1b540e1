// The routines of a project, in its state folder: what was seen, what is offered, and what a person has kept.
import path from "node:path";
import { digestOf } from "../../base/digest.ts";
import { Fault } from "../../base/fault.ts";
import { jsonOf } from "../../base/json-text.ts";
import { regularText } from "../../io/files/regular.ts";
import { dropFolder, foldersIn } from "../../io/folders/worktrees.ts";
import { keepFile, keepFiles } from "../../io/places/kept-files.ts";
import { mostFailures, parameterNames, patternLines, skillText, wholeText } from "../../memory/routines/routine.ts";
import { isSameWork, isSighting, type Repeated, repeatedIn } from "../../memory/routines/sightings.ts";
import { Exit } from "../../protocol/exit.ts";
import {
  type MadeOffer,
  Routine,
  type RoutineOffer,
  type RoutineRow,
  SeenWork,
  type Sighting,
} from "../../protocol/routine.ts";
import { callerOf } from "./caller.ts";
import { isSecret } from "./notes.ts";
import type { Program } from "./program.ts";

const mostRemembered = 120;
const mostOffers = 40;

const routinesFolder = ({ project }: Pick<Program, "project">): string => path.join(project.root, "routines");
const seenFile = ({ project }: Program): string => path.join(project.root, "routines-seen.json");

/** A file that somebody has broken begins anew: nothing but offers rests on it. */
function seenIn(program: Program): SeenWork {
  const read = SeenWork.safeParse(jsonOf(regularText(seenFile(program)) ?? ""));
  return read.success ? read.data : { sightings: [], told: [], declined: [] };
}

/** Alone among all processes: sessions of one project write at the same time. Nothing is written where `change` answers undefined. */
function change(program: Program, by: (seen: SeenWork) => SeenWork | undefined): void {
  program.store().database.transaction(() => {
    const seen = by(seenIn(program));
    if (seen) keepFile(seenFile(program), JSON.stringify(seen));
  });
}

/** Nothing of an incognito session, and nothing that looks like a secret. */
export function noteSighting(program: Program, sighting: Sighting): void {
  if (program.incognito || !isSighting(sighting) || isSecret(program, JSON.stringify(sighting))) return;
  change(program, (seen) => ({ ...seen, sightings: [...seen.sightings, sighting].slice(-mostRemembered) }));
}

/** What a person has taken back or called wrong was no lesson: that turn, with `andLater` what came after it, too. */
export function strikeSightings(program: Program, session: string, turn: number, andLater = false): void {
  change(program, (seen) => {
    const left = seen.sightings.filter(
      (each) => each.session !== session || (andLater ? each.turn < turn : each.turn !== turn),
    );
    return left.length < seen.sightings.length ? { ...seen, sightings: left } : undefined;
  });
}

interface Offer extends Repeated {
  id: string;
}

/** None that does what is kept or was declined. One of which a person was told keeps the id that they know. */
function offersOf(program: Program, { sightings, told, declined }: SeenWork): Offer[] {
  const kept = keptOf(program);
  return repeatedIn(sightings)
    .filter(({ pattern }) => ![...declined, ...kept].some((each) => isSameWork(each, pattern)))
    .map((each) => ({ ...each, id: told.find((known) => isSameWork(known, each.pattern))?.id ?? idOf(each.pattern) }));
}

const idOf = ({ steps, check }: Repeated["pattern"]): string => digestOf({ steps, check }).slice(0, 8);

const made = ({ id, pattern: { steps, check, values } }: Offer): MadeOffer => ({
  ...{ id, steps, check, values: values.map((row) => row.slice(-1)) },
});

/** The offer of which nobody has been told; it counts as told from here on. */
export function newOffer(program: Program): RoutineOffer | undefined {
  if (program.incognito) return undefined;
  const seen = seenIn(program);
  const offer = offersOf(program, seen).find(({ id }) => !seen.told.some((each) => each.id === id));
  if (!offer) return undefined;
  change(program, (now) => ({ ...now, told: [...now.told, made(offer)].slice(-mostOffers) }));
  return offerRow(offer);
}

function offerRow({ id, pattern, seen }: Offer): RoutineOffer {
  const names = parameterNames(pattern);
  return {
    ...{ id, lines: patternLines(pattern, names), text: wholeText(pattern, names), seen: seen.map(runOf) },
    parameters: names.map((name, at) => ({ name, values: pattern.values[at] ?? [] })),
  };
}

const runOf = ({ session, turn, at }: Sighting): Routine["seen"][number] => ({ session, turn, at });

function keptOf(program: Program): Routine[] {
  const root = routinesFolder(program);
  return foldersIn(root).flatMap((name) => routineIn(path.join(root, name)) ?? []);
}

function routineIn(folder: string): Routine | undefined {
  const read = Routine.safeParse(jsonOf(regularText(path.join(folder, "routine.json")) ?? ""));
  return read.success && read.data.name === path.basename(folder) ? read.data : undefined;
}

export const routineNamed = (program: Program, name: string): Routine | undefined =>
  nameLike.test(name) ? routineIn(path.join(routinesFolder(program), name)) : undefined;

const nameLike = /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/;

const write = (program: Program, routine: Routine): void =>
  keepFiles(path.join(routinesFolder(program), routine.name), {
    "routine.json": `${JSON.stringify(routine, undefined, 2)}\n`,
    "SKILL.md": skillText(routine),
  });

export function listRoutines(program: Program): { offers: RoutineOffer[]; kept: RoutineRow[] } {
  return {
    offers: offersOf(program, seenIn(program)).map(offerRow),
    kept: keptOf(program).map((routine) => ({
      ...{ name: routine.name, folder: path.join(routinesFolder(program), routine.name) },
      lines: patternLines(routine, routine.parameters),
      text: wholeText(routine, routine.parameters),
      parameters: routine.parameters.map((name, at) => ({ name, values: routine.values[at] ?? [] })),
      ...{ seen: routine.seen, kept: routine.kept, failures: routine.failures, aside: routine.aside },
    })),
  };
}

/**
 * An offer becomes a routine, or one that was set aside is taken up again. Throws a Fault where there is neither, and for a name
 * that is none or is taken.
 */
export function keepRoutine(program: Program, { id, name, parameters }: Keeping): void {
  refuseIncognito(program);
  const known = routineNamed(program, id);
  if (known) return write(program, { ...known, failures: 0, aside: false });
  const offer = offersOf(program, seenIn(program)).find((each) => id !== "" && each.id.startsWith(id));
  if (!offer) throw fault("none", `There is no offer and no routine ${id}.`, "List them: fettle routines");
  if (name === undefined || !nameLike.test(name))
    throw fault(
      "name",
      "A routine needs a name of small letters, digits and dashes.",
      `Give one: fettle routines keep ${offer.id} bump-version`,
    );
  if (routineNamed(program, name)) throw fault("taken", `There is a routine ${name} already.`, "Give another name.");
  const likely = parameterNames(offer.pattern);
  const names = parameters ?? likely;
  if (
    names.length !== likely.length ||
    new Set(names).size !== names.length ||
    !names.every((each) => /^\w+$/.test(each))
  )
    throw fault(
      "parameters",
      `It has ${likely.length} parameters (${likely.join(", ")}), each of which needs one word of its own.`,
      "Name them in this order: --parameters version,text",
    );
  const { steps, check, values, timeoutMs } = offer.pattern;
  write(
    program,
    Routine.parse({
      ...{ version: 1, name, parameters: names, steps, check, values, seen: offer.seen.map(runOf) },
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...{ kept: { by: callerOf(program).name, at: Date.now() }, failures: 0, aside: false },
    }),
  );
}

interface Keeping {
  /** Of an offer, or the name of a routine that was set aside. */
  id: string;
  name?: string | undefined;
  parameters?: string[] | undefined;
}

/** A routine goes; an offer is not made again. Throws a Fault where there is neither. */
export function forgetRoutine(program: Program, id: string): void {
  refuseIncognito(program);
  const known = routineNamed(program, id);
  if (known) return dropFolder(path.join(routinesFolder(program), known.name));
  const seen = seenIn(program);
  const offer = offersOf(program, seen).find((each) => id !== "" && each.id.startsWith(id));
  if (!offer) throw fault("none", `There is no offer and no routine ${id}.`, "List them: fettle routines");
  change(program, (now) => ({ ...now, declined: [...now.declined, made(offer)].slice(-mostOffers) }));
}

/** How a replay went; answers whether the routine is set aside by it. */
export function noteReplay(program: Program, name: string, ok: boolean): boolean {
  const routine = routineNamed(program, name);
  if (!routine || program.incognito) return false;
  const failures = ok ? 0 : routine.failures + 1;
  const aside = failures >= mostFailures;
  if (failures !== routine.failures) write(program, { ...routine, failures, aside });
  return aside;
}

function refuseIncognito({ incognito }: Program): void {
  if (incognito) throw fault("incognito", "An incognito session keeps nothing.", "Leave it first: /incognito off");
}

const fault = (code: string, text: string, remedy: string): Fault =>
  new Fault(`routine.${code}`, Exit.usage, text, remedy);
