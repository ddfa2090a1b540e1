// Back to an earlier turn: conversation, files, or both. Files are restored through the gate like any other change.
import { someOf } from "../../base/some-of.ts";
import { Fault } from "../../base/fault.ts";
import { reversePatch } from "../../base/reverse-patch.ts";
import type { Checkpoints } from "../../engine/checkpoint.ts";
import { ownDiff } from "../../engine/own-diff.ts";
import type { Session } from "../../engine/session/session.ts";
import { currentTurn, type TurnState } from "../../engine/session/state.ts";
import type { OwnChanges } from "../../io/changes/own-changes.ts";
import { partName } from "../../io/changes/plan.ts";
import { Exit } from "../../protocol/exit.ts";
import type { FactOf } from "../../protocol/event.ts";
import type { RewindPreview, UndoPreview } from "../../protocol/rewinding.ts";
import type { Diff, FileDiff } from "../../protocol/result.ts";
import { textResult } from "../../protocol/outcome.ts";
import type { Assembly } from "./assembly.ts";
import { textIn } from "../../base/text-in.ts";

const emptyDiff: Diff = { files: [] };

interface Ground {
  session: Session;
  checkpoints: Checkpoints;
  own: OwnChanges;
}

/** What a rewind to before `turn` (default: the last one) would drop and put back. Rejects with a Fault for an unknown turn. */
export async function previewRewind({ session, checkpoints, own }: Ground, turn?: number): Promise<RewindPreview> {
  const target = turnOf(session, turn);
  const tree = checkpoints.treeBefore(target.turn);
  const prompt = target.prompt.map((part) => (part.type === "text" ? part.text : "[image]")).join(" ");
  const turnsDropped = session.state.turns.filter((each) => each.turn >= target.turn).length;
  const plan = own.plan({ since: target.turn });
  const snapshots = tree ? await checkpoints.snapshots() : undefined;
  const whole = tree && snapshots && !("unavailable" in snapshots) ? await snapshots.compare(tree) : emptyDiff;
  const diff = ownDiff({ ...plan, both: [] }, whole);
  const done = new Set(diff.files.flatMap(pathsOf));
  const others = [...whole.files.flatMap(pathsOf), ...plan.both.map((step) => step.path)];
  return {
    ...{ turn: target.turn, prompt, conversation: { turnsDropped }, leftOut: target.leftOut, ...(tree && { tree }) },
    diff: reversed(diff),
    foreign: [...new Set(others)].filter((each) => !done.has(each)),
    left: plan.left.filter((each) => !done.has(each.path)),
  };
}

const pathsOf = (file: FileDiff): string[] => (file.from === undefined ? [file.path] : [file.path, file.from]);

/** Where the changes begin that an undo takes back: commands of the person's own that changed nothing are passed over. */
export const undoneFrom = ({ state }: Session, own: OwnChanges): number | undefined => {
  const changed = (turn: number) => {
    const { back, both } = own.plan({ since: turn });
    return back.length + both.length > 0;
  };
  return state.turns.findLast(({ turn, origin }) => origin !== "person" || changed(turn))?.turn;
};

/** What an undo would take back now. */
export function previewUndo(session: Session, own: OwnChanges): UndoPreview {
  const undo = own.lastUndo();
  const turn = undoneFrom(session, own);
  const part = undo === undefined ? turn !== undefined && { since: turn } : { undo };
  const plan = part ? own.plan(part) : undefined;
  const some = plan !== undefined && plan.back.length + plan.both.length > 0;
  return { of: some ? (undo === undefined ? "turn" : "undo") : "nothing", left: plan?.left ?? [] };
}

interface Wanted {
  turn: number;
  conversation: boolean;
  files: boolean;
  force: boolean;
}

type Rewinding = Pick<Assembly, "agent" | "session" | "gate" | "ledger" | "changes">;

export const rewind = (assembly: Rewinding, wanted: Wanted): Promise<void> =>
  assembly.agent.alone(() => goBack(assembly, wanted));

