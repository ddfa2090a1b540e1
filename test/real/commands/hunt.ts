// Draws commands, judges them, runs what would run unasked, and makes what differs as short as possible.
import path from "node:path";
import { assess } from "../../../src/guard/assess/assess.ts";
import type { Facts } from "../../../src/guard/contract/ports.ts";
import { createFacts } from "../../../src/io/facts.ts";
import type { Assessment } from "../../../src/protocol/effect.ts";
import { Random } from "../random.ts";
import { difference, type Finding } from "./compare.ts";
import { Grammar } from "./grammar.ts";
import { openOuter, type Outer, shells } from "./outer.ts";
import { addHelp, type Form, installedForms } from "./programs.ts";

export interface Found extends Finding {
  seed: number;
  shell: string;
  command: string;
  risk: string;
  /** How many commands had run by then. */
  after: number;
}

export interface Hunted {
  seed: number;
  drawn: number;
  ran: number;
  seconds: number;
  byShell: Record<string, number>;
  /** Runs by row of the tables, of rows at L0. */
  rows: Map<string, number>;
  found: Found[];
}

export interface HuntOptions {
  seed: number;
  /** Commands to run. */
  runs: number;
  /** Runs of every row at L0, before anything else. */
  perRow: number;
  milliseconds?: number;
  /** Ends at the first difference. */
  first?: boolean;
  told?(found: Found): void;
}

export interface Bench {
  outer: Outer;
  forms: Form[];
  judge(command: string): Assessment;
  check(command: string, shell: readonly string[]): Promise<(Finding & { risk: string }) | undefined>;
}

export async function openBench(): Promise<Bench> {
  const outer = openOuter();
  const at = (name: string) => path.join(outer.base, name);
  const facts: Facts = createFacts({
    workspace: at("w"),
    home: at("home"),
    temporary: at("tmp"),
    own: [],
    extraFolders: [],
  });
  const judge = (command: string) => assess({ kind: "shell", command, background: false }, facts);
  const forms = installedForms();
  await addHelp(forms, outer);
  return {
    outer,
    forms,
    judge,
    async check(command, shell) {
      const judged = judge(command);
      if (judged.risk > "L1") return undefined;
      const [seen] = await outer.run([{ shell, command }]);
      const found = seen && difference(judged, seen, outer.base);
      return found && { ...found, risk: judged.risk };
    },
  };
}

/** Takes words out, then characters, as long as the same kind of difference is left. */
async function shrink(bench: Bench, command: string, shell: readonly string[], kind: string): Promise<string> {
  let best = command;
  let tries = 0;
  for (const split of [/(?<=[;|&\n])|(?=[;|&\n])/, /(?<=\s)|(?=\s)/, /(?:)/]) {
    for (let size = Math.max(1, Math.floor(best.split(split).length / 2)); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < best.split(split).length && tries < 300; ) {
        const pieces = best.split(split);
        const candidate = pieces.toSpliced(from, size).join("");
        tries += 1;
        if (candidate.trim() !== "" && (await bench.check(candidate, shell))?.kind === kind) best = candidate;
        else from += size;
      }
    }
  }
  return best;
}

/** Means something else to other shells; fettle runs them only where there is no bash. */
const onlyBash = /\$'|[<>]\(|&>|>&|\[\[|\(\(|<<<|\{[^}]*(,|\.\.)|\{fd\}|\$\[|@\}|coproc|pushd|popd|\+=/;

const nameOf = ({ words, names }: Form): string => [...words, names[0]].join(" ");

/** The forms whose turn it is: every row at L0 first, as long as it gets its runs, then none, for anything. */
function* turns(
  forms: readonly Form[],
  { perRow }: HuntOptions,
  rows: Map<string, number>,
): Generator<Form | undefined> {
  const free = forms.filter(({ risk }) => risk === "L0");
  for (const form of free) {
    for (let tries = 0; tries < perRow * 12 && (rows.get(nameOf(form)) ?? 0) < perRow; tries += 1) yield form;
  }
  for (;;) yield undefined;
}

export async function hunt(bench: Bench, options: HuntOptions): Promise<Hunted> {
  const { seed, runs, milliseconds = Number.POSITIVE_INFINITY } = options;
  const random = new Random(seed);
  const grammar = new Grammar(random, bench.forms);
  const started = performance.now();
  const result: Hunted = { seed, drawn: 0, ran: 0, seconds: 0, byShell: {}, rows: new Map(), found: [] };
  const kept = new Set<string>();
  const elapsed = () => performance.now() - started;
  for (const form of turns(bench.forms, options, result.rows)) {
    if (result.ran >= runs || elapsed() > milliseconds || result.drawn > runs * 60) break;
    const command = grammar.command(form);
    const shell = random.chance(0.7) || onlyBash.test(command) ? ["bash"] : random.pick(shells);
    result.drawn += 1;
    const judged = bench.judge(command);
    if (judged.risk > "L1") continue;
    const [seen] = await bench.outer.run([{ shell, command }]);
    result.ran += 1;
    result.byShell[shell[0] ?? ""] = (result.byShell[shell[0] ?? ""] ?? 0) + 1;
    if (form) result.rows.set(nameOf(form), (result.rows.get(nameOf(form)) ?? 0) + 1);
    const found = seen && difference(judged, seen, bench.outer.base);
    if (!found) continue;
    const short = await shrink(bench, command, shell, found.kind);
    const last = (await bench.check(short, shell)) ?? { ...found, risk: judged.risk };
    const key = `${last.kind} ${last.what} ${short.replaceAll(/[\d\s'"]+|a\.txt|b\.txt/g, "")}`;
    if (kept.has(key)) continue;
    kept.add(key);
    const one = { ...last, seed, shell: shell.join(" "), command: short, after: result.ran };
    result.found.push(one);
    options.told?.(one);
    if (options.first) break;
  }
  result.seconds = elapsed() / 1000;
  return result;
}
