// The one judge of turns, missions and subagents: what it stops, what it hints at, and what it leaves alone.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowedCalls, judge } from "../../src/engine/loop-guard.ts";
import { followed, newTrail, type Trail } from "../../src/engine/session/trail.ts";
import type { Fact, StoredFact } from "../../src/protocol/event.ts";
import type { AssistantContent, Json } from "../../src/protocol/message.ts";
import { failure, type Result, textResult } from "../../src/protocol/result.ts";
import { noUsage } from "../../src/protocol/usage.ts";
import { cpuClock } from "../support/cpu.ts";

const limits = { rounds: 200, noProgressRounds: 20, failingRounds: 3, denials: 3, repeatHint: 3, repeatStop: 5 };

interface Did {
  name: string;
  input: Json;
  result: Result;
}

/** A turn told by facts, as the engine would write them. */
class Turn {
  trail: Trail = newTrail();
  rounds = 0;
  hints: string[] = [];
  readonly facts: StoredFact[] = [];
  #ids = 0;

  add(fact: Fact): void {
    const stored = { ...fact, session: "s", seq: this.facts.length + 1, at: 0 } as StoredFact;
    this.facts.push(stored);
    this.trail = followed(this.trail, stored);
  }

  /** One round; the kind of its stop, when there is one. */
  round(did: readonly Did[], said = ""): string | undefined {
    const before = judge(this.trail, { rounds: this.rounds, denials: 0 }, limits);
    if (before.stop) return before.stop.kind;
    for (const text of before.hints) this.add({ type: "note.added", turn: 1, text });
    this.hints.push(...before.hints);
    this.rounds += 1;
    const calls = did.map(({ name, input }) => ({ type: "call" as const, id: `c${(this.#ids += 1)}`, name, input }));
    const content: AssistantContent[] = [...(said ? [{ type: "text" as const, text: said }] : []), ...calls];
    const shape = { turn: 1, round: this.rounds, model: "m", vendor: "v", usage: noUsage, cost: 0 };
    this.add({ type: "round.ended", ...shape, content, finish: calls.length > 0 ? "calls" : "stop" });
    const { allowed, stop } = allowedCalls(this.trail, limits);
    for (const [index, call] of calls.slice(0, allowed).entries()) {
      const result = did[index]?.result ?? textResult("");
      this.add({ type: "call.ended", turn: 1, call: call.id, tool: call.name, result, ms: 1 });
    }
    return stop?.kind;
  }

  /** Until it is stopped: how, and after how many rounds. */
  until(rounds: Iterable<[readonly Did[], string?]>): { stop: string | undefined; rounds: number } {
    for (const [did, said] of rounds) {
      const stop = this.round(did, said);
      if (stop !== undefined) return { stop, rounds: this.rounds };
    }
    return { stop: judge(this.trail, { rounds: this.rounds, denials: 0 }, limits).stop?.kind, rounds: this.rounds };
  }

  get text(): string {
    return judge(this.trail, { rounds: this.rounds, denials: 0 }, limits).stop?.text ?? "";
  }
}

const read = (path: string, text: string): Did => ({ name: "read", input: { path }, result: textResult(text) });
const run = (command: string, output: string, exit = 0): Did => ({
  name: "shell",
  input: { command },
  result: { ...textResult(output), ...(exit !== 0 && { code: "process.exit", params: { exit } }) },
});
const edit = (path: string, from: string, to: string): Did => {
  const file = { path, change: "modified" as const, added: 1, removed: 1, patch: `-${from}\n+${to}` };
  const result: Result = { ...textResult("Edited."), diff: { files: [{ ...file, states: [from, to] }] } };
  return { name: "edit", input: { path, old: from, new: to }, result };
};
const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("the identical call", () => {
  test("is hinted at the third time and not run the fifth, and is named", () => {
    const turn = new Turn();
    expect(turn.until(times(9, () => [[read("a.txt", "same")]]))).toEqual({ stop: "repeated-call", rounds: 5 });
    expect(turn.hints).toEqual([expect.stringContaining("(read a.txt)")]);
    expect(turn.facts.filter(({ type }) => type === "call.ended")).toHaveLength(4);
    expect(allowedCalls(turn.trail, limits).stop?.text).toContain("the same read call 5 times in a row");
  });
  test("is the same with another word on why, and whatever the clock shows", () => {
    const turn = new Turn();
    const poll = (index: number): Did => ({
      ...run("", `12:00:0${index} still waiting, ${index} seconds so far`),
      input: { command: "status", description: `look number ${index}` },
    });
    expect(turn.until(times(9, (index) => [[poll(index)]])).stop).toBe("repeated-call");
  });
  test("five in one answer are stopped as well", () => {
    expect(new Turn().round(times(5, () => read("a", "x")))).toBe("repeated-call");
  });
  test("always stops at five, whatever came before", () => {
    const before = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), fc.nat(50)), { maxLength: 12 });
    fc.assert(
      fc.property(before, fc.string(), (looks, text) => {
        const turn = new Turn();
        for (const [path, size] of looks) if (turn.round([read(path, `content ${size}`)]) !== undefined) return;
        const begun = turn.rounds;
        const { stop, rounds } = turn.until(times(9, () => [[read("the same", text)]]));
        expect(stop).toMatch(/^(?:repeated-call|no-progress)$/);
        expect(rounds - begun).toBeLessThanOrEqual(5);
      }),
    );
  });
  test("another call between breaks the streak, and a poll that tells something new is none", () => {
    const turn = new Turn();
    for (const path of ["a", "a", "b", "a", "a", "b", "a", "a"]) expect(turn.round([read(path, "x")])).toBeUndefined();
    const poll = times(150, (index): [Did[]] => [[run("job status 1", `${index} of 150 done`)]]);
    expect(new Turn().until(poll).stop).toBeUndefined();
  });
});

