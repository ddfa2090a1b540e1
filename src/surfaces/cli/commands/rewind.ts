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
import { reports } from "../words/reports.ts";

interface RewindWish {
  files: boolean;
  conversation: boolean;
  force: boolean;
}

/** What rewinding would change: the files as they would become, what stays, who else changed them. */
export function renderRewind(preview: RewindPreview, wish: RewindWish, look: Look): string[] {
  const { style } = look;
  const lines = [style.bold(reports.rewindTitle(preview.turn, safeLine(preview.prompt)))];
  if (wish.conversation) lines.push(reports.rewindConversation(preview.conversation.turnsDropped));
  const nothing = preview.tree === undefined && preview.diff.files.length === 0;
  if (wish.files && nothing) lines.push(...wrap(reports.rewindNoTree, look.width).map(style.yellow));
  else if (wish.files) lines.push(...renderFiles(preview, look));
  if (wish.files && preview.foreign.length > 0) {
    lines.push("", style.yellow(reports.rewindForeign));
    lines.push(...preview.foreign.map((path) => `  ${safeLine(path)}`));
  }
  if (wish.files && preview.leftOut.length > 0)
    lines.push("", style.dim(reports.rewindLeftOut(preview.leftOut.length)));
  return lines;
}

function renderFiles(preview: RewindPreview, look: Look): string[] {
  if (preview.diff.files.length === 0) return [look.style.dim(reports.rewindNoFiles)];
  return [reports.rewindFiles, "", ...renderDiff(preview.diff, look), "", diffSummary(preview.diff, look)];
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
      context.err.line(reports.rewindRefused);
      return Exit.failed;
    }
  }
}

interface RewindArguments extends RewindWish {
  turn?: number;
  session?: string;
  yes: boolean;
}

/** Neither or both of `files` and `conversation`: both. */
export const rewind = (context: Context, given: RewindArguments): Promise<number> => {
  const session =
    given.session === undefined ? { kind: "latest" as const } : { kind: "resume" as const, id: given.session };
  return context.with({ headless: true, session }, async (client) => {
    const preview = await client.read("rewind.preview", given.turn === undefined ? {} : { turn: given.turn });
    const both = given.files === given.conversation;
    const wish = { files: both || given.files, conversation: both || given.conversation, force: given.force };
    if (context.options.json && !given.yes) {
      context.json(preview);
      return Exit.done;
    }
    context.lines(renderRewind(preview, wish, context.look()));
    if (!given.yes) {
      if (!context.interactive) throw usageFault(reports.rewindNeedsYes, reports.rewindNeedsYesRemedy);
      if (!(await confirm(context, reports.rewindAsk))) {
        context.err.line(reports.rewindRefused);
        return Exit.failed;
      }
    }
    return perform(context, client, { turn: preview.turn, ...wish });
  });
};
