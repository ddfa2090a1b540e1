// What policy and rules allow a session: the strictest of all that it has seen, until a person accepts a looser one.
import { createHash } from "node:crypto";
import type { Json } from "../../protocol/message.ts";
import { sealed, type PolicySettings } from "./policy.ts";
import { roleNames } from "./policy-keys.ts";
import {
  bothRules,
  commonHosts,
  commonRules,
  type Measure,
  measures,
  openLimits,
  type PolicyLimits,
  type PolicyValue,
  ruleText,
  sameValue,
  stricter,
} from "./policy-measures.ts";
import type { Settings } from "./settings.ts";
import type { RuleSettings } from "./setting-kinds.ts";
import { isTable } from "./table.ts";

export interface Terms {
  policy: PolicySettings;
  rules: RuleSettings[];
  hosts: string[];
}

export const termsOf = ({ settings, policy }: { settings: Settings; policy: PolicySettings }): Terms => ({
  policy,
  rules: settings.rules,
  hosts: settings.network.hosts,
});

/** As strict as each of the two: every deny and ask rule of either, the allow rules and hosts of both. */
export const strictest = (left: Terms, right: Terms): Terms => ({
  policy: strictestPolicy(left.policy, right.policy),
  rules: strictestRules(left.rules, right.rules),
  hosts: commonHosts(left.hosts, right.hosts) ?? [],
});

export function strictestPolicy(left: PolicySettings, right: PolicySettings): PolicySettings {
  const limits = openLimits();
  const places: Record<string, string> = {};
  for (const { field, key, meeting } of measures) {
    const met = stricter(meeting, left[field], right[field]);
    Object.assign(limits, { [field]: met });
    const name = key.slice(key.indexOf(".") + 1);
    const place = sameValue(met, left[field]) ? (left.places[name] ?? right.places[name]) : right.places[name];
    if (place !== undefined) places[name] = place;
  }
  return sealed(limits, places);
}

/** Reading alone; `place` says who wants it so. For what cannot be read. */
export const closedPolicy = (place: string): PolicySettings =>
  sealed(
    { ...openLimits(), maxAutonomy: 0, maxRole: "read-only", allowNetwork: false, allowGitPush: false },
    { max_autonomy_level: place, max_role: place, allow_network: place, allow_git_push: place },
  );

function strictestRules(left: readonly RuleSettings[], right: readonly RuleSettings[]): RuleSettings[] {
  const forbid = (rules: readonly RuleSettings[]) => rules.filter(({ action }) => action !== "allow");
  const allow = (rules: readonly RuleSettings[]) => rules.filter(({ action }) => action === "allow");
  return [...commonRules(allow(left), allow(right)), ...bothRules(forbid(left), forbid(right))];
}

/** One way in which `after` differs from `before`. */
export interface Difference {
  key: string;
  before: Json;
  after: Json;
  change: "tighter" | "looser" | "other";
  place?: string;
}

export function differences(before: Terms, after: Terms): Difference[] {
  const found = [...policyDifferences(before.policy, after.policy), ...ruleDifferences(before.rules, after.rules)];
  const more = after.hosts.filter((host) => !before.hosts.includes(host));
  const fewer = before.hosts.filter((host) => !after.hosts.includes(host));
  if (more.length > 0) found.push({ key: "network.hosts", before: null, after: more, change: "looser" });
  if (fewer.length > 0) found.push({ key: "network.hosts", before: fewer, after: null, change: "tighter" });
  return found;
}

/** One for each rule that came or went. */
function ruleDifferences(before: readonly RuleSettings[], after: readonly RuleSettings[]): Difference[] {
  const without = (rules: readonly RuleSettings[], others: readonly RuleSettings[]) => {
    const known = new Set(others.map(ruleText));
    return rules.filter((rule) => !known.has(ruleText(rule)));
  };
  const came = without(after, before).map((rule): Difference => {
    const change = rule.action === "allow" ? "looser" : "tighter";
    return { key: "rules", before: null, after: shownRule(rule), change, ...placeOf(rule.place) };
  });
  const went = without(before, after).map((rule): Difference => {
    const change = rule.action === "allow" ? "tighter" : "looser";
    return { key: "rules", before: shownRule(rule), after: null, change, ...placeOf(rule.place) };
  });
  return [...came, ...went];
}

const placeOf = (place: string | undefined) => (place === undefined ? {} : { place });