describe("rounds without anything new", () => {
  const idle = (index: number): [Did[]] => [[read(`f${index % 3}`, "nothing")]];
  test("are hinted at, then stopped, and name the last call", () => {
    const turn = new Turn();
    // The first round alone brings something: the three files are the same.
    expect(turn.until(times(40, idle))).toEqual({ stop: "no-progress", rounds: 21 });
    expect(turn.hints).toHaveLength(1);
    expect(turn.text).toMatch(/20 rounds brought nothing new, the last one with read f\d \(limits/);
  });
  test("what a command writes counts by its content: new ones are progress, the same again and again is none", () => {
    const wrote = (state: string): Did => {
      const did = run("./step", "(no output)\n[exit code 0]\n[files changed: a]");
      return { ...did, result: { ...did.result, wrote: [{ path: "a", state }] } };
    };
    const look = read("b", "nothing");
    const each = (state: (index: number) => string) => times(60, (index): [Did[]] => [[wrote(state(index)), look]]);
    expect(new Turn().until(each((index) => `state ${index}`))).toMatchObject({ stop: undefined, rounds: 60 });
    expect(new Turn().until(each((index) => `state ${index % 3}`))).toEqual({ stop: "no-progress", rounds: 23 });
  });
  test("anything new, at any time, sets the count back", () => {
    const fresh = [read("new", "unseen"), edit("a", "one", "two"), run("make", "Error: never seen", 1)];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 19 }), fc.constantFrom(...fresh), (count, news) => {
        const turn = new Turn();
        for (const [did] of times(count, idle)) turn.round(did);
        turn.round([news]);
        expect(turn.trail.counts.idle).toBe(0);
        expect(turn.until(times(19, idle)).stop).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });
});

test("three rounds in which every call failed stop the turn; one success starts the count anew", () => {
  const failed = (text: string): Did => ({ name: "read", input: { path: text }, result: failure("x", `no ${text}`) });
  const turn = new Turn();
  turn.round([failed("1")]);
  turn.round([failed("2"), read("ok", "fine")]);
  turn.round([failed("3")]);
  turn.round([failed("4")]);
  expect(turn.text).toBe("");
  turn.round([failed("5")]);
  expect(turn.round([])).toBe("failing-rounds");
  expect(turn.text).toBe("Stopped: every call of the last 3 rounds failed, the last one (read 5) with: no 5.");
});

describe("patches in a circle", () => {
  test("a file that goes back and forth is hinted at, then stopped, and named", () => {
    const turn = new Turn();
    const flip = times(20, (index): [Did[]] => [[index % 2 === 0 ? edit("a.ts", "A", "B") : edit("a.ts", "B", "A")]]);
    expect(turn.until(flip)).toEqual({ stop: "patch-spiral", rounds: 5 });
    expect(turn.hints).toEqual([expect.stringContaining("a.ts goes back and forth")]);
    expect(turn.text).toContain("a.ts went back and forth");
  });
  test("a circle of any length is one, whatever is looked at between", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), (length) => {
        const turn = new Turn();
        const round = (index: number): [Did[]] => [
          [edit("a.ts", `s${index % length}`, `s${(index + 1) % length}`), read(`other ${index}`, `text ${index}`)],
        ];
        expect(turn.until(times(60, round)).stop).toBe("patch-spiral");
      }),
    );
  });
  test("a change that is tried and taken back, each time another, is none", () => {
    const turn = new Turn();
    const round = (index: number): [Did[]] => [
      [
        edit("a.ts", "A", `mutant ${index}`),
        run(`test ${index}`, `${index} killed`),
        edit("a.ts", `mutant ${index}`, "A"),
      ],
    ];
    expect(turn.until(times(60, round)).stop).toBeUndefined();
  });
  test("an error that outlives five changes of one file stops, and says which", () => {
    const turn = new Turn();
    const round = (index: number): [Did[]] => [
      [edit("sum.js", `v${index}`, `v${index + 1}`), run("npm test", `sum.js:${index}: AssertionError: expected 3`, 1)],
    ];
    expect(turn.until(times(20, round))).toEqual({ stop: "patch-spiral", rounds: 7 - 1 });
    expect(turn.hints).toEqual([expect.stringContaining("after 3 different changes to sum.js")]);
    expect(turn.text).toContain(
      "5 different changes to sum.js left the same error: sum.js:N: AssertionError: expected 3",
    );
  });
  test("errors that change, and steps between two runs, are progress", () => {
    const fix = (index: number): [Did[]] => [
      [edit("sum.js", `v${index}`, `v${index + 1}`), run("npm test", `error: case ${index} fails\nerror: other`, 1)],
    ];
    expect(new Turn().until(times(150, fix)).stop).toBeUndefined();
    const fewer = (index: number): [Did[]] => [
      [edit("x.ts", `v${index}`, `v${index + 1}`), run("lint", "x.ts:1 error unused\n".repeat(100 - index), 1)],
    ];
    expect(new Turn().until(times(90, fewer)).stop).toBeUndefined();
    const steps = new Turn();
    steps.round([run("npm test", "Error: no add()", 1)]);
    for (const [did] of times(12, (index): [Did[]] => [[edit("big.ts", `p${index}`, `p${index + 1}`)]]))
      expect(steps.round(did)).toBeUndefined();
    steps.round([run("npm test", "Error: no add()", 1)]);
    expect(steps.trail.counts.error).toBe(1);
  });
});

