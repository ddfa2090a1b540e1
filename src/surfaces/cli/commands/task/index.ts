// `fettle task`: a change from words to a merged commit.
import type { Command } from "commander";
import type { Shown } from "../../task/shown.ts";
import type { TaskFlags } from "./start.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Define, Start } from "../../host/grammar.ts";
import { option } from "../../host/options.ts";

const ended = [
  ["0", "merged, proposed, left on its branch, or answered"],
  ["1", "failed; it says why"],
  ["2", "wrong usage: no repository, no model, no such task"],
  ["3", "waits for you: fettle task approve"],
  ["4", "the budget is used up"],
  ["5", "the base moved, or the plan reaches too far"],
  ["6", "out of time"],
  ["130", "stopped with Ctrl-C"],
];

const looked = [
  ["0", "shown"],
  ["2", "no such task"],
];

export const words = phrases("task", {
  help: {
    taskFile: "read the task from this file",
    taskIssue: "the task is this issue: its address, or JSON with title and body; taken as data",
    strict: "refuse what the plan does not hold instead of asking",
    noMerge: "leave the work on its branch",
    pullRequest: "push the approved branch to the remote and open a pull request",
    taskCost: "stop before the task costs more",
    taskWaits: "without a terminal: wait for an answer from elsewhere instead of pausing, at most so long (SECONDS)",
    taskJson: "one event per line",
    taskPlan: "the plan, exactly as it was put to you",
    taskDiff: "what it has committed, against the base of its plan",
    evidence: "what shows that it is done: each claim with its command, exit code, output and tree",
    withChanges: "not so, but with these changes: it is planned or mended anew and shown again",
    why: "what the model is told",
    list: "the newest first",
    show: "how far a task is, and what it came to",
    watch: "each step of a task in another terminal",
    resume: "go on with a task where it was left",
    replay: "decide a recorded task again, and tell what differs (exit 1 if anything does)",
    replan: "say what should be otherwise: the task is planned anew, and asks again",
    abandon: "end a task; its branch is left if anything is committed on it",
    answer: "answer the question that a task paused with, and go on",
    approve: "approve the plan or the result that a task waits with",
    reject: "reject the plan or the result, with a reason with which it is planned anew",
  },
  lesson: {
    examples: [
      ['fettle task "fix the rounding bug: 1.5 should become 2"', "plan, approve, test first, mend, verify, merge"],
      ["fettle task --file ticket.md --no-merge", "the words from a file; the work is left on its branch"],
      ["fettle task < ticket.md", "the same from a pipe"],
      ['fettle task "add a --json flag" --strict', "refuse whatever the plan does not hold"],
      ["fettle task abandon 3fa2", "end it, as Ctrl-C twice does; Ctrl-D and fettle stop leave it for later"],
      ["fettle demo task", "see one, without any model or key"],
    ],
    exits: ended,
  },
  lessons: {
    list: {
      examples: [["fettle task list", "who waits for whom, and what each has cost"]],
      exits: [["0", "listed"]],
    },
    show: {
      examples: [
        ["fettle task show", "the newest one"],
        ["fettle task show 3fa2", "the beginning of an id is enough"],
        ["fettle task show 3fa2 --plan", "the plan, exactly as it was put to you"],
        ["fettle task show 3fa2 --diff --evidence", "what was done, and what shows it"],
        ["fettle task show 3fa2 --json | jq .task.evidence", "for programs"],
      ],
      exits: looked,
    },
    watch: {
      examples: [
        ["fettle task watch", "from another terminal, the one at work: steps, what each waits for, cost"],
        ["fettle task watch 3fa2 --json | jq .waiting", "one object a line whenever something changes"],
      ],
      exits: ended,
    },
    resume: {
      examples: [
        ["fettle task resume", "the newest one that is not over: after a crash, a pause or a reboot"],
        ["fettle task resume 3fa2", "another one"],
      ],
      exits: ended,
    },
    replay: {
      examples: [["fettle task replay 3fa2", "would it be decided again as it was?"]],
      exits: [
        ["0", "as it was"],
        ["1", "something differs"],
        ["2", "no such task"],
      ],
    },
    replan: {
      examples: [
        ['fettle task replan 3fa2 "keep the interface"', "at any step; whoever plans is told what was done"],
        ['fettle task approve 3fa2 --with "keep the interface"', "the same where its plan waits for you"],
      ],
      exits: ended,
    },
    abandon: {
      examples: [
        ["fettle task abandon 3fa2", "its branch is left, what is not committed is gone; fettle stop only pauses"],
      ],
      exits: [
        ["0", "ended"],
        ["2", "no such task, or it has ended"],
      ],
    },
    answer: {
      examples: [['fettle task answer 3fa2 "fix it, do not redesign it"', "what it asked before it could plan"]],
      exits: ended,
    },
    approve: {
      examples: [
        ["fettle task approve", "the only one that waits, and it goes on"],
        ['fettle task approve 3fa2 --with "also mention it in the README"', "not so, but with this: shown again"],
        ["fettle task approve 3fa2 --as bob", "in the name of another identity"],
        ["fettle approve 51c0", "of any run or task, one request by its own id (see fettle approvals)"],
      ],
      exits: ended,
    },
    reject: {
      examples: [
        [
          'fettle task reject 3fa2 --why "it changes the interface"',
          "it is planned anew with that, and waits for you again",
        ],
        ['fettle task replan 3fa2 "keep the interface"', "the same, at any moment of the task"],
        ["fettle task abandon 3fa2", "it ends"],
        ['fettle deny 51c0 --why "use the cache"', "of any run or task, one request by its own id; the work goes on"],
      ],
      exits: [
        ["0", "denied where a process works on it"],
        ["3", "rejected: planned anew with the reason, and waits for an approval"],
        ["2", "wrong usage: no reason, no such task, nothing to answer"],
      ],
    },
  },
});