export function policyDifferences(before: PolicySettings, after: PolicySettings): Difference[] {
  return measures.flatMap(({ field, key, meeting }): Difference[] => {
    if (field === "denyRules" || field === "askRules") return ruleDifferences(before[field], after[field]);
    if (sameValue(before[field], after[field])) return [];
    // That a policy says nothing of contained executions is no news when it comes or goes.
    const { allow_containment: agreed } = { ...before.places, ...after.places };
    if (field === "allowContainment" && agreed === undefined) return [];
    const met = stricter(meeting, before[field], after[field]);
    const change = sameValue(met, after[field]) ? "tighter" : sameValue(met, before[field]) ? "looser" : "other";
    const name = key.slice(key.indexOf(".") + 1);
    const shown = { before: shownValue(before[field]), after: shownValue(after[field]) };
    return [{ key, ...shown, change, ...placeOf(after.places[name] ?? before.places[name]) }];
  });
}

export function shownValue(value: PolicyValue): Json {
  if (value === undefined || value === Number.POSITIVE_INFINITY) return null;
  return Array.isArray(value) ? value.map((each) => (typeof each === "string" ? each : shownRule(each))) : value;
}

/** `deny program=npm args=publish`. */
export function shownRule(rule: RuleSettings): string {
  const { action, source: _source, place: _place, match: _match, not_match: _notMatch, ...parts } = rule;
  const words = Object.entries(parts).map(
    ([name, value]) => `${name}=${Array.isArray(value) ? value.join(",") : value}`,
  );
  return [action, ...words].join(" ");
}

/** A short name of what the terms say; empty where nobody says anything. */
export function termsId(terms: Terms): string {
  const { policy, rules, hosts } = terms;
  const open = rules.length === 0 && hosts.length === 0 && policy.version === openVersion();
  if (open) return "";
  return createHash("sha256")
    .update(JSON.stringify([policy.version, rules.map(ruleText), hosts]))
    .digest("hex")
    .slice(0, 16);
}

let versionOfOpen: string | undefined;
const openVersion = (): string => (versionOfOpen ??= sealed(openLimits(), {}).version);

interface StoredTerms {
  policy: { [key: string]: Json };
  rules: Json[];
  hosts: string[];
}

/** For facts and the ledger: what is unlimited is left out. */
export function storedTerms({ policy, rules, hosts }: Terms): StoredTerms {
  const said = measures
    .map(({ field }) => [field, policy[field]] as const)
    .filter(([, value]) => value !== undefined && value !== Number.POSITIVE_INFINITY);
  const plain = { policy: { ...Object.fromEntries(said), places: policy.places }, rules, hosts };
  return JSON.parse(JSON.stringify(plain)) as StoredTerms;
}

/** Undefined when any of it is not what this version would have stored: half-read terms would be looser ones. */
export function termsFrom(stored: unknown): Terms | undefined {
  if (!isTable(stored) || !isTable(stored["policy"])) return undefined;
  const { rules, hosts = [], policy } = stored;
  const { places = {}, ...said } = policy as Record<string, unknown>;
  const known = measures.filter(({ field }) => said[field] !== undefined);
  if (!known.every((measure) => isValue(said[measure.field], measure))) return undefined;
  if (!isRules(rules) || !isTexts(hosts) || !isTable(places) || !isTexts(Object.values(places))) return undefined;
  const found = { ...openLimits(), ...Object.fromEntries(known.map(({ field }) => [field, said[field]])) };
  // Stored before contained executions were known: whoever limited anything has not agreed to them.
  const older = said["allowContainment"] === undefined && sealed(found as PolicyLimits, {}).version !== openVersion();
  const limits = older ? { ...found, allowContainment: false } : found;
  return { policy: sealed(limits as PolicyLimits, places as Record<string, string>), rules, hosts };
}

function isValue(value: unknown, { meeting, open }: Measure): boolean {
  if (meeting === "rules") return isRules(value);
  if (meeting === "hosts") return isTexts(value);
  if (meeting === "role") return roleNames.some((name) => name === value);
  return typeof value === typeof open;
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

const ruleLists = ["effect", "program", "args", "paths", "hosts", "match", "not_match"];
const ruleParts = new RegExp(`^(action|source|place|${ruleLists.join("|")})$`);

/** A part that is not understood might be what narrows a rule. */
const isRules = (value: unknown): value is RuleSettings[] =>
  Array.isArray(value) &&
  value.every(
    (rule: unknown) =>
      isTable(rule) &&
      (rule["action"] === "allow" || rule["action"] === "ask" || rule["action"] === "deny") &&
      typeof rule["source"] === "string" &&
      Object.entries(rule).every(
        ([name, part]) =>
          (ruleParts.test(name) && typeof part === "string") || (ruleLists.includes(name) && isTexts(part)),
      ),
  );
