// Secrets in files, folders and standard input; the batch answers for measuring.
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ScannedFile } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import type { Look } from "../../text/style.ts";
import { wrap } from "../../text/width.ts";
import { runBatch } from "../../host/batch.ts";
import { inputOf, textItem } from "./input.ts";
import { phrases } from "../../text/phrases.ts";
import { plural } from "../../text/amounts.ts";

const words = phrases({
  en: {
    andMore: (count: number) => ` and ${count} more`,
    noSecrets: (files: number) => `No secrets in ${plural(files, "file")}.`,
    notScanned: (count: number, why: string, names: string) => `Not scanned (${why}): ${count}, ${names}`,
    secrets: (count: number, files: number) => `${plural(count, "secret")} in ${plural(files, "file")}.`,
    secretsNothing: "No file is named.",
    secretsNothingRemedy: "Name files or folders, or - for standard input: fettle scan secrets src .env",
    skipped: {
      ignored: "ignored by .gitignore",
      binary: "no text",
      link: "links, which are not followed",
      git: "git's own data",
      other: "no files",
    },
    notRead: (problem: string) => `not read: ${problem}`,
  },
});

const shownNames = 5;

function renderScannedFiles(files: readonly ScannedFile[], { style, width }: Look): string[] {
  const lines: string[] = [];
  for (const { path, places, problem } of files) {
    if (problem !== undefined) lines.push(`${style.yellow(escapeLine(path))}  ${escapeLine(words.notRead(problem))}`);
    for (const { line, rule, excerpt } of places)
      lines.push(`${style.bold(escapeLine(path))}:${line}  ${style.red(rule)}  ${escapeLine(excerpt)}`);
  }
  const found = files.filter(({ places }) => places.length > 0);
  const count = found.reduce((sum, { places }) => sum + places.length, 0);
  const read = files.filter(({ problem, skipped }) => problem === undefined && skipped === undefined).length;
  const end = count > 0 ? style.red(words.secrets(count, found.length)) : style.green(words.noSecrets(read));
  const rest = skippedLines(files).flatMap((line) => wrap(line, width));
  return [...lines, ...(count > 0 ? [""] : []), end, ...rest.map(style.dim)];
}

/** A line for each reason, with the first names. */
function skippedLines(files: readonly ScannedFile[]): string[] {
  return (Object.keys(words.skipped) as (keyof typeof words.skipped)[]).flatMap((why) => {
    const names = files.filter(({ skipped }) => skipped === why).map(({ path }) => escapeLine(path));
    if (names.length === 0) return [];
    const some = names.slice(0, shownNames).join(", ");
    const more = names.length > shownNames ? words.andMore(names.length - shownNames) : "";
    return [words.notScanned(names.length, words.skipped[why], some + more)];
  });
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
