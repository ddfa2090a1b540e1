// Taint that passes on through names, searches and commands, and ends.
import { copyFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DatabaseSync } from "node:sqlite";
import path from "node:path";
import type { ModelServerRequest } from "../../support/model-server.ts";
import {
  byResults,
  call,
  makeScene,
  read,
  resultText,
  shell,
  type Reply,
  those,
  write,
} from "../../scenarios/scene.ts";
import { order, sources, reading, tainted, twoSessions } from "../../guard/tainting.ts";

test("the same bytes under another name taint, and a folder's listing does not", async () => {
  await using scene = await makeScene(
    twoSessions({ calls: [call("list", { path: "." }, "list"), shell("ls -l", "ls")] }, reading("copy.md"), {
      say: "ok",
    }),
    { git: true },
  );
  await tainted(scene);
  copyFileSync(scene.at("notes.md"), scene.at("copy.md"));
  const next = await scene.tell(["--autonomy", "5", "session-two"]);
  expect(resultText(next.events, "ls")).toContain("notes.md");
  expect(sources(next.events)).toEqual(["copy.md"]);
});

test("a search that quotes it taints", async () => {
  const searching = { calls: [call("grep", { pattern: "special" }, "grep")] };
  await using scene = await makeScene(twoSessions(searching, { say: "ok" }), { git: true });
  await tainted(scene);
  expect(sources((await scene.tell(["session-two"])).events)).toEqual(["notes.md"]);
});

test("what a command wrote in a tainted turn is known too", async () => {
  const running = { calls: [shell("f=gen; echo generated > $f.txt", "run")] };
  const script = (request: ModelServerRequest): Reply =>
    JSON.stringify(request.body).includes("session-one")
      ? byResults(running, "done")(request)
      : byResults(reading("gen.txt"), "ok")(request);
  await using scene = await makeScene(script, { git: true });
  const first = await scene.tell(["--autonomy", "5", "session-one"], { stdin: order });
  expect(those(first.events, "call.ended").at(-1)?.result.status).toBe("done");
  expect(sources((await scene.tell(["--autonomy", "5", "session-two"])).events)).toEqual(["gen.txt"]);
});

test("written anew by a session that knew nothing of it, a file taints no longer; nor does any other file", async () => {
  const script = twoSessions(
    { calls: [read("other.md", "other")] },
    { calls: [write("notes.md", "Mine.\n", "own")] },
    reading("notes.md"),
    { say: "ok" },
  );
  await using scene = await makeScene(script, { git: true, files: { "other.md": "Calm.\n" } });
  await tainted(scene);
  const next = await scene.tell(["--autonomy", "4", "session-two"]);
  expect(sources(next.events)).toEqual([]);
});

test("of an incognito session's files not even the names are kept, and they taint all the same", async () => {
  await using scene = await makeScene(twoSessions(reading("notes.md"), { say: "ok" }), { git: true });
  const first = await scene.tell(["--incognito", "--autonomy", "4", "session-one"], { stdin: order });
  expect(sources(first.events)).toEqual(["standard input"]);
  const database = new DatabaseSync(path.join(scene.state(), "state.db"), { readOnly: true });
  const rows = database.prepare("select path from tainted_file").all();
  database.close();
  expect(rows).toEqual([{ path: null }]);
  expect(sources((await scene.tell(["session-two"])).events)).toEqual(["notes.md"]);
});
