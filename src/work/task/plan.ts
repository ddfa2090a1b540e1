// The plan as it comes from a model: its schema, what is wrong with one, and how it reads.
import path from "node:path";
import { z } from "zod";
import { Plan, type Intent, type RepositoryMap } from "../../protocol/task.ts";
import type { Json } from "../../protocol/message.ts";
import { isLockfile } from "./stacks/list.ts";

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
    },
  };
}

export interface PlanWorld {
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
  if (plan.files.length > maxFiles) {
    return {
      scope: `The plan touches ${plan.files.length} files, and a task may touch ${maxFiles} (task.max_files). Ask for one part of it: a folder, a module or a single behaviour.`,
    };
  }
  if (plan.background.length > 0)
    return {
      problem: "background processes are not started for a plan yet: let a run step start, ask and end what it needs",
    };
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

const documents = /\.(?:md|mdx|txt|rst|adoc)$|(?:^|\/)(?:LICENSE|NOTICE|AUTHORS|CHANGELOG|README)[^/]*$/i;

/** The express lane: words only, no scripts. */
function documentsOnly(plan: Plan): { problem?: string } {
  const other = plan.files.find(({ path: file }) => !documents.test(file));
  return other ? { problem: `${other.path} is no document, and the task is about documents only` } : {};
}

function inside(file: string): boolean {
  const plain = path.posix.normalize(file);
  const control = plain.split("/").some((part) => part === ".git" || part === ".fettle");
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
    ...plan.acceptance.map(({ command, claim }) => ({ text: command, why: `check: ${claim}` })),
  ];
}

export interface BlastRadius {
  files: number;
  commands: number;
  hosts: number;
  /** 1 to 10. */
  risk: number;
}

const runLater =
  /(?:^|\/)(?:package\.json|Makefile|Dockerfile|[^/]+\.config\.[cm]?[jt]s|conftest\.py|build\.rs|setup\.py|pyproject\.toml|\.npmrc|\.envrc)$|^\.github\/|^\.husky\//;

export function blastRadius(plan: Plan, map: RepositoryMap | undefined): BlastRadius {
  const share = map && map.files > 0 ? plan.files.length / map.files : 0;
  const grave = plan.files.filter(({ path: file, action }) => action === "delete" || runLater.test(file)).length;
  const outward = plan.hosts.length + (plan.commands.install ? 1 : 0) + plan.migrate.length;
  const risk =
    1 + Math.floor(plan.files.length / 5) + grave + outward + (share > 0.25 && plan.files.length > 4 ? 1 : 0);
  return {
    files: plan.files.length,
    commands: plannedCommands(plan).length,
    hosts: plan.hosts.length,
    risk: Math.min(10, risk),
  };
}

/** As a person reads it before it is approved: everything that it holds. */
export function planLines(plan: Plan, blast: BlastRadius, alsoRuns: readonly string[]): string[] {
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
    ...section("fettle runs too", alsoRuns),
    ...section("Hosts", plan.hosts),
    ...section(
      "Dependencies",
      plan.dependencies.map(({ ecosystem, name, version }) => `${ecosystem}: ${name}${version ? ` ${version}` : ""}`),
    ),
    ...section("Risks", plan.risks),
    `Reach: ${blast.files} files, ${blast.commands} commands, ${blast.hosts} hosts; risk ${blast.risk} of 10`,
  ];
}
