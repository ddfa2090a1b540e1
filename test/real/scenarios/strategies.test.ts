// Ways to answer with several models: judged, checked, drafted, named.
import { expect, test } from "vitest";
import type { RouterExplanation } from "../../../src/protocol/router.ts";
import type { Script } from "../../support/model-server.ts";
import { asked, finalAnswer, makeCompany, say, statsOf, told, whole } from "../../scenarios/company.ts";
import { messagesOf, shell, stopOf, those } from "../../scenarios/scene.ts";

test("an accepted answer stands; failed tests reject one without asking anybody; what cannot be used is told", async () => {
  const accepts: Script = (request) =>
    whole(request).includes("You are a subagent: reviewer")
      ? { say: '{"accept": true, "problems": []}' }
      : { say: "Mended." };
  const tests: Script = (request) =>
    whole(request).includes("Test it") && !messagesOf(request).some(({ role }) => role === "tool")
      ? { calls: [shell("npm test", "t")] }
      : { say: "All is well." };
  const files = { "package.json": '{ "name": "a", "scripts": { "test": "echo broken sum && exit 1" } }' };
  await using company = await makeCompany(
    { cheap: { script: tests, price: 0.1 }, strong: { script: accepts, price: 15 } },
    'strategies = ["cascade"]',
    { git: true, files },
  );
  const { scene, servers } = company;
  const accepted = await scene.tell(["explain the parser"]);
  expect(asked(accepted.events)).toEqual(["cheap/model"]);
  expect(told(accepted.events, "router.strategy")).toEqual(["strong/model accepts the answer of cheap/model."]);
  const reviews = () => servers["strong"]?.requests.filter((each) => whole(each).includes("subagent: reviewer")).length;
  expect(reviews()).toBe(1);
  const failed = await scene.tell(["--autonomy", "5", "Test it and fix the crash"]);
  expect(asked(failed.events).at(-1)).toBe("strong/model");
  expect(reviews()).toBe(1);
  expect(whole(servers["strong"]?.requests.at(-1) as never)).toContain("broken sum");
  expect((await statsOf(scene)).arms.find(({ arm }) => arm === "cheap/model")).toMatchObject({
    lastOutcome: "failing",
  });
  expect(those(accepted.events, "call.decided").map(({ action }) => action?.kind)).toEqual(["agent"]);
  const denied = await scene.tell(["--mode", "deny", "explain the parser"]);
  expect(told(denied.events, "router.strategy")).toEqual([
    "strong/model could not review the answer of cheap/model: no subagent may be started for it",
  ]);
  const alone = await scene.tell(["--strategy", "synthesis", "fix the crash"]);
  expect(told(alone.events, "router.strategy")).toEqual([
    "synthesis cannot be used for this, so one model does it alone: not for debug.",
  ]);
  const { stdout } = await scene.run(["router", "explain", "explain the parser", "--json"]);
  const { strategies } = JSON.parse(stdout) as RouterExplanation;
  expect(strategies.filter(({ excluded }) => excluded === undefined).map(({ strategy }) => strategy)).toEqual([
    "cascade",
  ]);
  const wrong = await scene.run(["-p", "--strategy", "all", "x"]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("--strategy needs one of single, cascade")]);
});

/** The label under which a text was shown to a judge. */
const labelOf = (request: string, text: string): string =>
  request
    .match(/answer ([A-C])(?:(?!answer [A-C]).)*/g)
    ?.find((part) => part.includes(text))
    ?.charAt(7) ?? "none";

test("of answers side by side, the one judged best without names is the answer, in a conversation that goes on", async () => {
  const [hat, right] = ["The parser is a hat.", "The parser reads tokens."];
  const ballot = "Several agents have answered";
  // All can judge: whichever of them is asked, the ballot has to name what is right.
  const member =
    (own: string): Script =>
    (request) => {
      const text = whole(request);
      return { say: text.includes(ballot) ? JSON.stringify({ best: labelOf(text, right), why: "true" }) : own };
    };
  await using company = await makeCompany({
    one: { script: member(hat), price: 1 },
    two: { script: member(right), price: 1 },
    three: { script: member(hat), price: 1 },
    judge: { script: member("It is a parser."), price: 1 },
    gone: { script: () => ({ status: 404, say: "gone" }), price: 1 },
  });
  const { scene, servers } = company;
  let won = 0;
  for (let run = 0; run < 3; run += 1) {
    const { events, code } = await scene.tell(["--strategy", "ensemble", "explain the parser"]);
    expect([code, stopOf(events)?.kind]).toEqual([0, "done"]);
    const drafts = those(events, "agent.started").filter(({ task }) => task.startsWith("Answer the following"));
    expect(drafts).toHaveLength(3);
    expect(new Set(drafts.map(({ definition }) => definition))).toEqual(new Set(["explorer"]));
    const judge = those(events, "agent.started").find(({ definition }) => definition === "reviewer");
    expect(judge?.task).not.toMatch(/one\/model|two\/model|three\/model|judge\/model/);
    expect(drafts.map(({ model }) => model)).not.toContain(judge?.model);
    if (judge?.model === "gone/model" || !drafts.some(({ model }) => model === "two/model")) continue;
    won += 1;
    expect(finalAnswer(events)).toBe(right);
    expect(asked(events)).toEqual(["two/model"]);
    expect(told(events, "router.strategy").at(-1)).toContain("The answer of two/model is taken: ");
    const went = await scene.tell(["--continue", "--strategy", "single", "and why?"]);
    expect(went.code).toBe(0);
    const last = Object.values(servers).find(({ requests }) => whole(requests.at(-1) as never).includes("and why?"));
    expect(whole(last?.requests.at(-1) as never)).toContain(right);
    break;
  }
  expect(won).toBe(1);
});

