import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { Fault } from "../../../src/base/fault.ts";
import type { Effect } from "../../../src/protocol/effect.ts";
import type { Command } from "../../../src/protocol/client.ts";
import { Event } from "../../../src/protocol/event.ts";
import type { OpenFlags } from "../../../src/protocol/open.ts";
import { Output } from "../../../src/surfaces/cli/host/output.ts";
import { Unanswered } from "../../../src/surfaces/cli/host/unanswered.ts";
import { runCli } from "../../../src/surfaces/cli/run.ts";
import { answers, cartDiff, end, round, text } from "./scenes.ts";
import { type Script, ScriptedClient } from "./scripted-client.ts";
import { scripts } from "./stage-scripts.ts";

interface Ran {
  code: number;
  stdout: string;
  stderr: string;
  client: ScriptedClient;
  flags: OpenFlags | undefined;
}

async function run(
  argv: string[],
  script: Script = {},
  input: { stdin?: string; files?: Record<string, string>; signal?: string; terminal?: boolean } = {},
): Promise<Ran> {
  const stdin = new PassThrough();
  stdin.end(input.stdin ?? "");
  const streams = { stdout: new PassThrough(), stderr: new PassThrough() };
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) streams[name].on("data", (chunk) => (texts[name] += String(chunk)));
  const client = new ScriptedClient(script);
  let flags: OpenFlags | undefined;
  const code = await runCli(argv, {
    open: async (given) => {
      flags = given;
      return client;
    },
    demos: async () => {
      throw new Fault("none", 1, "none", undefined);
    },
    stdin,
    ...streams,
    stdout: Object.assign(streams.stdout, { isTTY: input.terminal === true }),
    env: {},
    version: "9.9.9",
    onSignal(signal, handler) {
      if (signal === input.signal) setTimeout(handler, 150);
      return () => undefined;
    },
    readText: async (file) => {
      const found = input.files?.[file];
      if (found === undefined) throw new Fault("file", 2, `${file} cannot be read.`, undefined);
      return found;
    },
  });
  return { code, ...texts, client, flags };
}

test("the answer goes to standard output, everything else to standard error", async () => {
  const { code, stdout, stderr, client } = await run(["-p", "why", "so?"], { scene: answers("Because.\nOf that.") });
  expect({ code, stdout }).toEqual({ code: 0, stdout: "Because.\nOf that.\n" });
  expect(stderr).toContain("done");
  expect(client.sent[0]).toEqual({ type: "prompt.send", prompt: [{ type: "text", text: "why so?" }] });
  expect(client.closed).toBe(true);
});

test("deltas that were dropped are made up for at the round's end", async () => {
  const scene: Script["scene"] = async (stage) => {
    stage.delta({ type: "text.delta", turn: 1, text: "one " });
    round(stage, text("one two three"));
    end(stage);
  };
  expect((await run(["-p", "x"], { scene })).stdout).toBe("one two three\n");
});

test("what models write cannot steer the terminal", async () => {
  const { stdout } = await run(["-p", "x"], scripts["hostile"]);
  expect(stdout).toBe("beforeafter still here.\n");
});

test("piped text is the prompt, or data beside one", async () => {
  const alone = await run(["-p"], { scene: answers("a") }, { stdin: "fix it\n" });
  expect(alone.client.sent[0]).toEqual({ type: "prompt.send", prompt: [{ type: "text", text: "fix it" }] });
  const beside = await run(["-p", "review"], { scene: answers("a") }, { stdin: "the diff" });
  expect(beside.client.sent[0]).toEqual({
    type: "prompt.send",
    prompt: [
      { type: "text", text: "review" },
      { type: "text", text: "the diff", source: "standard input" },
    ],
  });
});

