// Language servers as a person has them: the real TypeScript server in the sandbox, the real program, a scripted model.
import { cpSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { sandboxHere } from "../../support/sandbox.ts";
import { projectRoot } from "../../support/program.ts";
import { decisionOf } from "../../scenarios/hook-files.ts";
import { byResults, call, configure, edit, makeScene, resultText, type Scene, those } from "../../scenarios/scene.ts";

const platform = `typescript-${process.platform}-${process.arch}`;
const use = (tool: string, input: object, id: string) => call("mcp", { tool: `code__${tool}`, arguments: input }, id);

const files = {
  "tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true,"module":"esnext","types":[]},"include":["*.ts"]}',
  "a.ts": "export function greet(name: string): string {\n  return `hi ${name}`;\n}\n",
  "b.ts": 'import { greet } from "./a";\nexport const first = greet("x");\nexport const last = greet("y");\n',
};

/** Outside of the workspace, as a person's own programs are. */
function withTypeScript(scene: Scene, more = ""): void {
  const folder = scene.at("../typescript");
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(projectRoot, "node_modules/@typescript", platform), folder, { recursive: true });
  const command = JSON.stringify([path.join(folder, "lib/tsc"), "--lsp", "--stdio"]);
  configure(scene, `[code]\nenabled = true\n${more}\n[code.servers]\ntypescript = ${command}\n`);
}

test.skipIf(!sandboxHere || process.platform !== "linux")(
  "a language server answers, tells the errors of an edit a bounded number of times, and renames through the gate",
  async () => {
    await using scene = await makeScene(
      byResults(
        [call("find_tools", { query: "definition" }, "f")],
        [
          use("definition", { path: "b.ts", symbol: "greet", line: 2 }, "d"),
          use("references", { path: "a.ts", symbol: "greet" }, "r"),
          use("symbols", { query: "greet" }, "s"),
          use("definition", { path: "../outside.ts", symbol: "x" }, "o"),
        ],
        [edit("b.ts", 'greet("x")', "greet(1)", "wrong")],
        [edit("b.ts", 'greet("y")', "greet(2)", "again")],
        [edit("b.ts", "greet(1)", 'greet("x")', "half"), edit("b.ts", "greet(2)", 'greet("y")', "right")],
        [use("rename", { path: "a.ts", symbol: "greet", new_name: "welcome" }, "n")],
        "Done.",
      ),
      { git: true, files },
    );
    withTypeScript(scene, "rounds = 1");
    const { events, code } = await scene.tell(["go"]);
    expect(code).toBe(0);
    expect(resultText(events, "f")).toContain("code__definition");
    expect(resultText(events, "d")).toContain("a.ts:1:17 export function greet");
    expect(resultText(events, "r").match(/^[ab]\.ts:/gm)).toHaveLength(4);
    expect(resultText(events, "s")).toContain("a.ts:1:17 greet");
    expect(resultText(events, "o")).toMatch(/is no file|outside the workspace/);
    expect(decisionOf(events, "d.start")).toMatchObject({ verdict: "notify", rule: "mcp.servers" });
    expect(decisionOf(events, "d")).toMatchObject({ verdict: "allow", risk: "L0" });
    expect(resultText(events, "wrong")).toMatch(/b\.ts:2:\d+ error 2345: Argument of type 'number'/);
    expect(resultText(events, "again"), "one round was allowed").not.toContain("error");
    expect(resultText(events, "right")).not.toContain("error");
    expect(readFileSync(scene.at("a.ts"), "utf8")).toContain("function welcome(");
    expect(readFileSync(scene.at("b.ts"), "utf8")).toBe(files["b.ts"].replaceAll("greet", "welcome"));
    expect(decisionOf(events, "n.edits")).toMatchObject({ verdict: "notify", risk: "L1" });
    expect(resultText(events, "n")).toContain("updated a.ts");
    expect(those(events, "taint.raised"), "it says nothing but what stands in the workspace").toEqual([]);
    expect((await scene.run(["audit", "verify"])).code).toBe(0);
  },
);

test.skipIf(!sandboxHere || process.platform !== "linux")(
  "a server that cannot be started, or holds too much memory, costs its own answer only",
  async () => {
    await using scene = await makeScene(
      byResults(
        [
          use("definition", { path: "a.ts", symbol: "greet" }, "d"),
          use("definition", { path: "a.py", symbol: "greet" }, "m"),
          call("read", { path: "a.ts" }, "r"),
          edit("a.go", "package a", "package b", "g"),
        ],
        "Done.",
      ),
      { git: true, files: { ...files, "a.py": "def greet(): pass\n", "a.go": "package a\n" } },
    );
    const leaks = "globalThis.held = Buffer.alloc(300e6, 1); setInterval(() => {}, 1000)";
    const servers = {
      typescript: ["/bin/sh", "-c", "echo broken >&2; exit 3"],
      go: ["/bin/sh", "-c", "sleep 100"],
      python: [process.execPath, "-e", leaks],
    };
    const lines = Object.entries(servers).map(([name, command]) => `${name} = ${JSON.stringify(command)}`);
    configure(scene, `[code]\nenabled = true\nmemory_mb = 200\n[code.servers]\n${lines.join("\n")}\n`);
    const { events } = await scene.tell(["go"]);
    expect(resultText(events, "d")).toMatch(/did not start\. It ended with exit code 3\. It said: broken/);
    expect(resultText(events, "m")).toMatch(/It held \d+ MB of memory; 200 are allowed/);
    expect(resultText(events, "g"), "the server has not even started in time").toBe("Edited a.go: +1 −1.");
    expect(resultText(events, "r")).toContain("function greet");
  },
);
