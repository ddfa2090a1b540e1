// What kind of work a prompt is, and how hard, by its words. The same prompt is always the same kind.
import { entryOf } from "../../base/entry.ts";
import type { Classification, TaskType } from "../../protocol/router.ts";
import { editing } from "./task-types.ts";

export interface WorkWish {
  /** What the person, or the task, asks for. */
  prompt: string;
  /** Files that it brings or names. */
  files?: readonly string[];
  /** Of a task: `explorer`, `coder` …; or the name of a subagent. */
  mission?: string;
  /** Nothing but reading is allowed: what comes out is a plan. */
  planOnly?: boolean;
}

interface Sign {
  type: TaskType;
  words: RegExp;
  weight: number;
}

/** German beside English, as people write to it in both. */
const signs: readonly Sign[] = [
  sign(
    "security_review",
    5,
    "vulnerabilit\\w*|threat model\\w*|cve-\\d+|penetration|exploit\\w*|sicherheitslücke\\w*|owasp",
  ),
  sign("security_review", 4, "(security|sicherheits)[- ]?(review|audit|check|pr(ü|ue)fung|issue|hole|problem)\\w*"),
  sign("security_review", 2, "security|secure|injection|xss|csrf|sicherheit"),
  sign(
    "orchestration",
    4,
    "orchestrat\\w*|coordinat\\w*|in parallel|subagents?|sub-agents?|delegat\\w*|several agents",
  ),
  sign(
    "orchestration",
    2,
    "(migrate|port|convert) (the )?(whole|entire|all)|across (all|the whole)|every (package|service|module)",
  ),
  sign("planning", 4, "plan|planning|roadmap|architect\\w*|design doc\\w*|proposal|strategy|entwirf|entwurf|konzept"),
  sign("planning", 2, "design|break (it |this )?down|steps? (to|for)|approach|trade-?offs?"),
  sign(
    "unit_test",
    4,
    "(unit|integration|regression|property)[- ]?tests?|test (cases?|coverage|suite)|tests? (for|schreiben)",
  ),
  sign("unit_test", 3, "(write|add|create|extend|missing|more|schreib\\w*) (\\w+ ){0,3}tests?|coverage|testf(ä|ae)lle"),
  sign("debug", 4, "debug\\w*|stack ?trace|traceback|segfault|crash\\w*|root cause|regression|fehlersuche|absturz\\w*"),
  sign(
    "debug",
    3,
    "fix\\w*|bug\\w*|broken|fail(s|ed|ing|ure)?|error|exception|does(n't| not) work|hangs?|leak\\w*|repariere\\w*|behebe\\w*|fehler\\w*|kaputt",
  ),
  sign("debug", 2, "why (does|is|do|are)|wrong|flaky|race condition|deadlock"),
  sign("review", 4, "(code )?review\\w*|critique|pull request|feedback on|look over|begutacht\\w*|durchsicht"),
  sign("review", 2, "audit|improvements?|smells?|what do you think"),
  sign(
    "refactor",
    4,
    "refactor\\w*|clean ?up|simplif\\w*|extract (a |the )?(function|method|class|module|component)|dedup\\w*|decouple|umbau\\w*",
  ),
  sign(
    "refactor",
    3,
    "rename\\w*|restructur\\w*|reorgani[sz]e\\w*|moderni[sz]e\\w*|inline|split (up|into)|move (\\w+ ){1,4}(to|into)|umbenenn\\w*|vereinfach\\w*",
  ),
  sign("refactor", 2, "migrat\\w*|convert|port|tidy|reduce duplication"),
  sign(
    "boilerplate",
    4,
    "boilerplate|scaffold\\w*|skeleton|stub|template|getters?|setters?|\\.gitignore|license header|gerüst",
  ),
  sign(
    "boilerplate",
    3,
    "(bump|update) (the )?(version|dependenc\\w+|changelog)|typos?|format(ting)?|readme|docstrings?|comments?|config(uration)? file|tippfehler",
  ),
  sign(
    "explain",
    4,
    "explain\\w*|what does|what is|what are|how does|how do|where (is|are|does)|walk me through|summari[sz]e|erkl(ä|ae)r\\w*|was (macht|ist|sind)|wie funktioniert|wo (ist|wird)",
  ),
  sign("explain", 2, "understand|describe|tell me|list|show( me)?|which|who|when|zeig\\w*"),
  sign(
    "generation",
    3,
    "implement\\w*|add|create|build|write|make|introduce|support|develop|new|schreib\\w*|erstell\\w*|baue?|implementier\\w*|füge",
  ),
];

