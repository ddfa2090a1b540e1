// What a person allows beyond the plan, as the amendment that it is.
import { syntaxDigest } from "../../../guard/command-line/syntax/syntax-digest.ts";
import { secretInContent } from "../../../guard/firewall/tags.ts";
import { relative } from "../../../guard/limits/envelope.ts";
import type { ApprovalRequest } from "../../../protocol/approval.ts";
import type { Amendment, TaskRecord } from "../../../protocol/task.ts";
import { amendment } from "../machine/envelope.ts";

export function amendmentBy(task: TaskRecord, { action, effects, reasons }: ApprovalRequest, by: string): Amendment {
  const targets = (wanted: readonly string[]) =>
    effects.filter(({ kind }) => wanted.includes(kind)).map(({ target }) => target);
  const paths = targets(["write", "delete"]).flatMap((target) => relative(target, task.worktree?.folder) ?? []);
  const shell = action.kind === "shell" ? [action.command] : [];
  return amendment(task, {
    what: shell[0] ?? paths.join(", "),
    paths: [...new Set(paths)],
    commands: shell.map(syntaxDigest),
    hosts: targets(["network"]),
    ...(reasons.some(({ code }) => code === `firewall.${secretInContent}`) && { secrets: [...new Set(paths)] }),
    by,
  });
}
