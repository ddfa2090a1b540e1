// Commands that misbehave, with and without a sandbox: none outlives its call, none takes fettle along.
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { byResults, makeScene, resultText, shell } from "../scenarios/scene.ts";
import { expectNothingLost } from "./support.ts";
import { sandboxHere } from "../support/sandbox.ts";

const ticking = (file: string) => `while :; do echo tick >> ${file}; sleep 0.02; done`;
const commands: Record<string, string> = {
  endless: "echo begun; sleep 1000",
  flood: "yes",
  reads: "cat; echo read nothing",
  forked: `setsid -f sh -c '${ticking("forked.txt")}'; sleep 0.3; echo forked`,
  orphaned: `( (${ticking("orphaned.txt")}) & ) >/dev/null 2>&1; sleep 0.3; echo orphaned`,
  // Not `kill -9 $PPID`, which is refused.
  parent: "/usr/bin/python3 parent.py; sleep 0.2; echo not moved",
  every: "kill -9 -1",
  deaf: `trap '' TERM INT HUP; echo deaf; ${ticking("deaf.txt")}`,
  closed: "exec 1>&- 2>&-; sleep 0.1; exit 3",
};

const lines = (file: string) => (existsSync(file) ? readFileSync(file, "utf8").split("\n").length : 0);

const walls = [
  ["in the sandbox", "true", /^\[exit 137\]$/],
  ["without a sandbox", "false", /^\[ended by SIGKILL\]$/],
] as const;

test.concurrent.each(walls.filter(([, sandbox]) => sandboxHere || sandbox === "false"))(
  "a command that never ends, floods, forks away, kills its parent: %s",
  async (_where, sandbox, orphan) => {
    const calls = Object.entries(commands).map(([id, command]) => shell(command, id));
    await using scene = await makeScene(byResults(calls, "Done."));
    scene.put("parent.py", "import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\n");
    const env = { FETTLE_SANDBOX_ENABLED: sandbox, FETTLE_TOOLS_TIMEOUT_SECS__OTHER: "3" };
    const { code, events, stderr } = await scene.tell(["--autonomy", "5", "go"], { env });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const seen = Object.fromEntries(
      Object.keys(commands).map((id) => [
        id,
        resultText(events, id).replace(
          /^<data[^\n]*\n|\n<\/data>(?=\n\[|$)|\n?\[(?:exit 0|files changed: [^\n]*)\](?=\n|$)/g,
          "",
        ),
      ]),
    );
    const limit = "[stopped at its time limit of 3 seconds]";
    expect(seen).toEqual({
      endless: expect.stringMatching(/^begun\n(Terminated\n)?\[stopped at its time limit of 3 seconds\]$/),
      flood: expect.stringMatching(
        /^y\ny\n[^]*\[cut from [\d.]+ [MG]B; the (?:whole|first [\d.]+ [MG]B): read spill:\S+\]\n\[stopped at/,
      ),
      reads: "read nothing",
      forked: "forked",
      orphaned: "orphaned",
      parent: expect.stringMatching(orphan),
      every: expect.stringMatching(/^Refused \(risk\.L3\), forbidden: Never allowed: ends every process\./),
      deaf: `deaf\n${limit}`,
      closed: "[exit 3]",
    });
    const files = ["forked.txt", "orphaned.txt", "deaf.txt"].map((name) => scene.at(name));
    const ticks = files.map(lines);
    expect(ticks.every((count) => count > 3)).toBe(true);
    await sleep(120);
    expect(files.map(lines)).toEqual(ticks);
    await expectNothingLost(scene);
  },
);
