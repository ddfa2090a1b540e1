// Sentences of `fettle demo task`.
export const taskDemoWords = {
  title: (title: string) => `fettle demo task  ${title}`,
  scripted:
    "The model's replies are scripted: written by hand and served over a local connection. Everything else is real: the states, the plan that binds, the gate, the branch and its worktree, the tests, the signatures, the merge, the ledger.",
  workspace: (folder: string) => `A copy of the sample works in ${folder}.`,
  approves: "The demo approves here, as you; in your own repository you would be asked:",
  choices: "(a)pprove   (c)hange …   (r)eject …   (l)ater",
  times: "Time per step",
  total: "in all",
  timesNote: "without what a real model would take, and without waiting for you",
  tests: "tests",
  red: (failed: number) => `${failed} red by an assertion`,
  green: "green on main",
  notGreen: "not green on main",
  evidence: "evidence",
  signatures: "signatures",
  signed: (entries: readonly number[]) =>
    `both in the ledger, bound to plan and result (entries ${entries.join(" and ")})`,
  unsigned: "not borne out by the ledger",
  replay: "replay",
  same: (transitions: number, acts: number) =>
    `${transitions} transitions and ${acts} acts decided again, all as they were`,
  ledger: "ledger",
  verified: "verified",
  broken: "does not verify",
  failed: "The demo failed.",
  problems: {
    end: (state: string, text: string) => `The task ended as ${state}: ${text}`,
    asked: (what: string) => `It asked for something that is not in the plan: ${what}`,
    red: "The test was never red by an assertion.",
    evidence: "Not everything is shown.",
    signatures: (problem: string) => `Plan or result is not signed in the ledger. ${problem}`,
    replay: (what: string) => `Decided again, it differs: ${what}`,
    tests: (command: string, folder: string) => `\`${command}\` is not green in ${folder}.`,
    ledger: (problem: string) => `The ledger does not verify: ${problem}`,
  },
  next: (folder: string, program: string, id: string, name: string) =>
    [
      ["look back", `cd ${folder} && git log --graph --oneline`],
      ["", `${program} task show ${id} --plan (or --diff, --evidence)`],
      ["", `${program} audit query ${id}`],
      ["another", name === "python" ? `${program} demo task` : `${program} demo task python`],
      ["your own", `cd your/project && ${program} task "fix the rounding bug: 1.5 should become 2"`],
    ] as const,
} as const;
