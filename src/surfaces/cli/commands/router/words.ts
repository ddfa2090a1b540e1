// Sentences and column titles of `fettle router`.
import type { RouterOutcome, TaskType } from "../../../../protocol/router.ts";

const outcomes: Record<RouterOutcome, string> = {
  good: "said to be good",
  bad: "said to be bad",
  evidence: "task done with evidence",
  unproved: "task came to nothing",
  kept: "change kept",
  discarded: "change discarded",
  rewound: "rewound",
  passed: "tests passed",
  green: "tests were green",
  failing: "tests failed",
  escalated: "another model went on",
  failed: "did not answer",
  stuck: "went in circles",
};

import { phrases } from "../../../phrases/phrases.ts";
import { decimal } from "../../../phrases/numbers.ts";

export const words = phrases("routerWords", {
  outcomes,
  kind: (type: TaskType): string => type.replace("_", " "),
  nothing: "The router has learned nothing yet: it learns from turns with --model auto, and from /good and /bad.",
  nothingCame: (total: number) =>
    `The router has chosen ${total === 1 ? "once" : `${total} times`}, and nothing has shown yet how good that was: tests that pass or fail, a change kept or rewound, /good and /bad do.`,
  decisions: (total: number, judged: number) =>
    `${total === 1 ? "1 choice" : `${total} choices`}; of ${judged} it is known what came of ${judged === 1 ? "it" : "them"}.`,
  replayTitle: "What choosing otherwise would have come to, estimated from these choices:",
  columns: {
    ...{ arm: "model", kind: "work", n: "seen", now: "counts", mean: "mean", interval: "95 %", last: "last" },
    ...{ strategy: "strategy", outcome: "came of it", policy: "choosing", value: "mean", effective: "counts" },
  },
  scored: {
    ...{ arm: "model", quality: "quality", heuristic: "expected", seen: "seen", cost: "cost", weighted: "weighted" },
    ...{ scarcity: "scarce", switching: "switch", slow: "slow", score: "score", chance: "chance" },
  },
  timesTitle: "How long their latest whole answers took, however they were chosen:",
  times: { arm: "model", answers: "answers", first: "first token", median: "median", p90: "90 % within" },
  narrow: "A wider terminal, or --json, shows what the score is made of.",
  strategies: { strategy: "strategy", quality: "quality", cost: "cost", score: "score", chance: "chance" },
  work: "work",
  profile: "profile",
  strategy: "strategy",
  would: "would ask",
  nobody: "nobody",
  complexity: (value: number) => `complexity ${decimal(value, 2)}`,
  by: { words: "by its words", mission: "by its mission", mode: "by the mode", model: "by the classifier" },
  notByModel: (why: string) => `the classifier did not say: ${why}`,
  excluded: "Left out:",
  run: (arm: string, cost: string, seen: number) =>
    `A run of ${arm} costs about ${cost}, ${seen === 0 ? "as expected: none was seen yet" : `by what ${seen === 1 ? "one run" : `${seen} runs`} cost`}.`,
  legend:
    "quality: what is believed, and its 95 %; expected: of a model of its size; cost: 1 is a middle model's; weighted: by profile and work; scarce: how empty its pools are; switch: what leaving a warm cache adds; slow: what its time multiplies the weighted cost by.",
  pinned: (model: string) =>
    `${model} is named (by --model or model.default), so it is asked and nothing is chosen. With --model auto:`,
  notDrawn: "Each choice is drawn: the chances say how likely each is to be asked.",
  simulation: (scenario: string, rounds: number, arms: number, seeds: number) =>
    `${scenario}: ${rounds} rounds, ${arms} models, mean of ${seeds} worlds`,
  scenarios: {
    steady: "nothing changes",
    drift: "every model drifts",
    shifts: "every model jumps, a few times",
    decay: "one after the other gets worse",
    newcomer: "half of them are replaced by better ones",
  } as Readonly<Record<string, string>>,
  simulated: {
    policy: "choosing",
    regret: "regret",
    interval: "95 %",
    share: "missed",
    quality: "quality",
    cost: "cost",
  },
  simulating: "Simulating…",
  resetAsk: (what: string) => `Forget what the router has learned ${what}?`,
  resetAll: "altogether",
  resetOf: (arm: string | undefined, type: string | undefined) =>
    [arm && `of ${arm}`, type && `in ${type}`].filter(Boolean).join(" "),
  resetDone: (what: string) => `The router has forgotten what it had learned ${what}.`,
  resetNeedsYes: "Forgetting needs a yes.",
  resetNeedsYesRemedy: "Give --yes where nobody can answer.",
  explainNeedsPrompt: "Say the prompt to explain.",
});
