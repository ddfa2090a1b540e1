// The plan as it comes from a model: its schema, what is wrong with one, and how it reads.
import path from "node:path";
import { z } from "zod";
import { classifyHost } from "../../../base/address.ts";
import { splitHost } from "../../../base/host-pattern.ts";
import { isHost } from "../../../guard/matching/network-use.ts";
import { type BlastRadius, type FlaggedDependency, Plan } from "../../../protocol/plan.ts";
import type { Intent } from "../../../protocol/task.ts";
import type { Json } from "../../../protocol/message.ts";
import { isLockfile } from "../stacks/list.ts";

export const planSchema = (): Json => z.toJSONSchema(Plan, { io: "input" }) as Json;

/** An empty command is none. */
export function readPlan(value: unknown): { plan: Plan } | { problem: string } {
  const read = Plan.safeParse(value);
  if (!read.success) {
    const issue = read.error.issues[0];
    return { problem: `${issue?.path.map(String).join(".") ?? ""}: ${issue?.message ?? "does not fit"}` };
  }
  const plan = read.data;
  const commands = Object.fromEntries(Object.entries(plan.commands).filter(([, text]) => text && text.trim() !== ""));
  const named = (list: readonly string[]) => list.filter((text) => text.trim() !== "");
  return {
    plan: {
      ...plan,
      commands,
      run: named(plan.run),
      background: named(plan.background),
      migrate: named(plan.migrate),
      seed: named(plan.seed),
      verification: named(plan.verification),
    },
  };
}

interface PlanWorld {
  intent: Intent;
  docsOnly: boolean;
  files: ReadonlySet<string>;
  maxFiles: number;
}

/** `scope`: it reaches too far; everything else the model can mend. */
export function planProblem(
  plan: Plan,
  { intent, docsOnly, files, maxFiles }: PlanWorld,
): { scope?: string; problem?: string } {
  const seen = new Set<string>();
  for (const { path: file, action } of plan.files) {
    if (!inside(file)) return { problem: `${file} is no path inside of the repository` };
    if (seen.has(file)) return { problem: `${file} is planned twice` };
    seen.add(file);
    if (action === "create" && files.has(file)) return { problem: `${file} exists already: plan to modify it` };
    if (action !== "create" && !files.has(file)) return { problem: `${file} does not exist: plan to create it` };
    if (isLockfile(file) && !plan.commands.install) return { problem: `${file} changes only by an install command` };
  }
  if (plan.files.length > maxFiles) return { scope: tooWide(plan, maxFiles) };
  const host = plan.hosts.find((name) => !isPlainHost(name));
  if (host !== undefined)
    return { problem: `${host} is no host: write its name, with a port if it is not 80 or 443, and no wildcard` };
  if (docsOnly) return documentsOnly(plan);
  return testProblem(plan, intent, seen);
}

function testProblem({ test, commands }: Plan, intent: Intent, planned: ReadonlySet<string>) {
  if (intent === "refactor")
    return commands.test ? {} : { problem: "a refactoring needs the command that runs the tests" };
  if (!test) return { problem: "test is missing: the test file that is written first, and what it tests" };
  const unplanned = test.paths.find((file) => !planned.has(file));
  if (unplanned !== undefined) return { problem: `${unplanned} is a test, so it has to be among the files` };
  if (new Set(test.paths).size < test.paths.length) return { problem: "a test is named twice" };
  const [stranger] = test.subject.filter((file) => !planned.has(file));
  if (stranger !== undefined) return { problem: `${stranger} is tested, so it has to be among the files` };
  if (test.subject.some((file) => test.paths.includes(file))) return { problem: "a test does not test itself" };
  return {};
}

const isPlainHost = (name: string): boolean =>
  isHost(name) && name === name.toLowerCase() && classifyHost(splitHost(name).name) !== "metadata";

/** Where most of it lies, so that a person sees what to ask for instead. */
function tooWide({ files }: Plan, maxFiles: number): string {
  const counts = new Map<string, number>();
  for (const { path: file } of files) {
    const folders = file.split("/").slice(0, -1).slice(0, 2);
    const folder = folders.length > 0 ? `${folders.join("/")}/` : "the top";
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const folders = [...counts].toSorted(([one, left], [other, right]) => right - left || one.localeCompare(other));
  const named = folders.slice(0, 5).map(([folder, count]) => `${folder} (${count})`);
  const more = folders.length > named.length ? ` and ${folders.length - named.length} more folders` : "";
  return (
    `The plan touches ${files.length} files, and a task may touch ${maxFiles} (task.max_files). ` +
    `Most of them are in ${named.join(", ")}${more}. ` +
    "Ask for one part of it: a folder, a module or a single behaviour."
  );
}

const documents = /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG|README)[^/]*$/i;

