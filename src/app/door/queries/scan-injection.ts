// Instructions to an assistant in texts and files: the scanner of the guard, for people and for measuring.
import { type Scan, scanInjection } from "../../../guard/injection/scan.ts";
import type { InjectionAnswer, InjectionFile, TextItem } from "../../../protocol/query.ts";
import type { Program } from "../../program/program.ts";
import { scanFiles } from "./scan-files.ts";

const widest = 100;

export const texts = (items: readonly TextItem[]): InjectionAnswer[] =>
  items.map(({ id, text }) => ({ id, ...scanInjection(text) }));

export const files = (program: Program, given: { paths: string[]; input?: string }): Promise<InjectionFile[]> =>
  scanFiles<InjectionFile>(program, given, {
    look: fileOf,
    leave: (left) => ({ verdict: "clean", places: [], ...left }),
  });

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
