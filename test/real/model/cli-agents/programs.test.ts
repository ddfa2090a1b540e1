// Other agents' real programs, where they are installed: in PATH, or in the folders of FETTLE_TEST_CLI_AGENTS (as PATH).
// A program that only fails stands for failures.
import { existsSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { makeScene, type Scene, stopOf, those, configure } from "../../../scenarios/scene.ts";
import { claudeEnd, standIn } from "../../../model/cli-agents/folder.ts";

const given = process.env["FETTLE_TEST_CLI_AGENTS"] ?? "";
const folders = `${given}:${process.env["PATH"] ?? ""}`.split(":").filter(Boolean);
const installed = (program: string) => folders.some((folder) => existsSync(path.join(folder, program)));
const withAgents = [given, process.env["PATH"]].filter(Boolean).join(":");

const answer = { say: "Twelve is the answer." };

const envOf = (scene: Scene): Record<string, string> => ({
  PATH: withAgents,
  ANTHROPIC_BASE_URL: scene.server.url,
  ANTHROPIC_API_KEY: "not-a-real-key",
  GEMINI_BASE_URL: scene.server.url,
  GEMINI_API_KEY: "not-a-real-key",
  FETTLE_CLI_CODEX_SANDBOX: "fettle",
});

const models = { claude: "claude-code", codex: "codex/gpt-5.1", gemini: "gemini-cli/gemini-2.5-pro" };

describe("real programs", () => {
  for (const [program, model] of Object.entries(models)) {
    it.skipIf(!installed(program))(
      `${program} answers in the sandbox, takes its conversation up again, and its cost is the session's`,
      async () => {
        await using scene = await makeScene(() => ({ ...answer, usage: { input: 12_000, output: 20 } }), { git: true });
        const env = envOf(scene);
        const first = await scene.tell(["--autonomy", "5", "--model", model, "What is six and six?"], { env });
        expect(stopOf(first.events)?.kind).toBe("done");
        const [ended] = those(first.events, "cli.ended");
        expect(ended?.by).toBe(program);
        expect(ended?.cost).toBeGreaterThan(0);
        expect(those(first.events, "turn.ended")[0]?.cost).toBe(ended?.cost);
        expect(those(first.events, "round.ended").at(-1)?.content).toEqual([{ type: "text", text: answer.say }]);
        const second = await scene.tell(["--autonomy", "5", "--continue", "And seven more?"], { env });
        const again = those(second.events, "cli.ended")[0];
        expect(again?.resume).toBe(ended?.resume);
        // Of this run alone, however the program counts.
        expect(again?.usage.input).toBeLessThan(1.5 * (ended?.usage.input ?? 0));
      },
      60_000,
    );
  }
});

const failing = (scene: Scene, script: string): Record<string, string> => ({
  ...envOf(scene),
  PATH: standIn(scene, "claude", script),
});
const result = claudeEnd;
const go = ["--autonomy", "5", "--model", "claude-code", "Do it."];

describe("a program that fails", () => {
  it("is not installed: the remedy is said and nothing is stored", async () => {
    await using scene = await makeScene([]);
    const exited = await scene.run(["-p", "--model", "gemini-cli", "x"], { env: { PATH: "/usr/bin:/bin" } });
    expect(exited.code).toBe(2);
    expect(exited.stderr).toContain("Gemini CLI is not installed");
  });

  it("nobody approves it: it is not started", async () => {
    await using scene = await makeScene([], { git: true });
    const env = failing(scene, `echo ran > "$PWD/ran"; echo '${result({})}'`);
    const { events } = await scene.tell(["--model", "claude-code", "Do it."], { env });
    expect(those(events, "cli.ended")).toEqual([]);
    expect(existsSync(scene.at("ran"))).toBe(false);
    expect(those(events, "call.decided")[0]?.decision.verdict).toBe("ask");
  });

  it("writes in the workspace and nowhere else, gets its vendor's key alone, and rewind takes its files back", async () => {
    await using scene = await makeScene([], { git: true, files: { "a.txt": "before\n" } });
    const script = `echo after > a.txt; echo x > "${scene.home.folder}/escaped"; env | grep -c OPENAI_API_KEY > key.txt; echo '${result({ total_cost_usd: 0.25 })}'`;
    const env = failing(scene, script);
    const { events } = await scene.tell(go, { env });
    expect(stopOf(events)?.kind).toBe("done");
    expect(scene.text("a.txt")).toBe("after\n");
    expect(scene.text("key.txt")).toBe("0\n");
    expect(existsSync(path.join(scene.home.folder, "escaped"))).toBe(false);
    expect(those(events, "cli.ended")[0]?.cost).toBe(250_000);
    await scene.run(["rewind", "--files", "-y"]);
    expect(scene.text("a.txt")).toBe("before\n");
    const cost = await scene.run(["cost", "--by", "model", "--json"]);
    expect(cost.stdout).toContain("cli/claude");
  });

  it("is told how much to think in its own way, or it is said that it is not", async () => {
    await using scene = await makeScene([], { git: true });
    const claude = failing(scene, `echo "$CLAUDE_CODE_EFFORT_LEVEL" > effort.txt; echo '${result({})}'`);
    const high = await scene.tell([...go, "--effort", "high"], { env: claude });
    expect(scene.text("effort.txt")).toBe("high\n");
    expect(those(high.events, "call.decided")[0]?.action).toMatchObject({ effort: "high" });
    // No level between them: the nearest one.
    const most = await scene.tell([...go, "--effort", "xhigh"], { env: claude });
    expect(those(most.events, "notice.given").some(({ code }) => code === "effort.other")).toBe(true);
    standIn(scene, "codex", `for word in "$@"; do echo "$word"; done > words.txt; exit 1`);
    const codex = { ...claude, OPENAI_BASE_URL: scene.server.url };
    await scene.tell(["--autonomy", "5", "--model", "codex/gpt-5.1", "--effort", "low", "Do it."], { env: codex });
    expect(scene.text("words.txt")).toContain('-c\nmodel_reasoning_effort="low"\n');
    standIn(scene, "gemini", "exit 1");
    const gemini = await scene.tell(["--autonomy", "5", "--model", "gemini-cli", "--effort", "low", "Do it."], {
      env: claude,
    });
    const told = those(gemini.events, "notice.given").find(({ code }) => code === "effort.other");
    expect(told?.text).toBe("cli/gemini takes no effort from fettle, so none is passed on (low was wanted).");
  });

  it("without a sandbox it is asked for, however autonomous the session is", async () => {
    await using scene = await makeScene([], { git: true });
    const env = failing(scene, `echo '${result({})}'`);
    const { events } = await scene.tell(go, { env: { ...env, FETTLE_SANDBOX_ENABLED: "false" } });
    expect(those(events, "call.decided")[0]?.decision).toMatchObject({ verdict: "ask", rule: "cli-agent.unconfined" });
  });

  it("the role read-only: its files are read-only, whatever the program does", async () => {
    await using scene = await makeScene([], { git: true, files: { "a.txt": "before\n" } });
    const env = failing(scene, `echo after > a.txt; echo '${result({})}'`);
    const { events } = await scene.tell([...go, "--role", "read-only"], { env });
    expect(scene.text("a.txt")).toBe("before\n");
    expect(those(events, "call.decided")[0]?.action).toMatchObject({ writes: false });
  });

  it("costs more than it may: it is stopped, and what it cost is known", async () => {
    await using scene = await makeScene([], { git: true });
    const env = failing(scene, `echo '${result({ total_cost_usd: 9 })}'; sleep 60`);
    const { events } = await scene.tell(go, { env });
    expect(stopOf(events)?.text).toContain("cost more than 2.00 USD");
    expect(those(events, "cli.ended")[0]?.cost).toBe(9_000_000);
  });

  it.each([
    ["says nothing", "exit 0", "ended without saying so"],
    ["breaks off", "echo 'no licence'; exit 7", "exit code 7: no licence"],
    ["says that it failed", `echo '${result({ is_error: true, result: "Overloaded" })}'`, "Overloaded"],
  ])("%s: the turn ends with the reason", async (_, script, why) => {
    await using scene = await makeScene([], { git: true });
    const { events, code } = await scene.tell(go, { env: failing(scene, script) });
    expect(code).toBe(1);
    expect(stopOf(events)?.text).toContain(why);
  });

  it("Ctrl-C ends it with all that it started", async () => {
    await using scene = await makeScene([], { git: true });
    const env = failing(scene, `echo begun > begun; sleep 100 & sleep 2; echo late > late; wait`);
    const started = await scene.start(["-p", "--json", ...go], { env });
    await expect.poll(() => existsSync(scene.at("begun")), { timeout: 10_000 }).toBe(true);
    started.child.kill("SIGINT");
    const { code } = await started.exited;
    expect(code).not.toBe(0);
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(existsSync(scene.at("late"))).toBe(false);
  }, 20_000);

  it("does the work of a subagent whose definition names it, for the subagent's purpose", async () => {
    const start = { calls: [{ name: "agent", input: { agent: "helper", task: "Look." } }] };
    await using scene = await makeScene([start, "It is done."], { git: true });
    const head = "---\nname: helper\ndescription: helps\nmodel: claude-code\n---\nYou help with purpose.\n";
    configure(scene, head, "agents/helper.md");
    const env = failing(scene, `cat > asked.txt; echo '${result({ total_cost_usd: 0.1 })}'`);
    const { events } = await scene.tell(["--autonomy", "5", "Let it be done."], { env });
    expect(those(events, "agent.ended")[0]).toMatchObject({ state: "done", cost: 100_000 });
    expect(scene.text("asked.txt")).toContain("You help with purpose.");
    expect(scene.text("asked.txt")).toContain("Look.");
  });
});

describe("a program that tells its tokens only at the end", () => {
  const capped = { FETTLE_CLI_MAX_USD: "0.05" };

  for (const program of ["codex", "gemini"] as const) {
    const look = {
      codex: ["exec_command", { cmd: "cat a.txt" }],
      gemini: ["read_file", { file_path: "a.txt" }],
    } as const;
    const [name, input] = look[program];

    it.skipIf(!installed(program))(
      `${program} is stopped in the middle when its estimate passes the cap, and what it said is kept`,
      async () => {
        const busy = { say: "I look again.", calls: [{ name, input }], usage: { input: 12_000, output: 20 } };
        const files = { "a.txt": "one line\n".repeat(400) };
        await using scene = await makeScene(() => busy, { git: true, files });
        const env = { ...envOf(scene), ...capped };
        const { events, code } = await scene.tell(["--autonomy", "5", "--model", models[program], "Look at a.txt"], {
          env,
        });
        expect(code).toBe(1);
        const [ended] = those(events, "cli.ended");
        expect(ended?.problem).toContain("cost more than 0.05 USD");
        expect(ended).toMatchObject({ estimated: true });
        // What the server was really asked for, by its own count of the prompts that it saw.
        const asked = scene.server.requests.length * 12_000 * 1.25;
        expect(scene.server.requests.length).toBeLessThan(8);
        expect(ended?.cost).toBeGreaterThan(50_000);
        expect(ended?.cost).toBeLessThan(2 * Math.max(asked, 50_000));
        expect(those(events, "round.ended").at(-1)?.content).toEqual([
          { type: "text", text: expect.stringContaining("I look again.") as string },
        ]);
      },
      60_000,
    );
  }

  it("a stream that goes on is cut at the cap, what it is taken to have cost is the session's, and is marked as an estimate", async () => {
    await using scene = await makeScene([], { git: true });
    const line = (value: object) => `echo '${JSON.stringify(value)}'`;
    const act = (type: string) => ({ type, item: { id: "item_'$n'", type: "command_execution", command: "cat a" } });
    const done = { ...act("item.completed").item, aggregated_output: "x".repeat(4_000), status: "completed" };
    const script = [
      line({ type: "thread.started", thread_id: "01a2" }),
      line({ type: "item.completed", item: { id: "item_a", type: "agent_message", text: "Half of an answer." } }),
      "n=0; while [ $n -lt 200 ]; do n=$((n+1))",
      line(act("item.started")),
      line({ type: "item.completed", item: done }),
      "sleep 0.3; done; sleep 60",
    ].join("\n");
    const env = { ...envOf(scene), ...capped, PATH: standIn(scene, "codex", script) };
    const { events } = await scene.tell(["--autonomy", "5", "--model", models.codex, "Go on."], { env });
    const [ended] = those(events, "cli.ended");
    expect(stopOf(events)?.text).toContain("by an estimate from what it did");
    expect(ended?.acts).toBeLessThan(10);
    expect(ended?.cost).toBeGreaterThan(50_000);
    expect(ended?.cost).toBeLessThan(100_000);
    expect(those(events, "round.ended").at(-1)?.content).toEqual([{ type: "text", text: "Half of an answer." }]);
    expect(those(events, "turn.ended")[0]?.cost).toBe(ended?.cost);
    const { stdout } = await scene.run(["cost", "--by", "model"]);
    expect(stdout).toMatch(/cli\/codex\/gpt-5\.1 .*~\$0\.0/);
    expect(stdout).toContain("whose provider has not said what it took");
  });
});
