// How a person's rules meet an assessment: an allowing rule must cover every effect, a forbidding one touch any.
import type { Assessment, Effect } from "../../protocol/effect.ts";
import type { DecideContext, Rule } from "../ports.ts";
import { hostMatches, pathMatches } from "./patterns.ts";
import { baseName, type Word, wordsOf } from "./words.ts";

/** Strict: matches only what the rule surely means (allow). Wide: matches all that it could mean (ask, deny). */
type Reading = "strict" | "wide";

/** Rules that were read from one list keep their number in it. */
export interface NumberedRule {
  rule: Rule;
  index: number;
}

export const numbered = (rules: readonly Rule[], action: Rule["action"]): NumberedRule[] =>
  rules.flatMap((rule, index) => (rule.action === action ? [{ rule, index }] : []));

/** Whether the rule's own action would come to bear: every effect covered for `allow`, any touched for `ask` and `deny`. */
export function ruleApplies(rule: Rule, assessment: Assessment, workspace?: string): boolean {
  if (rule.action !== "allow") return assessment.effects.some((effect) => touches(rule, effect, "wide", workspace));
  const effects = assessment.effects.filter((effect) => !harmless(effect, assessment));
  return (
    effects.length > 0 &&
    effects.every((effect) => touches(rule, effect, "strict", workspace)) &&
    nothingBeside(assessment, (effect) => touches(rule, effect, "strict", workspace))
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
  for (const effect of assessment.effects) {
    const allow = best(allows, effect, "strict", context.workspace);
    const ask = best(asks, effect, "wide", context.workspace);
    if (ask && (!allow || specificity(ask.rule) >= specificity(allow.rule))) return { allowed: undefined, asked: ask };
    if (allow) allowed ??= allow;
    else if (!harmless(effect, assessment)) uncovered = true;
  }
  const named = (effect: Effect) => best(allows, effect, "strict", context.workspace) !== undefined;
  if (uncovered || !nothingBeside(assessment, named)) return { allowed: undefined, asked: undefined };
  return { allowed, asked: undefined };
}

function best(rules: NumberedRule[], effect: Effect, reading: Reading, workspace?: string): NumberedRule | undefined {
  let found: NumberedRule | undefined;
  for (const each of rules) {
    if (!touches(each.rule, effect, reading, workspace)) continue;
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
function touches(rule: Rule, effect: Effect, reading: Reading, workspace: string | undefined): boolean {
  let positive = false;
  if (rule.effect) {
    if (!rule.effect.includes(effect.kind)) return false;
    positive = true;
  }
  if (rule.program !== undefined || rule.args !== undefined) {
    if (!commandMatches(rule, effect, reading)) return false;
    positive = true;
  }
  const onPath = effect.kind === "read" || effect.kind === "write" || effect.kind === "delete";
  const wide = reading === "wide";
  if (rule.paths && (onPath || wide)) {
    if (!onPath || !rule.paths.some((glob) => pathMatches(effect.target, glob, workspace, wide))) return false;
    positive = true;
  }
  if (rule.hosts && (effect.kind === "network" || wide)) {
    if (effect.kind !== "network" || !rule.hosts.some((host) => hostMatches(effect.target, host, wide, effect.part)))
      return false;
    positive = true;
  }
  return positive || (wide && !rule.effect && !rule.program && !rule.args && !rule.paths && !rule.hosts);
}

function commandMatches(rule: Rule, effect: Effect, reading: Reading): boolean {
  const words = effect.part === undefined ? undefined : wordsOf(effect.part);
  if (!words) {
    if (reading === "strict") return false;
    return effect.part !== undefined || (effect.kind === "execute" && programMatches(rule, effect.target));
  }
  if (reading === "strict") return isNamed(rule, words[0]) && argsMatch(rule.args, words.slice(1));
  const named = effect.kind === "execute" && programMatches(rule, effect.target);
  return words.some(
    (word, at) => (named || word === undefined || programMatches(rule, word)) && contains(words.slice(at), rule.args),
  );
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
