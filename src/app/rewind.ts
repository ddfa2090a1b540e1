// Back to an earlier turn: conversation, files, or both. Files are restored through the gate like any other change.
import { Fault } from "../base/fault.ts";
import { reversePatch } from "../base/reverse-patch.ts";
import type { Checkpoints } from "../engine/checkpoint.ts";
import type { Session } from "../engine/session.ts";
import { currentTurn, type TurnState } from "../engine/state.ts";
import type { Snapshots } from "../io/snapshot/snapshots.ts";
import { Exit } from "../protocol/exit.ts";
import type { FactOf } from "../protocol/event.ts";
import type { RewindPreview } from "../protocol/query.ts";
import type { Diff } from "../protocol/result.ts";
import { textResult } from "../protocol/outcome.ts";
import type { Assembly } from "./assembly.ts";

const emptyDiff: Diff = { files: [] };

/** What a rewind to before `turn` (default: the last one) would drop and put back. Rejects with a Fault for an unknown turn. */
export async function previewRewind(session: Session, checkpoints: Checkpoints, turn?: number): Promise<RewindPreview> {
  const target = turnOf(session, turn);
  const tree = checkpoints.treeBefore(target.turn);
  const prompt = target.prompt.map((part) => (part.type === "text" ? part.text : "[image]")).join(" ");
  const turnsDropped = session.state.turns.filter((each) => each.turn >= target.turn).length;
  const base = { turn: target.turn, prompt, conversation: { turnsDropped }, leftOut: target.leftOut };
  const snapshots = tree ? await checkpoints.snapshots() : undefined;
  if (!tree || !snapshots || "unavailable" in snapshots) return { ...base, diff: emptyDiff, foreign: [] };
  const diff = reversed(await snapshots.compare(tree));
  const others = await changedByOthers(checkpoints, snapshots, target.turn);
  const foreign = diff.files.map((file) => file.path).filter((path) => others.has(path));
  return { ...base, tree, diff, foreign };
}

/** Since the checkpoint of the turn: between fettle's own looks at the files, and since the last of them. */
async function changedByOthers(checkpoints: Checkpoints, snapshots: Snapshots, turn: number): Promise<Set<string>> {
  const known = checkpoints.lastKnownTree();
  const diffs = await Promise.all([
    ...checkpoints.gapsAfter(turn).map(({ from, to }) => snapshots.diff(from, to)),
    ...(known ? [snapshots.compare(known)] : []),
  ]);
  return new Set(diffs.flatMap(({ files }) => files.flatMap((file) => [file.path, ...(file.from ? [file.from] : [])])));
}

interface Wanted {
  turn: number;
  conversation: boolean;
  files: boolean;
  force: boolean;
}

export const rewind = (assembly: Assembly, wanted: Wanted): Promise<void> =>
  assembly.agent.alone(() => goBack(assembly, wanted));

/** The person's answer to the diff of a turn; discarding puts the files back as they were before it. */
export const reviewTurn = (assembly: Assembly, turn: number, keep: boolean): Promise<void> =>
  keep ? review(assembly, turn, keep) : assembly.agent.alone(() => review(assembly, turn, keep));

async function goBack(assembly: Assembly, wanted: Wanted): Promise<void> {
  const { session, agent } = assembly;
  const preview = await previewRewind(session, agent.checkpoints, wanted.turn);
  let trees: Restored = {};
  if (wanted.files && preview.tree) {
    const kept = wanted.force ? [] : preview.foreign;
    const paths = preview.diff.files.flatMap((file) => (file.from ? [file.path, file.from] : [file.path]));
    trees = await restore(
      assembly,
      preview.tree,
      paths.filter((path) => !kept.includes(path)),
    );
    if (kept.length > 0) tellKept(session, kept);
  }
  session.append({
    type: "session.rewound",
    turn: preview.turn,
    conversation: wanted.conversation,
    ...trees,
  });
  assembly.ledger.note("session.rewound", {
    session: session.id,
    turn: preview.turn,
    conversation: wanted.conversation,
    files: wanted.files,
  });
}

async function review(assembly: Assembly, turn: number, keep: boolean): Promise<void> {
  const { session, agent } = assembly;
  const target = turnOf(session, turn);
  let trees: Restored = {};
  if (!keep && target.checkpoint) {
    const preview = await previewRewind(session, agent.checkpoints, turn);
    const paths = preview.diff.files.flatMap((file) => (file.from ? [file.path, file.from] : [file.path]));
    const mine = paths.filter((path) => !preview.foreign.includes(path));
    trees = await restore(assembly, target.checkpoint, mine);
    if (preview.foreign.length > 0) tellKept(session, preview.foreign);
    const text =
      "The person looked at the diff of this turn and discarded it: the files are again as they were before it.";
    session.append({ type: "note.added", turn, text });
  }
  session.append({ type: "turn.reviewed", turn, kept: keep, ...trees });
  assembly.ledger.note("turn.reviewed", { session: session.id, turn, kept: keep });
}

type Restored = Pick<FactOf<"session.rewound">, "found" | "tree">;

async function restore({ session, gate, agent }: Assembly, checkpoint: string, paths: string[]): Promise<Restored> {
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
    const why = result.parts.map((part) => (part.type === "text" ? part.text : "")).join(" ");
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

function tellKept(session: Session, kept: readonly string[]): void {
  const text = `Left alone, since somebody else changed them: ${kept.join(", ")}.`;
  session.append({ type: "notice.given", code: "rewind.foreign", level: "warning", text });
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
