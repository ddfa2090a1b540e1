// Lists that one chooses from with the arrow keys, and what stands below the conversation.
import { beforeAll, expect, test } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { buildOnce } from "../../../support/program.ts";
import { sandboxHere } from "../../../support/sandbox.ts";
import { keys } from "../../../support/terminal.ts";
import { call, makeScene, messagesOf } from "../../../scenarios/scene.ts";
import { files, mend, open, ready, source } from "../../../scenarios/shown.ts";

beforeAll(buildOnce, 60_000);

test.skipIf(!sandboxHere)(
  "all that is to do, background jobs, earlier sessions by title, and a rewind that shows what comes back",
  async () => {
    const items = [
      { text: "look", state: "done" },
      { text: "mend it", state: "doing" },
      { text: "test it", state: "open" },
    ];
    const holds = Promise.withResolvers<void>();
    await using scene = await makeScene(
      async (request) => {
        const { role, content } = messagesOf(request).at(-1)!;
        if (role !== "tool")
          return content === "mend it" ? { calls: [call("todo", { items }, "list"), mend] } : { say: "Heard." };
        await holds.promise;
        return { say: "Mended." };
      },
      { files, git: true },
    );
    const shown = open(scene, { args: ["mend it"], rows: 40 });
    await shown.shows("to do 1/3  mend it");
    expect(shown.screen()).not.toContain("test it");
    shown.type("\x14");
    await shown.shows(/\[x\] look\n +\[>\] mend it\n +\[ \] test it/);
    shown.type("\x14");
    await expect.poll(() => shown.screen()).not.toContain("test it");
    holds.resolve();
    await shown.shows("✓ done");
    shown.type(keys.escape);
    await sleep(50);
    shown.type(keys.escape);
    await shown.shows(/src\/add.js[^]*Rewind what\?\n {3}\(f\)iles/);
    shown.type(keys.down);
    await shown.shows(/^ › \(f\)iles/m);
    shown.type(keys.enter);
    await shown.shows("Rewound the files to before turn 1.");
    expect(scene.text("src/add.js")).toBe(source);
    expect(shown.everything()).not.toContain("Rewind what?");
    shown.type(keys.control("d"));
    expect(await shown.exited).toBe(0);

    const again = open(scene, { rows: 40 });
    await again.shows(ready);
    again.type(`/resume${keys.enter}`);
    await again.shows(/Which one\?\n {3}\(1\) mend it {2}1 turn, /);
    again.type(`${keys.down}${keys.enter}`);
    await again.shows("Resumed “mend it”");
  },
);
