// `fettle models`: which there are, what one can do, what it costs.
import { Option } from "commander";
import type { ProbeFlags } from "./probe.ts";
import { phrases } from "../../../phrases/phrases.ts";
import type { Define } from "../../host/grammar.ts";
import { option } from "../../host/options.ts";

export const words = phrases("models", {
  help: {
    allModels: "with those that nobody has set up, and what each needs",
    probeCost: "send no request that could bring the cost above this",
    noWindow: "do not try how much it reads, which takes the long requests",
    price: "set what a model costs, in US dollars per million tokens of input and of output",
    probe: "try out with real requests what a model can do and how much it really reads; says first what that costs",
  },
  lesson: {
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
  lessons: {
    price: {
      examples: [
        [
          "fettle models price openai/NEW 1.25 10",
          "1.25 dollars for a million tokens of input, 10 for as many of output",
        ],
        ["fettle models price my-server/qwen3 0 0", "it costs nothing"],
      ],
      exits: [
        ["0", "written to your configuration"],
        ["2", "no such model, or no such price"],
      ],
    },
    probe: {
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
  },
});

export const define: Define = (command, start) => {
  start<{ all?: true; probe?: true; yes?: true }>(
    command.option("--all", words.help.allModels).addOption(new Option("--probe", words.help.probe).hideHelp()),
    async (context, names, { all, probe }) => {
      if (probe) return (await import("./probe.ts")).probeModels(context, names, { maxCost: "2", window: true });
      return (await import("./list.ts")).listModels(context, names, all === true);
    },
    { lesson: words.lesson },
  );
  start<ProbeFlags>(
    command
      .command("probe <model...>")
      .description(words.help.probe)
      .option("-y, --yes", option.yes)
      .option("--max-cost <usd>", words.help.probeCost, "2")
      .option("--no-window", words.help.noWindow),
    async (context, names, options) => (await import("./probe.ts")).probeModels(context, names, options),
    { lesson: words.lessons.probe },
  );
  start(
    command.command("price <model> <input> <output>").description(words.help.price),
    async (context, names) => (await import("../config.ts")).setPrice(context, names),
    { lesson: words.lessons.price },
  );
};
