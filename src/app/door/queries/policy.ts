// What policy says, and what would come of it. Nothing here acts.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { assess } from "../../../guard/assess/assess.ts";
import { explain, fixedFacts } from "../../../guard/explain.ts";
import { opinions } from "../../../guard/opinions.ts";
import { tryExamples } from "../../../guard/policy-trial.ts";
import { ruleMatcher } from "../../../guard/rule-matcher.ts";
import { configFiles, policyFilesOf } from "../../../io/config/load.ts";
import { type MergedPolicy, mergePolicy, type PolicyFile, type PolicySettings } from "../../../io/config/policy.ts";
import { policyLimitKeys } from "../../../io/config/policy-keys.ts";
import { measures } from "../../../io/config/policy-measures.ts";
import { checkExamples } from "../../../io/config/rule-examples.ts";
import { nearestKey } from "../../../base/edit-distance.ts";
import { differences, shownRule, shownValue, termsOf } from "../../../io/config/terms.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type {
  PolicyCheck,
  PolicyDifference,
  PolicyFileArgs,
  PolicyLimitRow,
  PolicyProblem,
  PolicyTestRow,
} from "../../../protocol/policy.ts";
import type { PolicyOpinions } from "../../../protocol/query.ts";
import { builtinTools } from "../../../tools/builtin.ts";
import { createRegistry } from "../../../tools/registry.ts";
import { factsOf } from "../../program/machine.ts";
import { configOptions, type Program } from "../../program/program.ts";
import type { QueryContext } from "./context.ts";
import { resumedTerms } from "../../record/terms.ts";
import { newContext } from "../../session/new-context.ts";
import { current } from "./sessions.ts";
import { readNamedPolicy } from "../../record/policy-file.ts";

/** The policy files in order of authority, each as far as it exists, with the named one in its place. */
function filesFor(program: Program, { file, as }: PolicyFileArgs): { files: PolicyFile[]; named?: PolicyFile } {
  const options = configOptions(program);
  if (file === undefined) return { files: policyFilesOf(options) };
  const full = path.resolve(program.cwd, file);
  const own = configFiles(options).find((known) => known.path === full && known.layer.endsWith("policy"));
  const byName = path.basename(full) === "team.toml" || own?.layer === "team policy" ? "team" : undefined;
  const level = as ?? byName ?? (own?.layer === "user policy" ? "user" : "machine");
  const named = readNamedPolicy(program, file, level);
  const order = ["machine", "user", "team"];
  const above = policyFilesOf(options).filter((each) => order.indexOf(each.level) < order.indexOf(level));
  return { files: [...above, named], named };
}

/** What is wrong is an answer here, not an error. */
function attempt<T>(problems: PolicyProblem[], kind: PolicyProblem["kind"], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    problems.push({ kind, text: error.message });
    return undefined;
  }
}

export async function check(program: Program, args: PolicyFileArgs): Promise<PolicyCheck> {
  const problems: PolicyProblem[] = [];
  const notices: string[] = [];
  const read = attempt(problems, "file", () => filesFor(program, args));
  const merged = read && attempt(problems, "file", () => mergePolicy(read.files));
  if (!read || !merged) return { ok: false, files: [], problems, notices };
  const { policy } = merged;
  const matches = ruleMatcher(fixedFacts(program.workspace));
  for (const rule of [...policy.denyRules, ...policy.askRules])
    attempt(problems, "rule", () => checkExamples([rule], matches));
  for (const row of trial(program, merged).filter(({ ok }) => !ok))
    problems.push({ kind: "example", text: missed(row) });
  for (const draft of merged.drafts)
    notices.push(`${draft}: policy_enforced is false, so this policy is not in force.`);
  return { ok: problems.length === 0, files: read.files.map((file) => described(file, merged)), problems, notices };
}

const missed = ({ place, tool, input, expect, expectRule, verdict, rule }: PolicyTestRow): string => {
  const by = expectRule === undefined ? "" : ` (${expectRule})`;
  return `${place}: ${callText(tool, input)} comes to ${verdict} (${rule}), not ${expect}${by}.`;
};

