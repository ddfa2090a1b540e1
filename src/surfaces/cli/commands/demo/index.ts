// `fettle demo`: see it work, without any model or key.
import { phrases } from "../../../phrases/phrases.ts";
import type { Define } from "../../host/grammar.ts";
import { usageFault } from "../../host/failure.ts";

export const words = phrases("demo", {
  unknown: (name: string) => `There is no demo called ${name}.`,
  jsonNeedsList: "A demo is made to be looked at: --json goes with --list.",
  help: {
    list: "the samples there are",
    listJson: "with --list: as JSON",
  },
  lesson: {
    examples: [
      ["fettle demo", "a failing test is mended in a copy of a JavaScript project"],
      ["fettle demo python", "the same in another language"],
      ["fettle demo task", "from a ticket to a merged commit"],
      ["fettle demo extensions", "a plugin and an MCP server, shown before any of it is used"],
      ["fettle demo project", "from an idea to a pull request, in two waves of subagents"],
      ["fettle demo --list", "which there are, and which toolchain is missing"],
    ],
    exits: [
      ["0", "what it shows is so (the tests are green, the ledger verifies)"],
      ["1", "it is not; it says why"],
      ["2", "no such demo, or its toolchain is missing"],
    ],
  },
});

export const define: Define = (command, start) =>
  start<{ list?: true; json?: true }>(
    command.option("--list", words.help.list).option("--json", words.help.listJson),
    async ({ host, options: { color } }, [name, sample], { list, json }) => {
      if (name === "task" && !list) return (await import("./task.ts")).runTaskDemo(sample, host, color === false);
      if (name === "extensions" && !list && sample === undefined)
        return (await import("./extensions.ts")).runExtensionsDemo(host, color === false);
      if (name === "project" && !list && sample === undefined)
        return (await import("./project.ts")).runProjectDemo(host, color === false);
      if (sample !== undefined) throw usageFault(words.unknown(`${name} ${sample}`), "fettle demo --list");
      if (json && !list) throw usageFault(words.jsonNeedsList, "fettle demo --list --json");
      const { runDemo } = await import("./sample.ts");
      const wish = { list: list === true, json: json === true, noColour: color === false };
      return runDemo({ ...wish, ...(name !== undefined && { name }) }, host);
    },
    { lesson: words.lesson, json: false },
  );
