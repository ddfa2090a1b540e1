// `fettle project evidence`: requirement → plan → check → exit code → tree, as a page and as JSON.
import type { Command } from "commander";
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { EvidenceRow, ProjectEvidence } from "../../../../protocol/project.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Context } from "../../host/context.ts";
import type { Start } from "../../host/grammar.ts";
import type { Look } from "../../text/style.ts";
import { renderTable } from "../../text/table.ts";

export const words = phrases("project-evidence", {
  help: "what shows that requirements are done: the checks of each phase with command, exit code and tree",
  none: "There is no evidence yet. A phase is verified by: fettle project execute, or fettle project verify",
  phase: (phase: string, status: string, tree: string) => `Phase ${phase}: ${status}, tree ${tree}`,
  unknown: "the ledger does not know this file: it is a claim, and shows nothing",
  done: "shown",
  open: (why: string) => `not shown: ${why}`,
  titles: { plan: "plan", level: "level", result: "result", exit: "exit", by: "shown by", claim: "claim" },
  results: { shown: "shown", failed: "failed", unsure: "unsure" } satisfies Record<EvidenceRow["result"], string>,
  by: { code: "code", command: "command", agent: "agent" } satisfies Record<EvidenceRow["by"], string>,
  examples: [
    ["fettle project evidence 3", "the evidence of phase 3"],
    ["fettle project evidence --json | jq '.[].requirements'", "for programs"],
  ],
  exits: [
    ["0", "shown"],
    ["1", "there is none, or the ledger does not know it"],
  ],
});

export function defineEvidence(project: Command, start: Start): void {
  start(project.command("evidence [phase]").description(words.help), show, {
    lesson: { examples: words.examples, exits: words.exits },
  });
}

const show = (context: Context, [given]: readonly string[]): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const phase = given?.replace(/^0+(?=\d)/, "").toUpperCase();
    const found = await client.read("project.evidence", { ...(phase !== undefined && { phase }) });
    context.show(found, (look) => (found.length === 0 ? [words.none] : found.flatMap((each) => pageOf(each, look))));
    return found.length > 0 && found.every(({ known }) => known) ? Exit.done : Exit.failed;
  });

function pageOf({ phase, status, tree, known, requirements, checks }: ProjectEvidence, look: Look): string[] {
  const { style } = look;
  const { titles } = words;
  const columns = [
    ...[{ title: titles.plan }, { title: titles.level }, { title: titles.result }, { title: titles.exit }],
    ...[
      { title: titles.by, flexible: true },
      { title: titles.claim, flexible: true },
    ],
  ];
  const rows = checks.map(({ plan, level, result, exit, by, command, claim }) =>
    [plan, level, words.results[result], exit?.toString() ?? "", command ?? words.by[by], claim].map((cell) =>
      escapeLine(cell),
    ),
  );
  return [
    style.bold(words.phase(escapeLine(phase), status, tree.slice(0, 12))),
    ...(known ? [] : [style.red(words.unknown)]),
    ...requirements.map(({ id, done, why }) =>
      done && known
        ? `  ${style.green(style.symbols.done)} ${escapeLine(id)}  ${words.done}`
        : `  ${style.yellow(style.symbols.bullet)} ${escapeLine(id)}  ${words.open(escapeLine(known ? why : words.unknown))}`,
    ),
    ...renderTable(columns, rows, look),
    "",
  ];
}
