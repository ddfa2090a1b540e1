// A task as a person sees it in a terminal: asked once for the plan, once for the result.
import { expect, test } from "vitest";
import { fixed, goodCrew, quickPlan, say, write } from "./crew.ts";
import { openScene, words } from "./tasks.ts";

test("in a terminal the plan is shown and approved by a key, wanted otherwise by a sentence, and the result merged", {
  timeout: 120_000,
}, async () => {
  await using scene = await openScene({
    ...goodCrew,
    architect: ({ prompt }) =>
      say(quickPlan(prompt.includes("say so") ? { summary: "Round halves up and say so" } : {})),
  });
  const terminal = scene.terminal(["task", words]);
  await terminal.shows("[a]pprove, [c]hange");
  terminal.type("c say so\r");
  await terminal.shows("Round halves up and say so");
  await terminal.shows(/(?:\[l\]ater:[^]*){2}/);
  terminal.type("a\r");
  await terminal.shows("Merges fettle/", 40_000);
  await terminal.shows(/(?:\[l\]ater:[^]*){3}/);
  terminal.type("a\r");
  await terminal.shows("Merged into main", 40_000);
  expect(await terminal.exited).toBe(0);
});

test("what is typed while a mission works joins it", { timeout: 120_000 }, async () => {
  await using scene = await openScene({
    ...goodCrew,
    architect: () => say(quickPlan()),
    coder: ({ said, users }) =>
      said === 0
        ? { ...write("src/round.js", "export const round = () => 2;\n"), delayMs: 3_000 }
        : said === 1
          ? write(
              "src/round.js",
              users.some((text) => text.includes("keep the name value")) ? fixed : "export const round = 0;\n",
            )
          : say("Done."),
  });
  const terminal = scene.terminal(["task", words]);
  await terminal.shows("[l]ater:");
  terminal.type("a\r");
  await terminal.shows("is locked", 40_000);
  terminal.type("keep the name value\r");
  await terminal.shows("joins the next round", 10_000);
  await terminal.shows("Merges fettle/", 40_000);
  await terminal.shows(/(?:\[l\]ater:[^]*){2}/);
  terminal.type("l\r");
  expect(await terminal.exited).toBe(3);
});
