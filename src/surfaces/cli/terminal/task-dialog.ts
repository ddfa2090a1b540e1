// The question for a task's plan or result, as a dialog: answered by a key, with whatever the person wants to see first.
import type { ApprovalAnswer, ApprovalRequest } from "../../../protocol/approval.ts";
import { type Choice, renderApprovalDetails } from "../render/approval.ts";
import { renderDiff } from "../render/diff.ts";
import type { Look } from "../text/style.ts";
import { renderEvidence, renderTaskApproval, type TaskAction } from "../render/task-approval.ts";
import { tasks as words } from "../words/tasks.ts";
import type { Console } from "./console.ts";

function taskChoices({ evidence, diff }: TaskAction): Choice[] {
  const { choice } = words;
  return [
    { key: "a", label: choice.approve },
    { key: "c", label: choice.change },
    { key: "r", label: choice.reject },
    ...(diff && diff.files.length > 0 ? [{ key: "d", label: choice.diff }] : []),
    { key: "e", label: evidence ? choice.evidence : choice.details },
    { key: "l", label: choice.later },
  ];
}

function seen(key: string, request: ApprovalRequest, action: TaskAction, look: Look): string[] | undefined {
  if (key === "d" && action.diff) return renderDiff(action.diff, look);
  if (key !== "e") return undefined;
  return action.evidence ? renderEvidence(action.evidence, look) : renderApprovalDetails(request, look);
}

/** Undefined when it was taken away; `later`: the person leaves it open. */
export async function askForTask(
  console: Console,
  request: ApprovalRequest,
  action: TaskAction,
  signal: AbortSignal,
): Promise<ApprovalAnswer | "later" | undefined> {
  console.print(["", ...renderTaskApproval(request, action, console.look, { now: Date.now(), whole: false })]);
  for (let follows = false; ; follows = true) {
    const key = await console.choose({ title: "", choices: taskChoices(action), follows }, signal);
    if (key === undefined) return undefined;
    const more = seen(key, request, action, console.look);
    if (more) console.print(["", ...more]);
    if (key === "a") return { kind: "approve" };
    if (key === "l") return "later";
    if (key !== "c" && key !== "r") continue;
    const said = await console.ask(key === "c" ? words.changeQuestion : words.rejectQuestion, signal, true);
    if (signal.aborted) return undefined;
    const reason = said?.trim() ?? "";
    // A rejection without a word is asked about.
    if (reason === "" && (key === "c" || said === undefined)) continue;
    if (reason !== "") console.print([console.look.style.dim(`  ${reason}`)]);
    return { kind: "deny", reason, ...(key === "c" && { revise: true }) };
  }
}