/** The person's answer to the diff of a turn; discarding puts the files back as they were before it. */
export const reviewTurn = (assembly: Rewinding, turn: number, keep: boolean): Promise<void> =>
  keep
    ? Promise.resolve(reviewed(assembly, { turn, kept: true }))
    : assembly.agent.alone(() => discard(assembly, { turn, force: false, looked: true }));

/** The last turn, or the last undo or rewind where nothing was done since. */
export const undoLast = (assembly: Rewinding, force: boolean): Promise<void> =>
  assembly.agent.alone(async () => {
    const own = await assembly.changes();
    const undo = own.lastUndo();
    if (undo !== undefined) return bringBack(assembly, undo, force);
    const turn = turnOf(assembly.session, undoneFrom(assembly.session, own)).turn;
    return discard(assembly, { turn, force, looked: false });
  });

async function goBack(assembly: Rewinding, wanted: Wanted): Promise<void> {
  const { session, agent } = assembly;
  const own = await assembly.changes();
  const preview = await previewRewind({ session, checkpoints: agent.checkpoints, own }, wanted.turn);
  const { trees = {}, restored = [] } = wanted.files ? await takeBack(assembly, preview, wanted.force) : {};
  session.append({
    type: "session.rewound",
    turn: preview.turn,
    conversation: wanted.conversation,
    ...(restored.length > 0 && { files: restored.length }),
    ...trees,
  });
  assembly.ledger.note("session.rewound", {
    session: session.id,
    turn: preview.turn,
    conversation: wanted.conversation,
    files: wanted.files,
  });
}

interface Discarding {
  turn: number;
  force: boolean;
  /** The person was shown the diff. */
  looked: boolean;
}

async function discard(assembly: Rewinding, { turn, force, looked }: Discarding): Promise<void> {
  const { session, agent } = assembly;
  const own = await assembly.changes();
  const preview = await previewRewind({ session, checkpoints: agent.checkpoints, own }, turnOf(session, turn).turn);
  const { trees, restored, kept } = await takeBack(assembly, preview, force);
  const who = looked ? "The person looked at the diff of this turn and discarded it" : "The person took this turn back";
  const text = `${who}: ${restored.length === 0 ? "no file was changed by that" : filesText(restored)}.`;
  session.append({ type: "note.added", turn, text: [text, kept].filter(Boolean).join(" ") });
  reviewed(assembly, {
    turn,
    kept: false,
    files: restored.length,
    ...(kept !== undefined && { partly: true }),
    ...trees,
  });
}

const filesText = (paths: readonly string[]): string => `the files are again as they were before it (${named(paths)})`;

const named = (paths: readonly string[]): string => someOf(paths, 10);

/** What an undo took back comes back, and can be taken back again. */
async function bringBack(assembly: Rewinding, undo: string, force: boolean): Promise<void> {
  const { session } = assembly;
  const plan = (await assembly.changes()).plan({ undo });
  const chosen = [...plan.back, ...(force ? plan.both : [])].map((step) => step.path);
  if (!force && plan.both.length > 0)
    tellKept(
      session,
      plan.both.map((step) => step.path),
      [],
    );
  const trees = await restore(assembly, partName({ undo }), chosen);
  const files = `${named(chosen.toSorted())} ${chosen.length === 1 ? "is" : "are"} as before the last undo`;
  const turn = currentTurn(session.state);
  // Every second time it is the turn's changes that go.
  const away = turn?.reviewed === true;
  const done = away ? "Taken back again" : "Brought back";
  const text =
    chosen.length === 0 ? `${done}: nothing was changed by that.` : `${done}: ${files}. Another /undo reverses that.`;
  session.append({ type: "notice.given", code: "undo.undone", level: "info", text });
  if (!turn) return;
  const note = away ? "The person took this turn back again" : "The person took back their last undo";
  session.append({ type: "note.added", turn: turn.turn, text: `${note}: ${files}.` });
  if (turn.reviewed !== undefined)
    reviewed(assembly, { turn: turn.turn, kept: !turn.reviewed, files: chosen.length, ...trees });
}

