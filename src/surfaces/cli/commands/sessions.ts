// `fettle sessions`: earlier sessions of this project.
import { Option } from "commander";
import type { SessionRow, SessionView } from "../../../protocol/query.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { modeName } from "../host/flags.ts";
import { age, moment, money, tokens } from "../text/amounts.ts";
import { renderAgents } from "../render/agents.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { renderContext, renderRecall } from "../render/context.ts";
import { renderPairs, renderTable } from "../text/table.ts";
import { cutEnd } from "../text/width.ts";
import { words as common } from "../words/session.ts";
import { phrases } from "../../phrases/phrases.ts";
import { type Define, teach } from "../host/grammar.ts";
import { option } from "../host/options.ts";
import { wholeNumber } from "../host/flags.ts";

export const words = phrases("sessions", {
  help: {
    limit: "how many",
    list: "the newest first",
    show: "the turns of a session",
    context: "what its next request is made of, in tokens, instead",
    recall: "where these words were said in it, instead",
    export: "a session's events, one JSON object per line",
    delete: "delete a session's conversation",
  },
  lesson: {
    examples: [
      ["fettle sessions", "the newest twenty of this project"],
      ["fettle sessions list --limit 100 --json", "more of them, for programs"],
      ["fettle sessions show 20261122-8b8c77", "its turns; the beginning of its id is enough"],
      ['fettle sessions show 20261122-8b8c77 --recall "port 8080"', "where that was said in it"],
      ["fettle sessions export 20261122-8b8c77 > log.jsonl", "all that happened in it"],
      ["fettle sessions delete 20261122-8b8c77", "its conversation; the ledger keeps its entries"],
      ["fettle --resume 20261122-8b8c77", "go on with it"],
    ],
    exits: [
      ["0", "shown; deleted"],
      ["1", "show --recall: not found; delete: you said no"],
      ["2", "no such session, or nobody there to say yes"],
    ],
  },
  session: "session",
  when: "last",
  turns: "turns",
  cost: "cost",
  title: "title",
  open: "open",
  taskOf: (id: string) => `task ${id}`,
  deleted: (id: string) => `Session ${id} is deleted. Its ledger entries stay.`,
  deleteAsk: (id: string, title: string) => `Delete session ${id} (${title})? Its conversation is lost.`,
  deleteNeedsYes: "Deleting needs a yes.",
  deleteNeedsYesRemedy: "Give --yes where nobody can answer.",
  sessionsNone: "No sessions in this project yet.",
});

export const define: Define = (command, start) => {
  teach(command, words.lesson);
  start<{ limit: string }>(
    command
      .command("list")
      .description(words.help.list)
      .addOption(new Option("--limit <number>", words.help.limit).default("20", "20")),
    (context, _words, { limit }) => listSessions(context, wholeNumber("--limit", limit)),
  );
  start<{ context?: true; recall?: string }>(
    command
      .command("show <id>")
      .description(words.help.show)
      .option("--context", words.help.context)
      .option("--recall <words>", words.help.recall),
    (context, [id = ""], options) => {
      if (options.context) return showContext(context, id);
      return options.recall === undefined ? showSession(context, id) : searchSession(context, id, options.recall);
    },
  );
  start(command.command("export <id>").description(words.help.export), (context, [id = ""]) =>
    exportSession(context, id),
  );
  start<{ yes?: true }>(
    command.command("delete <id>").description(words.help.delete).option("-y, --yes", option.yes),
    (context, [id = ""], { yes }) => deleteSession(context, id, yes === true),
  );
};

export function renderSessions(rows: readonly SessionRow[], look: Look, now: number): string[] {
  const columns = [
    { title: words.session },
    { title: words.when },
    { title: words.turns, right: true },
    { title: words.cost, right: true },
    { title: words.title, flexible: true },
  ];
  const cells = rows.map((row) => [
    row.id,
    age(row.lastAt, now),
    String(row.turns),
    money(row.cost),
    `${row.open ? `(${words.open}) ` : ""}${row.task === undefined ? "" : `(${words.taskOf(row.task)}) `}${safeLine(row.title)}`,
  ]);
  return renderTable(columns, cells, look, (cell, _row, column) =>
    column === 0 ? look.style.cyan(cell) : column === 4 ? cell : look.style.dim(cell),
  );
}

function renderSession(view: SessionView, look: Look): string[] {
  const { style } = look;
  const pairs: [string, string][] = [
    [words.session, view.id],
    [words.title, safeLine(view.title)],
    ["folder", safeLine(view.cwd)],
    ["model", safeLine(view.model)],
    ["mode", modeName(view.autonomy, view.ceiling)],
    ["tokens", tokens(view.usage)],
    [words.cost, money(view.cost)],
  ];
  const turns = view.turns.flatMap((turn) => {
    const head = `${style.bold(String(turn.turn).padStart(3))}  ${style.dim(moment(turn.startedAt))}  ${cutEnd(safeLine(turn.prompt), Math.max(20, look.width - 27), style.symbols.ellipsis)}`;
    const state = turn.stop ? common.stop[turn.stop.kind] : common.running;
    return [head, `     ${style.dim([state, tokens(turn.usage), money(turn.cost)].join(` ${style.symbols.dot} `))}`];
  });
  const agents = view.agents ? ["", ...renderAgents(view.agents, look)] : [];
  return [...renderPairs(pairs, look), ...(turns.length > 0 ? ["", ...turns] : []), ...agents];
}

const listSessions = (context: Context, limit: number): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("session.list", { limit });
    context.show(rows, (look) => (rows.length === 0 ? [words.sessionsNone] : renderSessions(rows, look, Date.now())));
    return 0;
  });

const showSession = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.show", { session });
    context.show(view, (look) => renderSession(view, look));
    return 0;
  });

const showContext = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.context", { session });
    context.show(view, (look) => renderContext(view, look));
    return 0;
  });

/** Exit 1 where nothing is found. */
const searchSession = (context: Context, session: string, sought: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const hits = await client.read("session.recall", { session, words: sought });
    context.show(hits, (look) => renderRecall(hits, look));
    return hits.length === 0 ? 1 : 0;
  });

const exportSession = (context: Context, session: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    for (const line of await client.read("session.export", { session })) {
      context.out.line(line);
      await context.out.ready();
    }
    return 0;
  });

const deleteSession = (context: Context, session: string, yes: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("session.show", { session });
    if (!yes) {
      if (!context.interactive) throw usageFault(words.deleteNeedsYes, words.deleteNeedsYesRemedy);
      if (!(await confirm(context, words.deleteAsk(view.id, safeLine(view.title))))) return 1;
    }
    await client.send({ type: "session.delete", session: view.id });
    if (context.options.json) context.json({ deleted: view.id });
    else context.out.line(words.deleted(view.id));
    return 0;
  });