/** The express lane: words only, no scripts. */
function documentsOnly(plan: Plan): { problem?: string } {
  const other = plan.files.find(({ path: file }) => !documents.test(file));
  return other ? { problem: `${other.path} is no document, and the task is about documents only` } : {};
}

function inside(file: string): boolean {
  const plain = path.posix.normalize(file);
  const control = plain.split("/").some((part) => /^(?:\.git|\.fettle|git~1)$/i.test(part.replace(/[ .]+$/, "")));
  return (
    plain === file &&
    !path.posix.isAbsolute(file) &&
    !plain.startsWith("..") &&
    plain !== "." &&
    !control &&
    !/[\0\n\r]/.test(file)
  );
}

/** Every command that the plan would run, with what for. */
export function plannedCommands(plan: Plan): { text: string; why: string }[] {
  const { install, compile, lint, test } = plan.commands;
  const one = (why: string, text: string | undefined) => (text ? [{ text, why }] : []);
  const many = (why: string, list: readonly string[]) => list.map((text) => ({ text, why }));
  return [
    ...one("install", install),
    ...one("compile", compile),
    ...one("lint", lint),
    ...one("test", test),
    ...many("migrate", plan.migrate),
    ...many("seed", plan.seed),
    ...many("background", plan.background),
    ...many("run", plan.run),
    ...many("verification", plan.verification),
    ...plan.acceptance.map(({ command, claim }) => ({ text: command, why: `check: ${claim}` })),
  ];
}

export interface Shown {
  blast: BlastRadius;
  /** Commands that fettle runs too. */
  also: readonly string[];
  flagged: readonly FlaggedDependency[];
  /** What else a person should know of it. */
  notes: readonly string[];
}

/** As a person reads it before it is approved: everything that it holds. */
export function planLines(plan: Plan, { blast, also, flagged, notes }: Shown): string[] {
  const section = (title: string, lines: readonly string[]) =>
    lines.length > 0 ? [title, ...lines.map((line) => `  ${line}`)] : [];
  return [
    plan.summary,
    ...section(
      "Files",
      plan.files.map(({ path: file, action, intent }) => `${action} ${file}  ${intent}`),
    ),
    ...(plan.test ? section("Test first", [`${plan.test.paths.join(", ")} (of ${plan.test.subject.join(", ")})`]) : []),
    ...section(
      "Commands",
      plannedCommands(plan).map(({ text, why }) => `${text}  (${why})`),
    ),
    ...section("fettle runs too", also),
    ...section("Hosts, for these commands while they run", plan.hosts),
    ...section(
      "Dependencies",
      plan.dependencies.map(({ ecosystem, name, version }) => `${ecosystem}: ${name}${version ? ` ${version}` : ""}`),
    ),
    ...section("Suspicious dependencies", flagged.flatMap(flaggedLines)),
    ...section("Risks", plan.risks),
    ...section("To know", notes),
    ...section("Reach", blastLines(blast)),
  ];
}

const many = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

const flaggedLines = ({ ecosystem, name, flags, opinion }: FlaggedDependency): string[] => [
  ...flags.map((flag) => `${name} (${ecosystem}): ${flag}`),
  `${name}: second opinion ${opinion.verdict}: ${opinion.reason}`,
];

function blastLines({ files, lines, commands, hosts, dependents, untested, sources, risk }: BlastRadius): string[] {
  const first = (list: readonly string[]) =>
    `${list.slice(0, 5).join(", ")}${list.length > 5 ? ` and ${list.length - 5} more` : ""}`;
  const tests = untested.length === 0 ? "a test names every source that changes" : `no test names ${first(untested)}`;
  return [
    `${many(files, "file")} (about ${many(lines, "line")}), ${many(commands, "command")}, ${many(hosts, "host")}`,
    dependents.length === 0
      ? "no other file takes in what changes"
      : `what changes is taken in by ${many(dependents.length, "other file")}: ${first(dependents)}`,
    ...(sources === 0 ? [] : [tests]),
    `risk ${risk} of 10`,
  ];
}
