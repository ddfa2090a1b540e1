import { editText } from "../base/edit-text.ts";
import { countChange, splitLines } from "../base/line-match.ts";
import { parsePatch } from "../base/patch.ts";
import type { Grant } from "../guard/contract/grant.ts";
import type { FileChange } from "../protocol/action.ts";
import { textResult } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import prompt from "./apply-patch.md";
import { isMissing, machineProblem, type Problem, problemResult } from "./failure.ts";
import { type FileText, fileText } from "./file-text.ts";
import { fields, text } from "./input.ts";
import { plural } from "./sizes.ts";
import { defineTool, ToolInputError, ToolProblem } from "./tool.ts";

export const applyPatch = defineTool({
  name: "apply_patch",
  prompt,
  input: fields({ patch: text("", ["input", "diff", "patch_text", "patchText", "text", "content"]) }),
  parse: ({ patch }) => ({ kind: "change", changes: changesOf(patch) }),
  async run({ patch }, grant) {
    const changes = changesOf(patch);
    const checked = await checkAll(grant, changes);
    return "problem" in checked ? checked.problem : await writeAll(grant, checked);
  },
});

/** Changes that were worked out from the files as they are: one that writes a whole file may replace it. */
export async function makeChanges(grant: Grant, changes: FileChange[]): Promise<Result> {
  const checked = await checkAll(grant, changes, true);
  return "problem" in checked ? checked.problem : writeAll(grant, checked);
}

function changesOf(patch: string): FileChange[] {
  const parsed = parsePatch(patch);
  if ("problem" in parsed) throw new ToolInputError(parsed.problem);
  return parsed.changes;
}

/** One change, checked: how to make it, and its line in the result. */
interface Step {
  line: string;
  make(): Promise<void>;
}

/** What can be made, and the files whose hunks do not fit. Any other problem, or nothing that fits, is one of the whole patch. */
async function checkAll(grant: Grant, changes: FileChange[], replaces = false): Promise<Checked | { problem: Result }> {
  const steps: Step[] = [];
  const misfits: Problem[] = [];
  // Files are taken away last: what is gone cannot be put back with all its attributes.
  for (const change of [...changes].sort(
    (left, right) => Number(left.op === "delete") - Number(right.op === "delete"),
  )) {
    try {
      steps.push(
        replaces && change.op === "write"
          ? { line: `updated ${change.path}`, make: () => grant.files.write(change.path, change.content) }
          : await checked(grant, change),
      );
    } catch (error) {
      const problem = machineProblem(error, grant);
      if (!problem) throw error;
      misfits.push(problem);
    }
  }
  const whole = misfits.find(({ code }) => code !== noFit) ?? (steps.length === 0 ? misfits[0] : undefined);
  if (!whole) return { steps, misfits };
  return { problem: problemResult({ ...whole, text: `Nothing was changed. ${whole.text}` }) };
}

interface Checked {
  steps: Step[];
  misfits: Problem[];
}

const noFit = "patch.no-fit";

function checked(grant: Grant, change: FileChange): Promise<Step> {
  switch (change.op) {
    case "write":
      return checkedAdd(grant, change);
    case "edit":
      return checkedEdit(grant, change);
    case "delete":
      return checkedDelete(grant, change);
    case "move":
      return checkedMove(grant, change);
  }
}

type ChangeOf<K extends FileChange["op"]> = Extract<FileChange, { op: K }>;

async function checkedAdd({ files }: Grant, { path, content }: ChangeOf<"write">): Promise<Step> {
  await mustBeFree(files, path, `${path} exists already; use "*** Update File".`);
  return {
    line: `added ${path} (${plural(splitLines(content).length, "line")})`,
    make: () => files.write(path, content),
  };
}

async function mustBeFree(files: Grant["files"], path: string, problem: string): Promise<void> {
  try {
    await files.read(path, { limit: 1 });
  } catch (error) {
    if (isMissing(error)) return;
    throw error;
  }
  throw new ToolProblem("patch.exists", problem);
}

async function checkedEdit(grant: Grant, { path, edits }: ChangeOf<"edit">): Promise<Step> {
  const file = await fileText(grant, path);
  const changed = changedText(path, file, edits);
  return {
    line: `updated ${path} (${countText(file.text, changed)})`,
    make: () => grant.files.write(path, file.leave(changed)),
  };
}

async function checkedDelete({ files }: Grant, { path }: ChangeOf<"delete">): Promise<Step> {
  await files.read(path, { limit: 1 });
  return { line: `deleted ${path}`, make: () => files.remove(path) };
}

async function checkedMove(grant: Grant, { path, to, edits }: ChangeOf<"move">): Promise<Step> {
  const { files } = grant;
  const file = await fileText(grant, path);
  await mustBeFree(files, to, `${to} exists already; ${path} cannot be moved there.`);
  const changed = edits.length === 0 ? file.text : changedText(path, file, edits);
  return {
    line: `moved ${path} to ${to}${edits.length === 0 ? "" : ` (${countText(file.text, changed)})`}`,
    async make() {
      await files.move(path, to);
      if (edits.length > 0) await files.write(to, file.leave(changed));
    },
  };
}

function changedText(path: string, file: FileText, edits: ChangeOf<"edit">["edits"]): string {
  const entered = edits.map((edit) => ({
    ...edit,
    old: file.enter(edit.old),
    new: file.enter(edit.new),
    ...(edit.place ? { place: { ...edit.place, after: edit.place.after.map(file.enter) } } : {}),
  }));
  const outcome = editText(file.text, entered);
  const [misfit] = "problem" in outcome ? [outcome] : (outcome.left ?? []);
  if (misfit) throw new ToolProblem(noFit, `${path}: ${misfit.problem}`, misfit.excerpt);
  return "text" in outcome ? outcome.text : file.text;
}

function countText(before: string, after: string): string {
  const { added, removed } = countChange(before, after);
  return `+${added} −${removed}`;
}

/** A change that fails takes back those before it, and itself as far as it came. */
async function writeAll(grant: Grant, { steps, misfits }: Checked): Promise<Result> {
  try {
    for (const step of steps) await step.make();
  } catch (error) {
    const kept = await grant.files.undo();
    const problem = machineProblem(error, grant);
    if (!problem && kept.length === 0) throw error;
    const cause = problem?.text ?? (error instanceof Error ? error.message : String(error));
    const state = kept.length === 0 ? "Nothing was changed." : `Not all could be taken back: ${kept.join(" ")}`;
    return problemResult({
      code: kept.length === 0 ? (problem?.code ?? "patch.failed") : "patch.half",
      text: `${cause} ${state}`,
    });
  }
  const made = `${steps.map((step) => step.line).join(", ")}.`;
  if (misfits.length === 0) return textResult(`Patched: ${made}`);
  const left = `Not changed, send these again: ${misfits.map(({ text }) => text).join(" ")}`;
  const excerpts = misfits.flatMap(({ excerpt }) => (excerpt ? [{ type: "text" as const, text: excerpt }] : []));
  const { parts } = textResult(`Patched in part: ${made} ${left}`);
  return { status: "done", code: "patch.part", parts: [...parts, ...excerpts] };
}
