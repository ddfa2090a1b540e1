// Instructions to an assistant that stand in files or standard input; the batch answers for measuring.
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { InjectionFile } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import type { Look } from "../../text/style.ts";
import { runBatch } from "../../host/batch.ts";
import { inputOf, textItem } from "./input.ts";
import { skippedLines, wasRead } from "./left-out.ts";
import { phrases } from "../../../phrases/phrases.ts";
import { plural } from "../../text/amounts.ts";

export const words = phrases("scanInjection", {
  injectionNothing: "No file is named.",
  injectionNothingRemedy: "Name files or folders, or - for standard input: fettle scan injection docs",
  injections: (flagged: number, files: number) =>
    `${flagged} of ${plural(files, "file")} may try to give orders to an assistant.`,
  noInjections: (files: number) => `No instructions to an assistant in ${plural(files, "file")}.`,
  notRead: (problem: string) => `not read: ${problem}`,
});

function renderInjections(files: readonly InjectionFile[], look: Look): string[] {
  const { style } = look;
  const lines: string[] = [];
  const paint = { clean: style.green, suspicious: style.yellow, hostile: style.red };
  for (const { path, verdict, places, problem } of files) {
    if (problem !== undefined) lines.push(`${style.yellow(escapeLine(path))}  ${escapeLine(words.notRead(problem))}`);
    else if (verdict !== "clean") lines.push(`${style.bold(escapeLine(path))}  ${paint[verdict](verdict)}`);
    for (const { line, rule, excerpt } of places)
      lines.push(`  ${style.dim(`${line}:`)} ${rule}  ${style.dim(escapeLine(excerpt))}`);
  }
  const flagged = files.filter(({ verdict }) => verdict !== "clean");
  const worst = flagged.some(({ verdict }) => verdict === "hostile") ? style.red : style.yellow;
  const read = files.filter(wasRead).length;
  const end =
    flagged.length > 0 ? worst(words.injections(flagged.length, read)) : style.green(words.noInjections(read));
  return [...lines, ...(flagged.length > 0 ? [""] : []), end, ...skippedLines(files, look)];
}

/** Exit 1 when a text is suspicious or hostile, 2 when nothing was found and something could not be read. */
export async function scanInjection(context: Context, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) throw usageFault(words.injectionNothing, words.injectionNothingRemedy);
  const input = await inputOf(context, paths);
  return context.with({ headless: true }, async (client) => {
    const files = await client.read("scan.injectionFiles", {
      paths: [...paths],
      ...input,
    });
    context.show(files, (look) => renderInjections(files, look));
    if (files.some(({ verdict }) => verdict !== "clean")) return Exit.failed;
    return files.some(({ problem }) => problem !== undefined) ? Exit.usage : Exit.done;
  });
}

export const scanInjectionBatch = (context: Context): Promise<number> =>
  context.with({ headless: true }, (client) =>
    runBatch(context, {
      item: textItem,
      ask: (items) => client.read("scan.injection", { items }),
    }),
  );
