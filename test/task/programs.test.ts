// Programs that a plan leaves running: reached by its steps and checks, told apart when they crash, gone afterwards.
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { sandboxHere } from "../support/sandbox.ts";
import { nodeFiles, quickCrew, quickPlan, say } from "./crew.ts";
import { approve, look, openScene, planned } from "./tasks.ts";

const server = (more = "") =>
  `import { createServer } from "node:http";\nimport { round } from "./round.js";\n${more}const server = createServer((_, response) => response.end(String(round(1.5))));\nserver.listen(3711, "127.0.0.1", () => console.log("listening on port 3711"));\n`;
const ask =
  'const answer = await (await fetch("http://localhost:3711/")).text();\nif (answer !== "2") throw new Error(`answered ${answer}`);\n';
const files = { ...nodeFiles, "src/server.js": server(), "ask.mjs": ask };
const served = (more: Record<string, unknown> = {}) =>
  quickPlan({
    background: ["node src/server.js"],
    run: ["node ask.mjs", "node ask.mjs"],
    acceptance: [{ claim: "the server rounds up", command: "node ask.mjs" }],
    ...more,
  });

const running = (mark: string): string[] =>
  readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/cmdline`, "utf8").includes(mark);
    } catch {
      return false;
    }
  });

test.skipIf(!sandboxHere)(
  "steps and checks reach the program that the plan leaves running, and nobody is left",
  async () => {
    await using scene = await openScene({ ...quickCrew, architect: () => say(served()) }, files);
    const { id, code, stderr } = await planned(scene);
    expect(code, stderr).toBe(3);
    const { task } = await look(scene, id);
    expect(task.evidence?.filter(({ tier }) => tier === "integration" || tier === "acceptance")).toMatchObject([
      { command: "node --test", exit: 0 },
      { command: "node src/server.js", exit: null, ok: true, detail: "answers at port 3711" },
      { command: "node ask.mjs", exit: 0, ok: true },
      { command: "node ask.mjs", exit: 0, ok: true },
      { tier: "acceptance", command: "node ask.mjs", exit: 0, ok: true },
    ]);
    expect((await approve(scene, id)).code).toBe(0);
    expect(running("src/server.js")).toEqual([]);
  },
);
