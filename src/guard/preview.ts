// What a change would do to the files as they are now: for the person who approves, and for the result.
import { sha256 } from "../base/digest.ts";
import { editText } from "../base/edit-text.ts";
import { lineDiff, wholeDiff } from "../base/line-diff.ts";
import { readBytes } from "../io/files/bytes.ts";
import { FileProblem } from "../io/files/problem.ts";
import type { FileChange, GateCall } from "../protocol/action.ts";
import type { Diff, FileDiff } from "../protocol/result.ts";
import path from "node:path";
import { classifyPath, within } from "./command-line/context/sensitive.ts";
import { readingOf } from "./fence/files.ts";
import type { Firewall } from "./firewall/firewall.ts";
import type { Facts } from "./contract/ports.ts";

/** Larger files are told without their lines. */
const longestText = 5_000_000;

/** A file in the course of the changes: absent, without readable text, or its text with marks for its secrets. */
type State = { kind: "absent" } | { kind: "opaque" } | { kind: "text"; text: string };

/** Undefined when the call changes no files by itself. A change that does not fit its file is left out: the tool will say so. */
export async function previewChanges(call: GateCall, facts: Facts, firewall: Firewall): Promise<Diff | undefined> {
  if (call.action.kind !== "change") return undefined;
  const preview = new Preview(facts, firewall);
  for (const change of call.action.changes) await preview.apply(change);
  return { files: await preview.files() };
}

class Preview {
  readonly #facts: Facts;
  readonly #firewall: Firewall;
  readonly #before = new Map<string, State>();
  readonly #after = new Map<string, State>();
  readonly #movedFrom = new Map<string, string>();

  constructor(facts: Facts, firewall: Firewall) {
    this.#facts = facts;
    this.#firewall = firewall;
  }

  async apply(change: FileChange): Promise<void> {
    const real = this.#real(change.path);
    const state = await this.#state(real);
    if (change.op === "write") this.#after.set(real, { kind: "text", text: change.content });
    else if (change.op === "delete") this.#after.set(real, { kind: "absent" });
    else {
      const edited = editedState(state, change.edits);
      if (!edited) return;
      if (change.op === "edit") this.#after.set(real, edited);
      else await this.#move(real, this.#real(change.to), edited);
    }
  }

  async files(): Promise<FileDiff[]> {
    const found: FileDiff[] = [];
    const moved = new Set(this.#movedFrom.values());
    for (const [real, after] of this.#after) {
      if (moved.has(real) && after.kind === "absent") continue;
      const from = this.#movedFrom.get(real);
      const before = this.#before.get(from ?? real) ?? { kind: "absent" as const };
      if (from === undefined && unchanged(before, after)) continue;
      found.push({ ...(await this.#described(real, from, before, after)) });
    }
    return found;
  }

  async #described(real: string, from: string | undefined, before: State, after: State): Promise<FileDiff> {
    const lines = await linesOf(before, after);
    const change =
      from !== undefined
        ? "moved"
        : before.kind === "absent"
          ? "created"
          : after.kind === "absent"
            ? "deleted"
            : "modified";
    return {
      path: this.#shown(real),
      change,
      ...(from !== undefined && { from: this.#shown(from) }),
      ...lines,
      ...(classifyPath(real, this.#facts) === "run-later" && { runLater: true }),
      ...(before.kind !== "opaque" && after.kind !== "opaque" && { states: [stateName(before), stateName(after)] }),
    };
  }

  async #move(from: string, to: string, edited: State): Promise<void> {
    await this.#state(to);
    this.#after.set(from, { kind: "absent" });
    this.#after.set(to, edited);
    this.#movedFrom.set(to, from);
  }

  #real(given: string): string {
    return this.#facts.path(path.resolve(this.#facts.workspace, given)).real;
  }

  #shown(real: string): string {
    const { workspace } = this.#facts;
    return within(real, workspace) ? path.relative(workspace, real) : real;
  }

  async #state(real: string): Promise<State> {
    const known = this.#after.get(real) ?? this.#before.get(real);
    if (known) return known;
    const found = await this.#read(real);
    this.#before.set(real, found);
    return found;
  }

  async #read(real: string): Promise<State> {
    const fact = this.#facts.path(real);
    if (fact.kind === "missing") return { kind: "absent" };
    if (fact.kind !== "file" || fact.size > longestText) return { kind: "opaque" };
    try {
      const { bytes } = await readBytes(real);
      if (bytes.subarray(0, 8000).includes(0)) return { kind: "opaque" };
      const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
      return { kind: "text", text: this.#firewall.redact(text, readingOf(real, this.#facts)).text };
    } catch (error) {
      if (error instanceof FileProblem) return { kind: error.code === "missing" ? "absent" : "opaque" };
      throw error;
    }
  }
}

const stateName = (state: Exclude<State, { kind: "opaque" }>): string =>
  state.kind === "absent" ? "absent" : sha256(state.text).slice(0, 16);

type Edits = Extract<FileChange, { op: "edit" }>["edits"];

function editedState(state: State, edits: Edits): State | undefined {
  if (state.kind === "absent") return undefined;
  if (state.kind === "opaque" || edits.length === 0) return state;
  const outcome = editText(state.text, edits);
  return "problem" in outcome ? undefined : { kind: "text", text: outcome.text };
}

const unchanged = (before: State, after: State): boolean =>
  before.kind === after.kind && (before.kind !== "text" || (after.kind === "text" && before.text === after.text));

async function linesOf(before: State, after: State): Promise<{ added: number; removed: number; patch: string }> {
  if (before.kind === "opaque" || after.kind === "opaque") return { added: 0, removed: 0, patch: "" };
  const old = before.kind === "text" ? before.text : "";
  const next = after.kind === "text" ? after.text : "";
  if (next.length > longestText) return { added: 0, removed: 0, patch: "" };
  return old === "" || next === "" ? wholeDiff(old, next) : lineDiff(old, next);
}
