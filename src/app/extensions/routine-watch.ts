// What a session does, looked at for routines: a turn that could be a lesson is noted, and work that was seen three times is offered.
import path from "node:path";
import type { Session } from "../../engine/session/session.ts";
import { currentTurn } from "../../engine/session/state.ts";
import { isThere } from "../../io/folders/worktrees.ts";
import type { FactOf, StoredFact } from "../../protocol/event.ts";
import type { SeenStep, Sighting } from "../../protocol/routine.ts";
import { commandOf, runsTests, testsPassed } from "../models/routing/evidence/test-commands.ts";
import type { Program } from "../program/program.ts";

/** Loaded when there is something to note or to offer: most sessions have neither. */
type Store = typeof import("../program/routines.ts");
let loading: Promise<Store> | undefined;
let loaded: Store | undefined;

function load(): Promise<Store> {
  loading ??= import("../program/routines.ts").then((store) => (loaded = store));
  return loading;
}

const watched = new WeakSet<Session>();

/** At each prompt: what it says of the turn before it, and what there is to offer. */
export async function followRoutines(program: Program, session: Session, typed: string): Promise<void> {
  if (program.incognito) return;
  if (!watched.has(session)) {
    watched.add(session);
    const watch = new TurnWatch(program, session);
    session.listen((fact) => watch.follow(fact));
  }
  if (!isThere(path.join(program.project.root, "routines-seen.json"))) return;
  const store = await load();
  const before = currentTurn(session.state);
  if (before && rejects.test(typed)) store.strikeSightings(program, session.id, before.turn);
  const offer = program.flags.headless ? undefined : store.newOffer(program);
  if (!offer) return;
  const text = `Three times now the same was done, and its check passed: ${offer.lines.join(" · ")}. See all of it: fettle routines show ${offer.id}. To keep it as a routine that needs no model: /routines keep ${offer.id} NAME`;
  session.append({ type: "notice.given", code: "routine.offered", level: "info", text });
}

/** The person says that what was done is not what they wanted. */
const rejects =
  /^\W*(?:no\b(?!,? (?:problem|worries|need|doubt|rush|hurry|thanks|thank you|issues?|more|further)\b)|nope|wrong|that(?:'s| is| was) (?:wrong|not)|not what|undo|revert|take (?:it|that) back|why did you|nein\b|falsch|das (?:ist|war) (?:falsch|nicht)|zurück)/i;

interface Call {
  step: SeenStep;
  fact?: FactOf<"call.decided">;
  ended?: FactOf<"call.ended">["result"];
}

const replayable: ReadonlySet<string> = new Set(["shell", "write", "edit", "apply_patch"]);

/** What a turn changes and runs, in order. A turn in which anything failed, or something from outside was read, is no lesson. */
class TurnWatch {
  readonly #program: Program;
  readonly #session: Session;
  #calls = new Map<string, Call>();
  #own = false;

  constructor(program: Program, session: Session) {
    this.#program = program;
    this.#session = session;
  }

  follow(fact: StoredFact): void {
    switch (fact.type) {
      case "turn.started":
        this.#calls = new Map();
        this.#own = fact.origin === "model" && (fact.by ?? "person") === "person";
        return;
      case "round.ended":
        for (const part of fact.content)
          if (part.type === "call") this.#calls.set(part.id, { step: { tool: part.name, input: part.input } });
        return;
      case "call.decided":
        this.#note(fact.call, { fact });
        if (runsTests(fact)) void load();
        return;
      case "call.ended":
        return this.#note(fact.call, { ended: fact.result });
      case "turn.ended": {
        const sighting = this.#own && fact.stop.kind === "done" ? this.#sighting(fact) : undefined;
        return sighting && this.#keep((store) => store.noteSighting(this.#program, sighting));
      }
      case "turn.reviewed":
        return fact.kept ? undefined : this.#strike(fact.turn);
      case "turn.rated":
        return fact.good ? undefined : this.#strike(fact.turn);
      case "session.rewound":
        return this.#strike(fact.turn, true);
      default:
        return;
    }
  }

  #note(call: string, more: Partial<Call>): void {
    const known = this.#calls.get(call);
    if (known) this.#calls.set(call, { ...known, ...more });
  }

  #strike(turn: number, andLater = false): void {
    this.#keep((store) => store.strikeSightings(this.#program, this.#session.id, turn, andLater));
  }

  /** At once where it is loaded, as it is since the check began: a run may end with its turn. */
  #keep(act: (store: Store) => void): void {
    if (loaded) act(loaded);
    else void load().then(act);
  }

  #sighting({ turn, at }: FactOf<"turn.ended"> & { at: number }): Sighting | undefined {
    if (this.#session.state.taintedBy.length > 0) return undefined;
    const all = [...this.#calls.values()];
    const acts = all.filter(({ fact }) => fact?.assessment?.risk !== "L0");
    const check = acts.pop();
    if (!check?.fact || !runsTests(check.fact) || check.ended === undefined || testsPassed(check.ended) !== true)
      return undefined;
    if (!acts.every(({ step, ended }) => replayable.has(step.tool) && ended !== undefined && wentWell(ended)))
      return undefined;
    const steps = acts.map(({ step }) => step);
    const { action } = check.fact;
    return {
      ...{ session: this.#session.id, turn, at, steps, check: commandOf(action) },
      ...(action?.kind === "shell" && action.timeoutMs !== undefined && { timeoutMs: action.timeoutMs }),
    };
  }
}

const wentWell = ({ status, params }: FactOf<"call.ended">["result"]): boolean =>
  status === "done" && (params?.["exit"] === undefined || params["exit"] === 0) && params?.["job"] === undefined;