function sign(type: TaskType, weight: number, words: string): Sign {
  return { type, weight, words: new RegExp(`(?<![\\p{L}\\p{N}_])(?:${words})(?![\\p{L}\\p{N}_])`, "giu") };
}

const missions: Record<string, TaskType> = {
  explorer: "explain",
  architect: "planning",
  planner: "planning",
  tester: "unit_test",
  auditor: "review",
  reviewer: "review",
  verifier: "review",
  orchestrator: "orchestration",
};

/** What comes first in a prompt is what is asked for; the rest is mostly material. */
const leading = 160;
/** A pasted log says nothing more after that. */
const mostRead = 6_000;

interface Tally {
  type: TaskType;
  points: number;
  words: string[];
}

function tallyOf(prompt: string): Tally[] {
  const text = prompt.slice(0, mostRead);
  const tallies = new Map<TaskType, Tally>();
  for (const { type, words, weight } of signs) {
    const found = [...text.matchAll(words)];
    const first = found[0];
    if (!first) continue;
    const tally = tallies.get(type) ?? { type, points: 0, words: [] };
    tally.points += weight * (first.index < leading ? 1.5 : 1) + Math.min(2, found.length - 1) * 0.5;
    tally.words.push(first[0].toLowerCase());
    tallies.set(type, tally);
  }
  return [...tallies.values()].sort((left, right) => right.points - left.points);
}

const question =
  /^\s*(what|how|why|where|which|who|when|is|are|does|do|can|was|wie|warum|wo|welche\w*|wer)\b[^\n]{0,300}\?\s*$/i;

export function classify(wish: WorkWish): Classification {
  const complexity = complexityOf(wish);
  const said = (type: TaskType, by: Classification["by"], because: string): Classification => ({
    ...{ type, complexity, by, because },
  });
  const own = wish.mission === undefined ? undefined : entryOf(missions, wish.mission);
  const tallies = tallyOf(wish.prompt);
  // A plan that is carried out is the coder's material, and so is what a question in it asks.
  const codes = wish.mission === "coder";
  const best = codes ? tallies.find(({ type }) => editing.includes(type)) : tallies[0];
  if (own !== undefined) {
    // A review of something that is about security is the dearer kind.
    const secure = own === "review" && tallies.some(({ type, points }) => type === "security_review" && points >= 4);
    return said(secure ? "security_review" : own, "mission", `the mission ${wish.mission}`);
  }
  if (wish.planOnly && best?.type !== "explain" && best?.type !== "review" && best?.type !== "security_review")
    return said("planning", "mode", "plan mode");
  // A question about a bug asks for an explanation; only orders ask for its end.
  if (
    !codes &&
    question.test(wish.prompt) &&
    (best === undefined || best.type === "generation" || best.type === "explain")
  )
    return said("explain", "words", "a question");
  if (!best) return said("generation", "words", "nothing that tells");
  return said(best.type, "words", best.words.slice(0, 3).join(", "));
}

const harder =
  /(?<![\p{L}])(architect\w*|concurren\w*|race|deadlock|distributed|performance|optimi[sz]e|security|migrat\w*|refactor\w*|algorithm\w*|protocol|transaction\w*|backwards? compatib\w*|across|entire|whole|several|multiple|complex|difficult|thread\w*|async\w*|parallel)(?![\p{L}])/giu;
const easier =
  /(?<![\p{L}])(simple|simply|small|trivial|quick\w*|just|only|typo\w*|rename|one[- ]line\w*|minor|short|einfach|kurz|klein\w*)(?![\p{L}])/giu;

/** Words by 200, a keyword 0.15 to either side, a file beyond the first 0.05. */
function complexityOf({ prompt, files = [] }: WorkWish): number {
  const text = prompt.slice(0, mostRead);
  const words = text.split(/\s+/).filter(Boolean).length;
  const distinct = (pattern: RegExp) => new Set([...text.matchAll(pattern)].map(([word]) => word.toLowerCase())).size;
  const named = new Set([...files, ...filesIn(text)]).size;
  const sum = words / 200 + 0.15 * (distinct(harder) - distinct(easier)) + 0.05 * Math.max(0, named - 1);
  return Math.min(1, Math.max(0, Math.round(sum * 100) / 100));
}

const fileName =
  /(?:[\w.-]+\/)*[\w-]+\.(?:[cm]?[jt]sx?|py|go|rs|java|kt|rb|php|cs?|h|cpp|swift|sql|sh|md|json|ya?ml|toml|html|css)\b/g;

const filesIn = (text: string): string[] => [...new Set(text.match(fileName) ?? [])];
