// How a person's rules meet an assessment: an allowing rule must cover every effect, a forbidding one touch any.
import type { Assessment, Effect } from "../../protocol/effect.ts";
import type { DecideContext, Rule } from "../contract/ports.ts";
import { hostMatches, pathMatches } from "./patterns.ts";
import { argumentsOf, baseName, type Word, wordsOf } from "./words.ts";

/** Strict: matches only what the rule surely means (allow). Wide: matches all that it could mean (ask, deny). */
type Reading = "strict" | "wide";

interface About {
  assessment: Assessment;
  workspace: string | undefined;
}

/** Rules that were read from one list keep their number in it. */
interface NumberedRule {
  rule: Rule;
  index: number;
}

export const numbered = (rules: readonly Rule[], action: Rule["action"]): NumberedRule[] =>
  rules.flatMap((rule, index) => (rule.action === action ? [{ rule, index }] : []));

/** Whether the rule's own action would come to bear: every effect covered for `allow`, any touched for `ask` and `deny`. */
export function ruleApplies(rule: Rule, assessment: Assessment, workspace?: string): boolean {
  const about = { assessment, workspace };
  if (rule.action !== "allow") {
    return [...assessment.effects, ...unknowns(assessment)].some((effect) => touches(rule, effect, "wide", about));
  }
  const effects = assessment.effects.filter((effect) => !harmless(effect, assessment));
  return (
    effects.length > 0 &&
    effects.every((effect) => touches(rule, effect, "strict", about)) &&
    nothingBeside(assessment, (effect) => touches(rule, effect, "strict", about))
  );
}

/** `export PATH=.; npm ci`: a part that is asked for and has no effect of its own is what no rule has named. */
function nothingBeside({ reasons, effects }: Assessment, named: (effect: Effect) => boolean): boolean {
  return reasons.every(
    ({ risk, part }) =>
      risk === "L0" ||
      risk === "L1" ||
      part === undefined ||
      effects.some((effect) => effect.part === part && named(effect)),
  );
}

/** Reading ordinary files of the workspace needs nobody's rule. */
const harmless = (effect: Effect, { tags }: Assessment): boolean =>
  effect.kind === "read" && !tags.includes("outside") && !tags.includes("sensitive-read");

/**
 * Per effect the most specific of the allow and ask rules counts, an ask rule on equal terms.
 * `allowed`: the rules by which every effect is allowed; undefined when one is not. `asked`: a rule that asks.
 */
export function weighRules(
  assessment: Assessment,
  context: DecideContext,
): { allowed: NumberedRule | undefined; asked: NumberedRule | undefined } {
  if (context.rules.length === 0) return { allowed: undefined, asked: undefined };
  const allows = numbered(context.rules, "allow");
  const asks = numbered(context.rules, "ask");
  let allowed: NumberedRule | undefined;
  let uncovered = false;
  const about = { assessment, workspace: context.workspace };
  for (const effect of unknowns(assessment)) {
    const ask = best(asks, effect, "wide", about);
    if (ask) return { allowed: undefined, asked: ask };
  }
  for (const effect of assessment.effects) {
    const allow = best(allows, effect, "strict", about);
    const ask = best(asks, effect, "wide", about);
    if (ask && (!allow || specificity(ask.rule) >= specificity(allow.rule))) return { allowed: undefined, asked: ask };
    if (allow) allowed ??= allow;
    else if (!harmless(effect, assessment)) uncovered = true;
  }
  const named = (effect: Effect) => best(allows, effect, "strict", about) !== undefined;
  if (uncovered || !nothingBeside(assessment, named)) return { allowed: undefined, asked: undefined };
  return { allowed, asked: undefined };
}

function best(rules: NumberedRule[], effect: Effect, reading: Reading, about: About): NumberedRule | undefined {
  let found: NumberedRule | undefined;
  for (const each of rules) {
    if (!touches(each.rule, effect, reading, about)) continue;
    if (!found || specificity(each.rule) > specificity(found.rule)) found = each;
  }
  return found;
}

/** Literal words, then longer paths and hosts, weigh more than wildcards. */
function specificity(rule: Rule): number {
  const literal = (texts: readonly string[] | undefined) =>
    Math.max(0, ...(texts ?? []).map((text) => text.replace(/\*+/g, "").length));
  const words = (rule.args ?? []).reduce((sum, word) => sum + (word === "**" ? 0 : word === "*" ? 1 : 20), 0);
  return (rule.effect ? 5 : 0) + (rule.program ? 20 : 0) + words + literal(rule.paths) + literal(rule.hosts);
}