/** A word that is no command of it is the task itself. */
export const define: Define = (command, start) => {
  start<TaskFlags>(
    command
      .option("--file <file>", words.help.taskFile)
      .option("--issue <url or file>", words.help.taskIssue)
      .option("--strict", words.help.strict)
      .option("--no-merge", words.help.noMerge)
      .option("--pr", words.help.pullRequest)
      .option("-m, --model <provider/model>", option.model)
      .option("--effort <level>", option.effort)
      .option("--max-cost <usd>", words.help.taskCost)
      .option("--wait-approvals [seconds]", words.help.taskWaits),
    async (context, typed, flags) => (await import("./start.ts")).startTask(context, typed, flags),
    { lesson: words.lesson, json: words.help.taskJson },
  );
  lookCommands(command, start);
  answerCommands(command, start);
};

function lookCommands(command: Command, start: Start): void {
  start(
    command.command("list").description(words.help.list),
    async (context) => (await import("./look.ts")).listTasks(context),
    { lesson: words.lessons.list },
  );
  start<Shown>(
    command
      .command("show [id]")
      .description(words.help.show)
      .option("--plan", words.help.taskPlan)
      .option("--diff", words.help.taskDiff)
      .option("--evidence", words.help.evidence),
    async (context, [id], parts) => (await import("./look.ts")).showTask(context, id, parts),
    { lesson: words.lessons.show },
  );
  start(
    command.command("watch [id]").description(words.help.watch),
    async (context, [id]) => (await import("./watch.ts")).watchTask(context, id),
    { lesson: words.lessons.watch },
  );
  start(
    command
      .command("resume [id]")
      .description(words.help.resume)
      .option("--wait-approvals [seconds]", words.help.taskWaits),
    async (context, [id]) => (await import("./start.ts")).resumeTask(context, id),
    { lesson: words.lessons.resume },
  );
  start(
    command.command("replay <id>").description(words.help.replay),
    async (context, [id = ""]) => (await import("./look.ts")).replayTask(context, id),
    { lesson: words.lessons.replay },
  );
  start(
    command.command("abandon <id>").alias("cancel").description(words.help.abandon),
    async (context, [id = ""]) => (await import("./look.ts")).cancelTask(context, id),
    { lesson: words.lessons.abandon },
  );
}

function answerCommands(command: Command, start: Start): void {
  start(
    command
      .command("replan <id> <text...>")
      .description(words.help.replan)
      .option("--wait-approvals [seconds]", words.help.taskWaits),
    async (context, [id = "", ...text]) => (await import("./start.ts")).replanTask(context, id, text.join(" ")),
    { lesson: words.lessons.replan },
  );
  start(
    command.command("answer <id> <text...>").description(words.help.answer),
    async (context, [id = "", ...text]) => (await import("./start.ts")).answerQuestion(context, id, text.join(" ")),
    { lesson: words.lessons.answer },
  );
  start<{ with?: string; as?: string }>(
    command
      .command("approve [id]")
      .description(words.help.approve)
      .option("--with <changes>", words.help.withChanges)
      .option("--as <identity>", option.as),
    async (context, [task], { as, with: changes }) =>
      (await import("./start.ts")).approveTask(context, { task, as, changes }),
    { lesson: words.lessons.approve },
  );
  start<{ why?: string; as?: string }>(
    command
      .command("reject [id]")
      .description(words.help.reject)
      .option("--why <text>", words.help.why)
      .option("--as <identity>", option.as),
    async (context, [task], { as, why }) => (await import("./start.ts")).rejectTask(context, { task, as, why }),
    { lesson: words.lessons.reject },
  );
}
