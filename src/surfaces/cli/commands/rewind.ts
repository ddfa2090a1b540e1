// `fettle rewind`: back to before a turn.
import type { Client } from "../../../protocol/client.ts";
import type { Event } from "../../../protocol/event.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { RewindPreview } from "../../../protocol/rewinding.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { factCount } from "../host/history.ts";
import { diffSummary, renderDiff } from "../render/diff.ts";
import { renderNotice } from "../render/notice.ts";
import { safeLine } from "../text/safe-text.ts";
import { wrap } from "../text/width.ts";
import type { Look } from "../text/style.ts";
import { phrases } from "../../phrases/phrases.ts";
import type { Define, Run } from "../host/grammar.ts";
import { option } from "../host/options.ts";
import { wholeNumber } from "../host/flags.ts";

export const words = phrases("rewind", {
  help: {
    files: "only the files",
    conversation: "only the conversation",
    force: "also overwrite files that others changed since",
    session: "this session instead of the last one",
  },
  lesson: {
    examples: [
      ["fettle rewind", "to before the last turn, after a look at what would change"],
      ["fettle rewind 3 --files", "the files as they were before turn 3; the conversation stays"],
      ["fettle rewind --json", "only the preview, for programs"],
      ["fettle rewind --yes", "unasked; what others have changed since stays without --force"],
    ],
    exits: [
      ["0", "rewound, or previewed"],
      ["1", "you said no, or it was refused"],
      ["2", "no such turn or session, or nobody there to say yes"],
    ],
  },
  rewindTitle: (turn: number, prompt: string) => `To before turn ${turn}: ${prompt}`,
  rewindConversation: (turns: number) => `${turns} ${turns === 1 ? "turn leaves" : "turns leave"} the conversation.`,
  rewindFiles: "These changes to files would be made:",
  rewindNoFiles: "No file differs.",
  rewindNoTree:
    "There is no checkpoint of the files since then, and fettle recorded no change of its own. Only the conversation can be rewound.",
  rewindForeign: "Changed since by somebody else; left alone without --force:",
  rewindLeftOut: (number: number) =>
    `${number} paths were too large or not readable for the checkpoint and stay as they are.`,
  rewindNeedsYes: "Rewinding needs a yes.",
  rewindNeedsYesRemedy: "Give --yes where nobody can answer.",
  rewindAsk: "Rewind?",
  rewindRefused: "Nothing was rewound.",
});

export const define: Define = (command, start) =>
  start<RewindFlags>(
    command
      .option("--files", words.help.files)
      .option("--conversation", words.help.conversation)
      .option("-y, --yes", option.yes)
      .option("--force", words.help.force)
      .option("--session <id>", words.help.session),
    rewind,
    { lesson: words.lesson },
  );

interface RewindFlags {
  files?: true;
  conversation?: true;
  yes?: true;
  force?: true;
  session?: string;
}

interface RewindWish {
  files: boolean;
  conversation: boolean;
  force: boolean;
}

/** What rewinding would change: the files as they would become, what stays, who else changed them. */
export function renderRewind(preview: RewindPreview, wish: RewindWish, look: Look): string[] {
  const { style } = look;
  const lines = [style.bold(words.rewindTitle(preview.turn, safeLine(preview.prompt)))];
  if (wish.conversation) lines.push(words.rewindConversation(preview.conversation.turnsDropped));
  const nothing = preview.tree === undefined && preview.diff.files.length === 0;
  if (wish.files && nothing) lines.push(...wrap(words.rewindNoTree, look.width).map(style.yellow));
  else if (wish.files) lines.push(...renderFiles(preview, look));
  if (wish.files && preview.foreign.length > 0) {
    lines.push("", style.yellow(words.rewindForeign));
    lines.push(...preview.foreign.map((path) => `  ${safeLine(path)}`));
  }
  if (wish.files && preview.leftOut.length > 0) lines.push("", style.dim(words.rewindLeftOut(preview.leftOut.length)));
  return lines;
}

function renderFiles(preview: RewindPreview, look: Look): string[] {
  if (preview.diff.files.length === 0) return [look.style.dim(words.rewindNoFiles)];
  return [words.rewindFiles, "", ...renderDiff(preview.diff, look), "", diffSummary(preview.diff, look)];
}

/** The command's consequence: rewound, or the reason why not. Undefined for events that say neither. */
function consequence(event: Event): "rewound" | "refused" | undefined {
  if (event.type === "session.rewound") return "rewound";
  if (event.type === "notice.given" && event.level === "error") return "refused";
  if (event.type === "call.ended" && event.result.status !== "done") return "refused";
  return undefined;
}

/** Sends the command and waits for what comes of it. */
async function perform(context: Context, client: Client, command: { turn: number } & RewindWish): Promise<number> {
  const { id } = await client.read("session.view", {});
  const events = client.events(await factCount(client, id))[Symbol.asyncIterator]();
  let next = events.next();
  await client.send({ type: "session.rewind", ...command });
  for (;;) {
    const { done, value } = await next;
    if (done) return Exit.failed;
    next = events.next();
    context.lines(renderNotice(value, context.look()));
    const outcome = consequence(value);
    if (outcome === "rewound") return Exit.done;
    if (outcome === "refused") {
      context.err.line(words.rewindRefused);
      return Exit.failed;
    }
  }
}

/** Neither or both of `files` and `conversation`: both. */
const rewind: Run<RewindFlags> = async (context, [turn], { files, conversation, yes, force, session: id }) => {
  const asked = turn === undefined ? {} : { turn: wholeNumber("The turn", turn) };
  const session = id === undefined ? { kind: "latest" as const } : { kind: "resume" as const, id };
  return context.with({ headless: true, session }, async (client) => {
    const preview = await client.read("rewind.preview", asked);
    const both = files === conversation;
    const wish = { files: both || files === true, conversation: both || conversation === true, force: force === true };
    if (context.options.json && !yes) {
      context.json(preview);
      return Exit.done;
    }
    context.lines(renderRewind(preview, wish, context.look()));
    if (!yes) {
      if (!context.interactive) throw usageFault(words.rewindNeedsYes, words.rewindNeedsYesRemedy);
      if (!(await confirm(context, words.rewindAsk))) {
        context.err.line(words.rewindRefused);
        return Exit.failed;
      }
    }
    return perform(context, client, { turn: preview.turn, ...wish });
  });
};