function reviewed({ session, ledger }: Rewinding, fact: Omit<FactOf<"turn.reviewed">, "type">): void {
  session.append({ type: "turn.reviewed", ...fact });
  ledger.note("turn.reviewed", { session: session.id, turn: fact.turn, kept: fact.kept });
}

interface TakenBack {
  trees: Restored;
  restored: string[];
  /** What was not, in a sentence. */
  kept: string | undefined;
}

/** What fettle changed comes from its own record; what others changed, only by force, from it and the checkpoint. */
async function takeBack(assembly: Rewinding, preview: RewindPreview, force: boolean): Promise<TakenBack> {
  const own = await assembly.changes();
  const part = { since: preview.turn };
  const plan = own.plan(part);
  const recorded = [...plan.back, ...(force ? plan.both : [])].map((step) => step.path);
  const wanted = [...preview.diff.files.flatMap(pathsOf), ...(force ? preview.foreign : [])];
  const rest = preview.tree === undefined ? [] : wanted.filter((each) => !recorded.includes(each));
  const trees = await own.undoing(async () => {
    const first = await restore(assembly, partName(part), recorded);
    const second = preview.tree === undefined ? {} : await restore(assembly, preview.tree, rest);
    return { ...first, ...second, ...(first.found && { found: first.found }) };
  });
  const kept = tellKept(assembly.session, force ? [] : preview.foreign, preview.left);
  return { trees, restored: [...recorded, ...rest].toSorted(), kept };
}

type Restored = Pick<FactOf<"session.rewound">, "found" | "tree">;

async function restore({ session, gate, agent }: Rewinding, checkpoint: string, paths: string[]): Promise<Restored> {
  if (paths.length === 0) return {};
  const snapshots = await agent.checkpoints.snapshots();
  const look = async () => ("unavailable" in snapshots ? undefined : (await snapshots.take()).tree);
  const found = await look();
  const id = `person-restore-${session.state.seq}`;
  const action = { kind: "restore" as const, checkpoint, paths };
  const result = await (await gate()).pass(
    { id, tool: "rewind", action, origin: "person" },
    async (grant) => textResult(`Restored ${(await grant.restore()).restored.length} files.`),
    new AbortController().signal,
  );
  if (result.status !== "done") {
    const why = textIn(result.parts, " ");
    const partly = result.code === "restore.partial";
    const problem = partly ? why : `The files were not restored: ${why}`;
    throw new Fault("rewind.refused", Exit.failed, problem, "Mend what it names, and rewind again.");
  }
  const tree = await look();
  return { ...(found && { found }), ...(tree && { tree }) };
}

function turnOf(session: Session, turn: number | undefined): TurnState {
  const found =
    turn === undefined ? currentTurn(session.state) : session.state.turns.find((each) => each.turn === turn);
  if (found) return found;
  const known = session.state.turns.map((each) => each.turn);
  const remedy = known.length > 0 ? `Its turns: ${known.join(", ")}.` : "It has no turns yet.";
  throw new Fault("turn.unknown", Exit.usage, `There is no turn ${turn ?? ""} in this session.`, remedy);
}

function tellKept(session: Session, kept: readonly string[], left: RewindPreview["left"]): string | undefined {
  const lost = left.map(({ path, why }) => `${path} (${why})`);
  const texts = [
    ...(kept.length > 0 ? [`Left alone, since somebody else changed them: ${kept.join(", ")}.`] : []),
    ...(lost.length > 0 ? [`Not taken back: ${named(lost)}.`] : []),
  ];
  for (const text of texts) session.append({ type: "notice.given", code: "rewind.foreign", level: "warning", text });
  return texts.length > 0 ? texts.join(" ") : undefined;
}

/** What restoring would do is the opposite of what has happened since. */
function reversed(diff: Diff): Diff {
  const opposite = { created: "deleted", deleted: "created", modified: "modified", moved: "moved" } as const;
  return {
    files: diff.files.map((file) => ({
      ...file,
      change: opposite[file.change],
      added: file.removed,
      removed: file.added,
      patch: reversePatch(file.patch),
    })),
  };
}
