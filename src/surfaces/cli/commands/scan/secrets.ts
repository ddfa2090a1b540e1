// Secrets in files, folders and standard input; the batch answers for measuring.
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ScannedFile } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import type { Look } from "../../text/style.ts";
import { runBatch } from "../../host/batch.ts";
import { inputOf, textItem } from "./input.ts";
import { skippedLines, wasRead } from "./left-out.ts";
import { phrases } from "../../../phrases/phrases.ts";
import { plural } from "../../text/amounts.ts";

export const words = phrases("scanSecrets", {
  noSecrets: (files: number) => `No secrets in ${plural(files, "file")}.`,
  secrets: (count: number, files: number) => `${plural(count, "secret")} in ${plural(files, "file")}.`,
  secretsNothing: "No file is named.",
  secretsNothingRemedy: "Name files or folders, or - for standard input: fettle scan secrets src .env",
  notRead: (problem: string) => `not read: ${problem}`,
});

function renderScannedFiles(files: readonly ScannedFile[], look: Look): string[] {
  const { style } = look;
  const lines: string[] = [];
  for (const { path, places, problem } of files) {
    if (problem !== undefined) lines.push(`${style.yellow(escapeLine(path))}  ${escapeLine(words.notRead(problem))}`);
    for (const { line, rule, excerpt } of places)
      lines.push(`${style.bold(escapeLine(path))}:${line}  ${style.red(rule)}  ${escapeLine(excerpt)}`);
  }
  const found = files.filter(({ places }) => places.length > 0);
  const count = found.reduce((sum, { places }) => sum + places.length, 0);
  const read = files.filter(wasRead).length;
  const end = count > 0 ? style.red(words.secrets(count, found.length)) : style.green(words.noSecrets(read));
  return [...lines, ...(count > 0 ? [""] : []), end, ...skippedLines(files, look)];
}

/** Exit 1 when there are secrets, 2 when something that was named could not be read and nothing was found. */
export async function scanSecrets(context: Context, paths: readonly string[]): Promise<number> {
  if (paths.length === 0) throw usageFault(words.secretsNothing, words.secretsNothingRemedy);
  const input = await inputOf(context, paths);
  return context.with({ headless: true }, async (client) => {
    const files = await client.read("scan.secretFiles", {
      paths: [...paths],
      ...input,
    });
    context.show(files, (look) => renderScannedFiles(files, look));
    if (files.some(({ places }) => places.length > 0)) return Exit.failed;
    return files.some(({ problem }) => problem !== undefined) ? Exit.usage : Exit.done;
  });
}

export const scanSecretsBatch = (context: Context): Promise<number> =>
  context.with({ headless: true }, (client) =>
    runBatch(context, {
      item: textItem,
      ask: (items) => client.read("scan.secrets", { items }),
    }),
  );