describe("repeated words", () => {
  const says = (index: number) =>
    `I will now look at the parser of the configuration, for the ${index}th time, and mend it as you asked me to do it.`;
  test("near the same, without a call: hinted at, then stopped", () => {
    const turn = new Turn();
    expect(turn.until(times(9, () => [[], "The  work is done."]))).toEqual({ stop: "repeated-text", rounds: 5 });
    expect(turn.hints).toHaveLength(1);
    expect(turn.text).toContain('without a new call: "The work is done".');
    expect(new Turn().until(times(9, () => [[], `${says(1)} Really.`])).stop).toBe("repeated-text");
  });
  test("beside new calls, or with other words, they are none", () => {
    const beside = times(60, (index): [Did[], string] => [[read(`f${index}`, `content ${index}`)], says(1)]);
    expect(new Turn().until(beside).stop).toBeUndefined();
    expect(new Turn().until(times(60, (index) => [[], `Step ${index} is done.`])).stop).toBeUndefined();
  });
});

test("an honest transcript of 150 rounds is not stopped, nor hinted at", () => {
  const turn = new Turn();
  const honest = (index: number): [Did[], string] => {
    const file = `src/f${index % 12}.ts`;
    const kinds: Did[][] = [
      [read(file, `content ${index}`), read(`src/g${index}.ts`, "")],
      [run("git status", `M ${index} files`)],
      [edit(file, `v${index}`, `v${index + 1}`), run("npm test", `error: expected ${index % 7} in case ${index}`, 1)],
      [run("npm test", "all 12 tests passed")],
    ];
    return [kinds[index % 4] ?? [], "Next."];
  };
  expect(turn.until(times(150, honest))).toEqual({ stop: undefined, rounds: 150 });
  expect(turn.hints).toEqual([]);
});

describe("counts", () => {
  const told = (): Turn => {
    const turn = new Turn();
    for (let index = 0; index < 3; index += 1) turn.round([read("a", "same")]);
    return turn;
  };
  const replayed = (facts: readonly StoredFact[]) => facts.reduce(followed, newTrail());
  test("are the same after a crash, and a hint is not given twice", () => {
    const turn = told();
    expect(replayed(turn.facts)).toEqual(turn.trail);
    turn.round([read("a", "same")]);
    const again = replayed(turn.facts.slice(0, -1));
    expect(judge(again, { rounds: 4, denials: 0 }, limits)).toEqual({ hints: [] });
    const before = replayed(turn.facts.slice(0, turn.facts.findIndex(({ type }) => type === "note.added") + 1));
    expect(judge(before, { rounds: 3, denials: 0 }, limits)).toEqual({ hints: [] });
  });
  test("no rewind and no word of another agent sets them back; a person's word does", () => {
    const turn = told();
    const was = { ...turn.trail.counts };
    turn.add({ type: "session.rewound", turn: 1, conversation: true });
    turn.add({ type: "prompt.joined", turn: 1, prompt: [{ type: "text", text: "more" }], origin: "agent" });
    expect(turn.trail.counts).toEqual(was);
    turn.add({ type: "prompt.joined", turn: 1, prompt: [{ type: "text", text: "look again" }] });
    expect(turn.trail.counts.call).toBe(0);
  });
});

test("the step cap and the denials end a turn with their reason", () => {
  expect(judge(newTrail(), { rounds: 200, denials: 0 }, limits).stop?.text).toContain("limits.rounds");
  expect(judge(newTrail(), { rounds: 0, denials: 3 }, limits).stop?.kind).toBe("denials");
});

test("any output is judged in a moment, and broken text is no bug", () => {
  const hostile = ["a/", "1", "\n", " ", "f0", "error ", "/tmp/", "thread '", "\ud800"].map(
    (piece) => `x${piece.repeat(9_000)}x`,
  );
  const spent = cpuClock();
  const turn = new Turn();
  for (const text of hostile) turn.round([read(text, text), run(text, text, 1)], text);
  expect(spent()).toBeLessThan(3000);
  expect(turn.trail.counts.idle).toBe(0);
});
