// Draws commands, judges them, runs what would run unasked, and makes what differs as short as possible.
import path from "node:path";
import { assess } from "../../../src/guard/assess/assess.ts";
import type { Facts } from "../../../src/guard/contract/ports.ts";
import { createFacts } from "../../../src/io/facts.ts";
import type { Assessment } from "../../../src/protocol/effect.ts";
import { Random } from "../random.ts";
import { difference, type Finding } from "./compare.ts";
import { Grammar, type Installed } from "./grammar.ts";
import { installedInterpreters, packageForms, runnableModules } from "./helped.ts";
import { openOuter, type Outer, shells } from "./outer.ts";
import { addHelp, type Form, installedForms, isInstalled } from "./programs.ts";

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
  /** Ends at the first difference of these kinds; others are passed over. */
  first?: readonly Finding["kind"][];
  /** Counts as run without being run: this cannot differ. */
  passes?(command: string, judged: Assessment): boolean;
  told?(found: Found): void;
}

export interface Bench {
  outer: Outer;
  forms: Form[];
  installed: Installed;
  facts: Facts;
  judge(command: string): Assessment;
  check(command: string, shell: readonly string[]): Promise<(Finding & { risk: string }) | undefined>;
}

export async function openBench(): Promise<Bench> {
  const outer = openOuter();
  const at = (name: string) => path.join(outer.base, name);
  const here: Facts = createFacts({
    workspace: at("w"),
    home: at("home"),
    temporary: at("tmp"),
    own: [],
    env: {},
    extraFolders: [],
  });
  // What the outer sandbox shows below /opt, a machine may have in a folder of its system.
  const facts: Facts = {
    ...here,
    systemProgram: (name) => here.systemProgram(name) ?? (isInstalled(name) ? `/usr/bin/${name}` : undefined),
  };
  const judge = (command: string) => assess({ kind: "shell", command, background: false }, facts);
  const forms = installedForms();
  await addHelp(forms, outer);
  const installed = {
    modules: await runnableModules(outer),
    interpreters: installedInterpreters(),
    packages: await packageForms(outer, (command) => judge(command).risk <= "L1"),
  };
  return {
    outer,
    forms,
    installed,
    facts,
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
async function shrink(
  bench: Bench,
  { command, shell, kind }: Pick<Found, "command" | "kind"> & { shell: readonly string[] },
  passes: HuntOptions["passes"],
): Promise<string> {
  const differs = async (candidate: string): Promise<boolean> =>
    passes?.(candidate, bench.judge(candidate)) !== true && (await bench.check(candidate, shell))?.kind === kind;
  let best = command;
  let tries = 0;
  for (const split of [/(?<=[;|&\n])|(?=[;|&\n])/, /(?<=\s)|(?=\s)/, /(?:)/]) {
    for (let size = Math.max(1, Math.floor(best.split(split).length / 2)); size >= 1; size = Math.floor(size / 2)) {
      for (let from = 0; from < best.split(split).length && tries < 300; ) {
        const pieces = best.split(split);
        const candidate = pieces.toSpliced(from, size).join("");
        tries += 1;
        if (candidate.trim() !== "" && (await differs(candidate))) best = candidate;
        else from += size;
      }
    }
  }
  return best;
}

/** Whether it is a part that cannot be meant that differs. */
async function otherwise(
  bench: Bench,
  command: string,
  shell: readonly string[],
  passes: HuntOptions["passes"],
): Promise<boolean> {
  if (!passes) return false;
  for (const part of command.split(/[;&|\n(){}]+\s*(?:do |then )?/)) {
    if (part.trim() === "" || !passes(part, bench.judge(part))) continue;
    if (await bench.check(part, shell)) return true;
  }
  return false;
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
  const grammar = new Grammar(random, bench.forms, bench.installed);
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
    const passes = options.passes?.(command, judged) === true;
    const [seen] = passes ? [] : await bench.outer.run([{ shell, command }]);
    result.ran += 1;
    result.byShell[shell[0] ?? ""] = (result.byShell[shell[0] ?? ""] ?? 0) + 1;
    if (form) result.rows.set(nameOf(form), (result.rows.get(nameOf(form)) ?? 0) + 1);
    const found = seen && difference(judged, seen, bench.outer.base);
    if (!found || (options.first && !options.first.includes(found.kind))) continue;
    if (await otherwise(bench, command, shell, options.passes)) continue;
    const short = await shrink(bench, { command, shell, kind: found.kind }, options.passes);
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
