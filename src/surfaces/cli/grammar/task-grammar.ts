// The grammar of `fettle task`.
import type { Command } from "commander";
import { common, leaf, optionsOf, type Take, teach } from "./grammar.ts";
import { help } from "./help.ts";
import { taskHelp } from "./task-help.ts";

/** A word that is no command of it is the task itself. */
export function taskCommands(program: Command, take: Take): void {
  program.commandsGroup(help.groups.task);
  const task = program.command("task [request...]").description(help.task).helpCommand(false);
  task
    .optionsGroup(help.groups.own)
    .option("--file <file>", help.option.taskFile)
    .option("--issue <url or file>", help.option.taskIssue)
    .option("--strict", help.option.strict)
    .option("--no-merge", help.option.noMerge)
    .option("--pr", help.option.pullRequest)
    .option("-m, --model <provider/model>", help.option.model)
    .option("--effort <level>", help.option.effort)
    .option("--max-cost <usd>", help.option.taskCost)
    .option("--wait-approvals [seconds]", help.option.taskWaits);
  common(task, help.option.taskJson);
  teach(task, taskHelp.task);
  task.action(() => take({ name: "task", words: task.args, options: optionsOf(task) }));
  const as = (command: Command) => command.option("--as <identity>", help.option.as);
  leaf(task, take, { usage: "list", summary: help.taskList, lesson: taskHelp.list });
  leaf(task, take, {
    usage: "show [id]",
    summary: help.taskShow,
    lesson: taskHelp.show,
    own: (command) =>
      command
        .option("--plan", help.option.taskPlan)
        .option("--diff", help.option.taskDiff)
        .option("--evidence", help.option.evidence),
  });
  leaf(task, take, { usage: "watch [id]", summary: help.taskWatch, lesson: taskHelp.watch });
  leaf(task, take, {
    usage: "resume [id]",
    summary: help.taskResume,
    lesson: taskHelp.resume,
    own: (command) => command.option("--wait-approvals [seconds]", help.option.taskWaits),
  });
  leaf(task, take, { usage: "replay <id>", summary: help.taskReplay, lesson: taskHelp.replay });
  leaf(task, take, { usage: "cancel <id>", summary: help.taskCancel, lesson: taskHelp.cancel });
  leaf(task, take, { usage: "answer <id> <text...>", summary: help.taskAnswer, lesson: taskHelp.answer });
  leaf(task, take, {
    usage: "approve [id]",
    summary: help.taskApprove,
    lesson: taskHelp.approve,
    own: (command) => as(command.option("--with <changes>", help.option.withChanges)),
  });
  leaf(task, take, {
    usage: "reject [id]",
    summary: help.taskReject,
    lesson: taskHelp.reject,
    own: (command) => as(command.option("--why <text>", help.option.why)),
  });
}
