// What the --help of `fettle models`, `cost`, `router` and `agents` teaches: how each is used, and what its exit codes mean.
import type { Lesson } from "./grammar.ts";

const done = [
  ["0", "shown"],
  ["2", "wrong usage"],
] as const;

export const modelHelp = {
  models: {
    examples: [
      ["fettle models", "what is set up, and whether it answers"],
      ["fettle models --all", "what else fettle knows of, and what each one needs to be used"],
      ["fettle models anthropic", "those of one provider"],
      ["fettle models probe ollama/qwen3:8b", "real requests show what it can do and reads; that is remembered"],
      ["fettle models price openai/NEW 1.25 10", "what it costs: US dollars per million tokens, input and output"],
      ["fettle config set model.default auto", "let the router choose among them for each turn"],
    ],
    exits: [
      ["0", "shown; its price set"],
      ["2", "no such model, or wrong usage"],
    ],
  },
  modelsProbe: {
    examples: [
      ["fettle models probe ollama/qwen3:8b", "says what would be sent and cost, and asks"],
      ["fettle models probe openai/NEW --yes --max-cost 0.50", "unasked, for at most half a dollar"],
      ["fettle models probe openai/NEW --no-window", "three small requests only: tools, images, reasoning"],
      ["fettle models probe openai/NEW --yes --json | jq .[0].contextTokens", "for programs"],
    ],
    exits: [
      ["0", "tried out; `fettle models` and the router go by what it has shown"],
      ["1", "one could not be tried out, or you said no"],
      ["2", "no such model, or nobody there to say yes"],
    ],
  },
  cost: {
    examples: [
      ["fettle cost", "the last session, today and this month, against their limits"],
      ["fettle cost --by model", "where this month's money went"],
      ["fettle cost --by tool --since 7d", "what filled the requests of the last week"],
      ["fettle cost --by call --json | jq .rows", "for programs"],
      ["fettle config set budget.daily_limit_usd 5", "stop at five dollars a day"],
    ],
    exits: [
      ["0", "shown"],
      ["2", "wrong usage, or no such session"],
    ],
  },
  router: {
    examples: [
      ['fettle -m auto "fix the failing test"', "let the router choose the model; it says which, and why"],
      ['fettle router explain "fix the failing test"', "the same without asking anybody"],
      ["fettle router stats", "what it has learned of each model, and from what"],
      ['fettle router good "found it at once"', "tell it that the last turn was good"],
      ['fettle router bad "the tests still fail"', "or that it was not"],
      ["fettle router reset --arm ollama/qwen3:8b", "begin anew with one model"],
    ],
    exits: [
      ["0", "shown; done"],
      ["1", "explain: no model can take it; reset: you said no"],
      ["2", "wrong usage"],
    ],
  },
  routerStats: {
    examples: [
      ["fettle router stats", "a row for each model and kind of work"],
      ["fettle router stats --json | jq .arms", "for programs"],
    ],
    exits: done,
  },
  routerExplain: {
    examples: [
      [
        'fettle router explain "fix the failing test"',
        "the kind of work, each model's score, how likely each is asked",
      ],
      ['fettle router explain --profile budget "rename this"', "the same where cost weighs more"],
      ["fettle router explain --mission verifier check the claims", "as a subagent would be given its model"],
    ],
    exits: [
      ["0", "a model would be asked"],
      ["1", "none can take it; each one's reason is shown"],
      ["2", "wrong usage"],
    ],
  },
  routerSimulate: {
    examples: [
      ["fettle router simulate", "five made-up worlds: less regret is better; oracle knows all"],
      ["fettle router simulate --scenario drift --rounds 300", "one world, shorter"],
    ],
    exits: done,
  },
  routerReset: {
    examples: [
      ["fettle router reset", "everything, after a question"],
      ["fettle router reset --arm ollama/qwen3:8b --yes", "one model, unasked"],
      ["fettle router reset --type debug", "one kind of work, of every model"],
    ],
    exits: [
      ["0", "forgotten"],
      ["1", "you said no"],
      ["2", "wrong usage, or nobody there to say yes"],
    ],
  },
  agents: {
    examples: [
      ["fettle agents list", "fettle's own, yours and the project's"],
      ["fettle agents show reviewer", "what one may use, and what it is told"],
      ["fettle agents check .fettle/agents/tester.md", "before you use a definition of your own"],
      ["fettle agents running", "who works where, at what cost"],
      ["fettle agents cancel explorer-1", "end one from here"],
    ],
    exits: [
      ["0", "shown; done"],
      ["1", "check: the definition cannot be used"],
      ["2", "wrong usage, or no such subagent"],
    ],
  },
} as const satisfies Record<string, Lesson>;