test("the answer that passes the person's own check is taken, whatever a judge would say", async () => {
  const member =
    (own: string): Script =>
    () => ({ say: own });
  await using company = await makeCompany(
    {
      one: { script: member("no facts in here"), price: 1 },
      two: { script: member("see parser.ts:12"), price: 1 },
      three: { script: member("none here, too"), price: 1 },
    },
    'check = "grep -q parser.ts"',
    { git: true, files: { "parser.ts": "" } },
  );
  const { scene } = company;
  const { events, code } = await scene.tell(["--autonomy", "5", "--strategy", "ensemble", "explain the parser"]);
  expect([code, finalAnswer(events)]).toEqual([0, "see parser.ts:12"]);
  expect(told(events, "router.strategy")).toEqual([
    "The answer of two/model is taken: of 3, it is the only one that passes router.check.",
  ]);
  expect(those(events, "agent.started")).toHaveLength(3);
  const checks = those(events, "call.decided").filter(({ tool, origin }) => tool === "shell" && origin === "fettle");
  expect(checks.map(({ decision }) => decision.verdict)).toEqual(["allow", "allow", "allow"]);
  const { arms, strategies } = await statsOf(scene);
  expect(Object.fromEntries(arms.map(({ arm, lastOutcome }) => [arm, lastOutcome]))).toEqual({
    "one/model": "failing",
    "two/model": "passed",
    "three/model": "failing",
  });
  expect(strategies).toMatchObject([{ strategy: "ensemble", lastOutcome: "passed", n: 1 }]);
  // One that cannot be run decides nothing, and says so once.
  const args = ["--autonomy", "5", "--strategy", "ensemble", "explain the parser"];
  const mistyped = await scene.tell(args, { env: { FETTLE_ROUTER_CHECK: "grepp -q parser.ts" } });
  expect(told(mistyped.events, "router.check")).toEqual([
    expect.stringMatching(
      /^router\.check says nothing, so it does not count: its command was not found \(.*grepp.*\)\.$/,
    ),
  ]);
});

test("drafts become one answer, which is criticised and gone over once; money bounds all of it", async () => {
  const drafts =
    (own: string): Script =>
    (request) => {
      const text = whole(request);
      if (text.includes("Judge whether it is right"))
        return { say: '{"accept": false, "problems": ["step 3 is missing"]}' };
      return { say: own };
    };
  const writer: Script = (request) => {
    const text = whole(request);
    if (!text.includes("Others have drafted")) return { say: "draft of best" };
    if (!text.includes("step 3 is missing")) return { say: "first steps: left and right" };
    return { say: "first steps: left, right and three" };
  };
  await using company = await makeCompany({
    left: { script: drafts("go left"), price: 0.5 },
    right: { script: drafts("go right"), price: 0.5 },
    best: { script: writer, price: 15 },
  });
  const { scene, servers } = company;
  const { events, code } = await scene.tell(["--strategy", "synthesis", "plan the move to another parser"]);
  expect([code, stopOf(events)?.kind]).toEqual([0, "done"]);
  expect(asked(events)).toEqual(["best/model", "best/model"]);
  expect(finalAnswer(events)).toBe("first steps: left, right and three");
  const writing = servers["best"]?.requests.map(whole).find((text) => text.includes("Others have drafted")) ?? "";
  expect(writing).toContain("go left");
  expect(writing).toContain("go right");
  expect(writing).not.toMatch(/left\/model|right\/model/);
  expect(told(events, "router.chosen")[0]).toMatch(
    /draft, best\/model writes the answer, .* \(synthesis, about [\d.]+ times the price of \w+\/model alone\)/,
  );
  expect(told(events, "router.strategy")).toEqual([
    "best/model goes over its answer once more: 1 problem: step 3 is missing",
  ]);
  const cost = those(events, "turn.ended").at(-1)?.cost ?? 0;
  const own = those(events, "round.ended").reduce((sum, round) => sum + (round.cost ?? 0), 0);
  expect(cost).toBeGreaterThan(own);
  const before = Object.values(servers).reduce((sum, { requests }) => sum + requests.length, 0);
  const poor = await scene.tell(["--max-cost", "0.02", "--strategy", "synthesis", "plan the move to another parser"]);
  const spent = those(poor.events, "turn.ended").at(-1)?.cost ?? 0;
  expect(spent).toBeLessThanOrEqual(20_000);
  expect(Object.values(servers).reduce((sum, { requests }) => sum + requests.length, 0) - before).toBeLessThan(6);
});

test("a named model does it alone, and says so", async () => {
  await using company = await makeCompany({
    one: { script: say("done"), price: 1 },
    two: { script: say("done"), price: 1 },
  });
  const { events } = await company.scene.tell(["-m", "one/model", "--strategy", "cascade", "explain the parser"]);
  expect(asked(events)).toEqual(["one/model"]);
  expect(told(events, "router.strategy")).toEqual([
    "one/model was named, so cascade has no effect: that needs --model auto.",
  ]);
});