/** Every condition that can be asked of this kind of effect holds, and at least one could be asked. */
function touches(rule: Rule, effect: Effect, reading: Reading, { assessment, workspace }: About): boolean {
  let positive = false;
  if (rule.effect) {
    if (!rule.effect.includes(effect.kind)) return false;
    positive = true;
  }
  if (rule.program !== undefined || rule.args !== undefined) {
    const matches = reading === "strict" ? commandIs(rule, effect) : commandMayBe(rule, effect, assessment);
    if (!matches) return false;
    positive = true;
  }
  const wide = reading === "wide";
  if (rule.paths) {
    const meets = ({ target }: Effect) =>
      rule.paths?.some((glob) => pathMatches(target, glob, workspace, wide)) === true;
    if (!ofPart(effect, assessment, isPath, meets)) return false;
    positive = true;
  }
  if (rule.hosts) {
    const meets = ({ target, part }: Effect) =>
      rule.hosts?.some((host) => hostMatches(target, host, wide, part)) === true;
    if (!ofPart(effect, assessment, isNetwork, meets)) return false;
    positive = true;
  }
  return positive || (wide && !rule.effect && !rule.program && !rule.args && !rule.paths && !rule.hosts);
}

const isPath = ({ kind }: Effect): boolean => kind === "read" || kind === "write" || kind === "delete";
const isNetwork = ({ kind }: Effect): boolean => kind === "network";

/** The condition holds of the effect itself, or, where it is of another kind, of one that the same part causes. */
function ofPart(
  effect: Effect,
  { effects }: Assessment,
  asked: (effect: Effect) => boolean,
  holds: (effect: Effect) => boolean,
): boolean {
  if (asked(effect)) return holds(effect);
  return effects.some((other) => other.part === effect.part && asked(other) && holds(other));
}

function commandIs(rule: Rule, { part }: Effect): boolean {
  const words = part === undefined ? undefined : wordsOf(part);
  return words !== undefined && isNamed(rule, words[0]) && argsMatch(rule.args, words.slice(1));
}

/** Tags of what may run a program that nobody could see: any of its words may be the program. */
const unclear = ["dynamic", "unparseable", "unknown-program", "unknown-option", "interpreter", "install"];

/** Everywhere else the gate has named every program that runs, so `grep terraform` is no terraform. */
function commandMayBe(rule: Rule, { kind, target, part }: Effect, { effects, tags }: Assessment): boolean {
  const programs = effects.filter((each) => each.kind === "execute" && each.part === part).map((each) => each.target);
  const named = [...programs, ...(kind === "execute" ? [target] : [])].some((one) => programMatches(rule, one));
  const words = part === undefined ? undefined : argumentsOf(part);
  if (!words) return named || (part !== undefined && part.includes(baseName(rule.program ?? "")));
  if (named) return contains(words, rule.args);
  const blind = tags.some((tag) => unclear.includes(tag));
  const first = words.findIndex((word) => word === undefined || !/^\w+\+?=/.test(word));
  return words.some((word, at) => {
    const may = blind ? word === undefined || programMatches(rule, word) : at === first && programMatches(rule, word);
    return may && contains(words.slice(at), rule.args);
  });
}

/** A command word that nobody could resolve has no effect of its own, and may be any program. */
function unknowns({ tags, reasons, effects }: Assessment): Effect[] {
  if (!tags.includes("dynamic") && !tags.includes("unparseable")) return [];
  const told = new Set(effects.map(({ part }) => part));
  const parts = reasons.filter(({ risk, part }) => risk !== "L0" && part !== undefined && !told.has(part));
  return parts.map(({ part }) => ({ kind: "execute", target: "", part: part ?? "", undo: "irreversible" }));
}

/** `./npm` is not the `npm` that a person allowed; a path in a system folder is. */
function isNamed(rule: Rule, word: Word): boolean {
  if (word === undefined) return false;
  if (rule.program === undefined || rule.program === "*" || rule.program === word) return true;
  return /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(word) && baseName(word) === rule.program;
}

function programMatches(rule: Rule, word: Word): boolean {
  if (word === undefined) return false;
  if (rule.program === undefined || rule.program === "*") return true;
  return rule.program.includes("/") ? rule.program === word : rule.program === baseName(word);
}

/** All words, one by one; `**` takes the rest. Without a list any words will do. */
function argsMatch(wanted: readonly string[] | undefined, words: readonly Word[]): boolean {
  if (!wanted) return !words.includes(undefined);
  for (const [at, pattern] of wanted.entries()) {
    if (pattern === "**") return !words.slice(at).includes(undefined);
    const word = words[at];
    if (word === undefined || (pattern !== "*" && pattern !== word)) return false;
  }
  return words.length === wanted.length;
}

/** The literal words in their order, whatever stands between; a word that is not known yet may be any of them. */
function contains(words: readonly Word[], wanted: readonly string[] | undefined): boolean {
  let at = 0;
  for (const pattern of wanted ?? []) {
    if (pattern === "*" || pattern === "**") continue;
    while (at < words.length && words[at] !== undefined && words[at] !== pattern) at += 1;
    if (at >= words.length) return false;
    if (words[at] !== undefined) at += 1;
  }
  return true;
}
