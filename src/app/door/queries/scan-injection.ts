// Instructions to an assistant in texts and files: the scanner of the guard, for people and for measuring.
import path from "node:path";
import { type Scan, scanInjection } from "../../../guard/injection/scan.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import { FileProblem } from "../../../io/files/problem.ts";
import { findFiles } from "../../../io/files/search.ts";
import type { InjectionAnswer, InjectionFile, TextItem } from "../../../protocol/query.ts";
import { factsOf } from "../../program/machine.ts";
import type { Program } from "../../program/program.ts";

const longest = 20_000_000;
const mostFiles = 50_000;
const widest = 100;

export const texts = (items: readonly TextItem[]): InjectionAnswer[] =>
  items.map(({ id, text }) => ({ id, ...scanInjection(text) }));

/** Folders are walked as a search walks them: ignored, hidden and binary files stay out unless they are named. */
export async function files(
  program: Program,
  { paths, input }: { paths: string[]; input?: string },
): Promise<InjectionFile[]> {
  const facts = factsOf(program);
  const found: InjectionFile[] = [];
  for (const given of paths) {
    if (given === "-" && input !== undefined) {
      found.push(fileOf("-", input));
      continue;
    }
    try {
      const { paths: below } = await findFiles(
        program.workspace,
        { path: path.resolve(program.cwd, given), limit: mostFiles },
        () => false,
      );
      for (const each of below) {
        const file = path.resolve(program.workspace, each);
        const { bytes, size } = await readBytes(facts.path(file).real, { limit: longest });
        if (bytes.subarray(0, 8000).includes(0)) continue;
        const shown = shownPath(file, program.cwd);
        if (size > longest) found.push(unread(shown, "it is larger than 20 MB"));
        else found.push(fileOf(shown, new TextDecoder().decode(bytes)));
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      found.push(unread(given, error.message));
    }
  }
  return found;
}

const unread = (shown: string, problem: string): InjectionFile => ({
  path: shown,
  verdict: "clean",
  places: [],
  problem,
});

function shownPath(file: string, cwd: string): string {
  const relative = path.relative(cwd, file);
  return relative.startsWith("..") ? file : relative;
}

function fileOf(shown: string, text: string): InjectionFile {
  const scan = scanInjection(text);
  return { path: shown, verdict: scan.verdict, places: placesOf(text, scan) };
}

function placesOf(text: string, { findings }: Scan): InjectionFile["places"] {
  let line = 1;
  let at = 0;
  return findings.map(({ rule, start, end }) => {
    for (let next = text.indexOf("\n", at); next >= 0 && next < start; next = text.indexOf("\n", at)) {
      line += 1;
      at = next + 1;
    }
    const excerpt = text
      .slice(start, Math.min(end, start + widest))
      .replace(/\s+/g, " ")
      .trim();
    return { line, rule, excerpt };
  });
}