const callText = (tool: string, input: Json): string => {
  const { command } = (typeof input === "object" && !Array.isArray(input) && input) || {};
  return tool === "shell" && typeof command === "string" ? `\`${command}\`` : `${tool} ${JSON.stringify(input)}`;
};

function described({ file, level }: PolicyFile, merged: MergedPolicy): PolicyCheck["files"][number] {
  const own = (place: string) => place.startsWith(`${file}:`);
  const said = merged.sayings.filter(({ place }) => own(place));
  const rules = said.filter(({ key }) => key === "rules");
  return {
    ...{ level, file, enforced: !merged.drafts.includes(file) },
    limits: said.length - rules.length,
    rules: rules.reduce((sum, { value }) => sum + (Array.isArray(value) ? value.length : 0), 0),
    examples: merged.examples.filter(({ place }) => own(place)).length,
  };
}

function trial(program: Program, { policy, examples }: MergedPolicy): PolicyTestRow[] {
  const registry = createRegistry(builtinTools);
  const toAction = (tool: string, input: Json) => registry.parse(tool, input);
  return tryExamples(examples, policy, { workspace: program.workspace, toAction });
}

/** A file is tried with those above it, as it would be in force; its own examples only. Rejects with a Fault for a broken one. */
export async function test(program: Program, args: PolicyFileArgs): Promise<PolicyTestRow[]> {
  const { files, named } = filesFor(program, args);
  const rows = trial(program, mergePolicy(files));
  return named ? rows.filter(({ place }) => place.startsWith(`${named.file}:`)) : rows;
}

/** Every limit, or the one of that name. In a session: those that are in force there. */
export async function limits({ program, running }: QueryContext, key?: string): Promise<PolicyLimitRow[]> {
  const assembly = await running();
  const config = program.config();
  const rows = rowsOf(assembly?.terms.current.policy ?? config.policy, config.policyFiles.sayings);
  if (key === undefined) return rows;
  const found = rows.filter((row) => row.key === key || row.key.endsWith(`.${key}`));
  if (found.length > 0) return found;
  const names = rows.flatMap((row) => [row.key, row.key.slice(row.key.indexOf(".") + 1)]);
  const near = nearestKey(key, names);
  throw new Fault(
    "policy.unknown-key",
    Exit.usage,
    `There is no limit ${key}.`,
    near ? `Did you mean ${near}?` : "List them: fettle policy explain",
  );
}

function rowsOf(policy: PolicySettings, sayings: MergedPolicy["sayings"]): PolicyLimitRow[] {
  const keys = policyLimitKeys.filter(
    ({ path: words }) => words.at(-1) !== "policy_enforced" && words[0] !== "examples",
  );
  return keys.map(({ path: words, description }) => {
    const key = words.join(".");
    const name = words.at(-1) ?? "";
    const fields = measures.filter((measure) => measure.key === key);
    const values = fields.map(({ field }) => shownValue(policy[field]));
    const value = key === "rules" ? values.flat() : (values[0] ?? null);
    const place = policy.places[name];
    const said = sayings
      .filter((saying) => saying.key === key)
      .map(({ level, value: of, place: at, enforced }) => ({ level, value: shownSaying(of), place: at, enforced }));
    return { key, value, ...(place !== undefined && { place }), description, said };
  });
}

const shownSaying = (value: Json): Json =>
  Array.isArray(value)
    ? value.map((each) => (typeof each === "object" && each !== null ? shownRule(each as never) : each))
    : value;

/** What each limit and permit says of a command here and now. */
export async function opinionsOf({ program, running }: QueryContext, command: string): Promise<PolicyOpinions> {
  const assembly = await running();
  const context = { ...(assembly?.seen.context() ?? newContext(program)), workspace: program.workspace };
  const facts = factsOf(program);
  const assessment = assess({ kind: "shell", command, background: false }, facts);
  return { ...explain(command, facts, context), opinions: opinions(assessment, context) };
}

/** What a person may accept by now, in the running session or the one that the flags name. */
export async function waiting(context: QueryContext): Promise<PolicyDifference[]> {
  const running = await context.running();
  if (running) return running.terms.waiting();
  const session = await current(context);
  const fresh = termsOf(context.program.config());
  return session ? differences(resumedTerms(session.state.terms, fresh), fresh) : [];
}
