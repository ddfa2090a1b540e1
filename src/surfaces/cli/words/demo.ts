// Sentences of `fettle demo`.
import { plural } from "../text/amounts.ts";

export const demoWords = {
  title: (title: string) => `fettle demo  ${title}`,
  scripted:
    "The model's replies are scripted: written by hand and served over a local connection. Everything else is real: the files, the commands, the gate, the tests, the ledger.",
  workspace: (folder: string) => `A copy of the sample works in ${folder}.`,
  changes: "What changed",
  tests: "tests",
  red: "red",
  notRed: "were never red",
  green: "green",
  stillRed: "not green",
  cost: "cost",
  scriptedTokens: "scripted figures, no model was called",
  ledger: "ledger",
  verified: "verified",
  broken: "does not verify",
  entries: (number: number) => plural(number, "entry", "entries"),
  failed: "The demo failed.",
  notFinished: "The scripted turn did not end as written.",
  neverRed: "The tests were green from the start, so nothing was shown.",
  notGreen: (command: string, folder: string) => `\`${command}\` is not green in ${folder}.`,
  ledgerBroken: (problem: string) => `The ledger does not verify: ${problem}`,
  next: (folder: string, program: string) =>
    [
      ["look back", `cd ${folder} && ${program} sessions list; ${program} audit tail`],
      ["undo it", `cd ${folder} && ${program} rewind 1`],
      ["another", `${program} demo --list`],
      ["your model", "export ANTHROPIC_API_KEY=... (or OPENAI_API_KEY, GEMINI_API_KEY), or start Ollama"],
      ["", `cd your/project && ${program} "why does login fail?"`],
      ["", `${program} models shows what is reachable, ${program} doctor what is missing`],
    ] as const,
} as const;
