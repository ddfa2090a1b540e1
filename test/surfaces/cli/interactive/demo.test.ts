// What `fettle demo` prints at its end must work when it is pasted, without any model.
import { execFileSync } from "node:child_process";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { buildOnce, makeHome, runFettle } from "../../../support/program.ts";
import { startTerminal } from "../../../support/terminal.ts";

beforeAll(buildOnce, 60_000);

test("the printed ways to look back and to undo work as they stand", async (context) => {
  const home = makeHome();
  onTestFinished(home.remove);
  const { code, stdout, stderr } = await runFettle(["demo", "javascript"], { home });
  if (code === 2 && stderr.includes("needs npm")) return context.skip("there is no npm here");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const printed = (name: string) => new RegExp(`^${name} +(cd .+)$`, "m").exec(stdout)?.[1] ?? "";
  const [folder = ""] = /(?<=cd )\S+/.exec(printed("undo it")) ?? [];
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8", env: home.env });
  expect(git("status", "--porcelain")).toBe(" M src/split.js\n");

  const looked = execFileSync("sh", ["-c", printed("look back")], { encoding: "utf8", env: home.env });
  expect(looked).toContain("npm test fails. Find out why and mend it.");
  expect(looked).toMatch(/edit L1 notify/);

  const terminal = startTerminal({
    program: "/bin/sh",
    args: ["-c", printed("undo it")],
    cwd: home.folder,
    env: home.env,
    columns: 120,
  });
  onTestFinished(() => terminal.kill("SIGKILL"));
  await terminal.shows("Rewind? [y/N]");
  expect(git("status", "--porcelain")).toBe(" M src/split.js\n");
  await terminal.enter("y", "Rewound the conversation and the files to before turn 1.");
  expect(await terminal.exited).toBe(0);
  expect(git("status", "--porcelain")).toBe("");
});