test("--json writes one event of the published form per line and nothing else", async () => {
  const { stdout, stderr, client } = await run(["-p", "x", "--json"], scripts["unanswered"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => Event.parse(JSON.parse(line)));
  expect(events.map((event) => event.type)).toEqual(client.facts.map((fact) => fact.type));
  expect(stderr).toBe("");
});

test("exit codes follow the stop; an unanswered ask makes a good end 3", async () => {
  const unanswered = await run(["-p", "x"], scripts["unanswered"]);
  expect(unanswered.code).toBe(3);
  expect(unanswered.stderr).toContain("1 question stayed unanswered");
  const stopped = (kind: "budget" | "rounds" | "time" | "provider" | "integrity") =>
    run(["-p", "x"], { scene: async (stage) => end(stage, { stop: { kind, text: `Because of ${kind}.` } }) });
  const codes = [];
  for (const kind of ["budget", "rounds", "time", "provider", "integrity"] as const) {
    const { code, stderr } = await stopped(kind);
    expect(stderr).toContain(`Because of ${kind}.`);
    codes.push(code);
  }
  expect(codes).toEqual([4, 5, 6, 1, 7]);
});

const executed = (part: string): Effect => ({ kind: "execute", target: "/usr/bin/npm", part, undo: "reversible" });
const onGit = (part: string): Effect[] => [
  { kind: "execute", target: "git", part, undo: "reversible" },
  ...(/git (stash|worktree)/.test(part)
    ? [{ kind: "vcs" as const, target: part.split(" ")[1] ?? "", part, undo: "reversible" as const }]
    : []),
];
const asked = (nonce: string, action: string, effects: Effect[]) => [
  { type: "approval.asked", request: { nonce, effects, action } },
  { type: "approval.answered", nonce, call: nonce, outcome: { kind: "unanswered", why: "headless" } },
];
const done = (call: string, effects: Effect[]) => [
  { type: "call.decided", call, assessment: { effects }, decision: {} },
  { type: "call.ended", call, result: { status: "done", parts: [] } },
];
function left(...events: object[][]): number {
  const unanswered = new Unanswered();
  for (const event of events.flat()) unanswered.follow(event as Event);
  expect(unanswered.actions).toHaveLength(unanswered.count);
  return unanswered.count;
}

test("a question is done otherwise by what it asked for, not by another command of the same program", () => {
  const both = ["npm view x", "npm publish"].map((part) => asked(part, part, [executed(part)]));
  expect(left(...both, done("c", [executed("npm --silent test")]))).toBe(2);
  expect(left(...both, done("c", [executed("npm view x version")]))).toBe(1);
  const [look, answered] = asked("a", "cat /elsewhere", [executed("cat /elsewhere")]);
  const reasons = [{ code: "path.outside", risk: "L2", text: "reads outside the workspace (/elsewhere)" }];
  expect(left([{ ...look, request: { ...(look as { request: object }).request, reasons } }, answered ?? {}])).toBe(0);
});

test("a stash is done otherwise by what shows the files of a commit, and by nothing less", () => {
  const git = (part: string) => asked(part, part, onGit(part));
  const ran = (part: string) => done(part, onGit(part));
  for (const way of [
    "git stash push a && x",
    "git worktree add /tmp/old HEAD",
    "git archive HEAD",
    "git show HEAD:a.js",
  ])
    expect(left(git("git stash"), git("git stash pop"), ran(way))).toBe(0);
  for (const way of ["git show HEAD", "git status", "git worktree list", "git stash list", "git log -- archive"])
    expect(left(git("git stash"), ran(way))).toBe(1);
  // What was set aside before this run, or is thrown away, is an end of its own.
  for (const end of ["git stash pop", "git stash drop", "git stash apply"])
    expect(left(git(end), ran("git archive HEAD"))).toBe(1);
  const tested = asked("a", "both", [...onGit("git stash"), executed("npm test")]);
  expect(left(tested, ran("git archive HEAD"))).toBe(1);
  expect(left(tested, ran("git archive HEAD"), done("t", [executed("npm test")]))).toBe(0);
  const writes: Effect = { kind: "write", target: "/w/a", part: "cp b a", undo: "reversible" };
  expect(left(asked("a", "both", [...onGit("git stash"), writes]), ran("git archive HEAD"))).toBe(1);
});

test("below autonomy 4 the whole diff is shown and kept; at 4 it is not", async () => {
  const scene: Script["scene"] = async (stage) => end(stage, { diff: cartDiff });
  const shown = await run(["-p", "x"], { scene });
  expect(shown.stderr).toContain("sum += item.price * item.count");
  expect(shown.stdout).toBe("");
  const quiet = await run(["-p", "x"], { scene, view: { autonomy: 4 } });
  expect(quiet.stderr).not.toContain("item.count");
});

test("-q prints the last answer only, also of a turn that ends otherwise, and tells nothing", async () => {
  const said =
    (kind: "done" | "rounds"): NonNullable<Script["scene"]> =>
    async (stage) => {
      for (const [at, each] of ["I'll look.", "It is the date."].entries()) {
        stage.fact({ type: "round.started", turn: 1, round: at + 1, model: "m" });
        await stage.text(each);
        round(stage, text(each), at + 1);
      }
      end(stage, { stop: { kind, text: "" } });
    };
  const { stdout, stderr } = await run(["-p", "-q", "x"], { scene: said("done") });
  expect({ stdout, stderr }).toEqual({ stdout: "It is the date.\n", stderr: "" });
  expect((await run(["-p", "-q", "x"], { scene: said("rounds") })).stdout).toBe("It is the date.\n");
  const told = await run(["-p", "x"], { scene: said("done") });
  expect(told.stdout).toBe("It is the date.\n");
  expect(told.stderr).toMatch(/^I'll look\.\n/);
});

test("what is said before calls is no answer, also where none follows; in a terminal all of it comes as it is said", async () => {
  const stopped: Script["scene"] = async (stage) => {
    stage.fact({ type: "round.started", turn: 1, round: 1, model: "m" });
    await stage.text("I'll look.");
    round(stage, [...text("I'll look."), { type: "call", id: "c", name: "read", input: { path: "a" } }]);
    end(stage, { stop: { kind: "rounds", text: "Enough." } });
  };
  const { stdout, stderr, code } = await run(["-p", "x"], { scene: stopped });
  expect({ stdout, code }).toEqual({ stdout: "", code: 5 });
  expect(stderr).toContain("I'll look.");
  expect((await run(["-p", "x"], { scene: stopped }, { terminal: true })).stdout).toBe("I'll look.\n");
});

test("with an output schema only the final answer is printed", async () => {
  const scene: Script["scene"] = async (stage) => {
    stage.fact({ type: "round.started", turn: 1, round: 1, model: "m" });
    await stage.text("not json");
    round(stage, text("not json"));
    stage.fact({ type: "round.started", turn: 1, round: 2, model: "m" });
    await stage.text('{"a":1}');
    round(stage, text('{"a":1}'), 2);
    end(stage);
  };
  const { stdout, flags } = await run(
    ["-p", "x", "--output-schema", "s.json"],
    { scene },
    { files: { "s.json": '{"type":"object"}' } },
  );
  expect(stdout).toBe('{"a":1}\n');
  expect(flags?.outputSchema).toEqual({ type: "object" });
});

test("a signal stops the turn and decides the exit code", async () => {
  const interrupted = await run(["-p", "x"], scripts["slow"], { signal: "SIGINT" });
  expect(interrupted.code).toBe(130);
  expect(interrupted.client.sent.some((command) => command.type === "turn.stop")).toBe(true);
  expect(interrupted.stderr).toMatch(/What was done is kept\. Go on with it: fettle --resume \S+\n$/);
  const terminated = await run(["-p", "-q", "x"], scripts["slow"], { signal: "SIGTERM" });
  expect([terminated.code, terminated.stderr]).toEqual([143, expect.stringContaining("fettle --resume ")]);
});

test("a turn that a crash cut off goes on without a new prompt; history is not told again", async () => {
  const { client, stdout, flags } = await run(["-c"], scripts["cut"]);
  expect(client.sent[0]).toEqual({ type: "turn.resume" });
  expect(stdout).toBe("Going on.\n");
  expect(flags?.session).toEqual({ kind: "latest" });
  expect((await run(["--resume", "s-1", "-p", "more"], scripts["resumed"])).stdout).toBe("And more.\n");
});

test("refusals are one sentence with a remedy, and their exit code", async () => {
  const { code, stderr, client } = await run(["-p", "x"], scripts["nomodel"]);
  expect(code).toBe(2);
  expect(stderr).toBe("fettle: No model is set up.\nSet one: fettle config set model.default ollama/qwen3\n");
  expect(client.closed).toBe(true);
});

test("3000 deltas reach a slow reader in few writes and in order", async () => {
  const stream = new PassThrough({ highWaterMark: 1024 });
  let writes = 0;
  let got = "";
  stream.on("data", (chunk) => {
    writes++;
    got += String(chunk);
  });
  const out = new Output(stream);
  const pieces = Array.from({ length: 3000 }, (_, at) => `${at} `);
  for (const piece of pieces) out.write(piece);
  await out.flush();
  expect(got).toBe(pieces.join(""));
  expect(writes).toBeLessThan(10);
});

test("a reader that goes away is no error", async () => {
  const stream = new PassThrough();
  const out = new Output(stream);
  stream.destroy(Object.assign(new Error("write EPIPE"), { code: "EPIPE" }));
  await new Promise((resolve) => setImmediate(resolve));
  out.write("more");
  await out.flush();
  expect(out.gone).toBe(true);
});

test("a step of a project gets the flags that were given, and a flag that was not is no flag to repeat", async () => {
  const given = async (...argv: string[]) => {
    const options: unknown[] = [];
    const refuse = (command: Command) => {
      if (command.type === "project.run") options.push(command.args.options);
      return new Fault("project.no-step", 2, "No.", undefined);
    };
    await run(["project", ...argv], { refuse });
    return options;
  };
  expect(await given("new", "an idea")).toEqual([{}]);
  expect(await given("new", "an idea", "--no-research", "--auto")).toEqual([{ auto: true, research: false }]);
  expect(await given("plan", "1", "--skip-research")).toEqual([{ "skip-research": true }]);
  expect(await given("fast", "mend it")).toEqual([{}]);
  expect(await given("fast", "mend it", "--no-merge")).toEqual([{ merge: false }]);
});
