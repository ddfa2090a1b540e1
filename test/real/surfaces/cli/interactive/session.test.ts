// More of a session in a terminal: reviews, attachments, keys, colours.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, test } from "vitest";
import { buildOnce } from "../../../../support/program.ts";
import { keys } from "../../../../support/terminal.ts";
import { byResults, makeScene, messagesOf, those } from "../../../../scenarios/scene.ts";
import { source, files, open, ready, factsOf, mend, mending } from "../../../../scenarios/shown.ts";
beforeAll(buildOnce, 60_000);

test("review.turn asks what becomes of a turn's changes: k keeps, d discards, and what is typed does neither", async () => {
  await using scene = await makeScene(mending, { git: true, files });
  const shown = open(scene, { env: { FETTLE_REVIEW_TURN: "true" } });
  await shown.shows(ready);
  await shown.enter("mend it", "(d)iscard");
  await shown.enter("d", "Changes discarded: 1 file is as before the turn.");
  expect(scene.text("src/add.js")).toBe(source);
  await shown.enter("do it again", /Changes of this turn[^]*Changes of this turn[^]*Keep these changes\?/);
  await sleep(300);
  await shown.enter("k", "Changes kept.");
  expect(those(await factsOf(scene), "turn.reviewed").map(({ kept }) => kept)).toEqual([false, true]);
});

test("a session left without a prompt is neither listed nor gone on with", async () => {
  await using scene = await makeScene(["One.", "Two."]);
  await scene.run(["-p", "first"]);
  const shown = open(scene);
  await shown.shows(ready);
  await shown.enter("/mode plan", "mode: standard, plan");
  expect(await shown.exits(keys.control("d"))).toBe(0);
  await scene.run(["-p", "--continue", "second"]);
  expect(messagesOf(scene.server.requests[1]!).map(({ content }) => content)).toContain("first");
  const rows = JSON.parse((await scene.run(["sessions", "list", "--json"])).stdout) as { turns: number }[];
  expect(rows.map(({ turns }) => turns)).toEqual([2]);
});

test("one's own reset is asked, not refused, and nothing else that is never allowed is", async () => {
  await using scene = await makeScene(["Nothing."], { git: true, files });
  const shown = open(scene);
  await shown.shows(ready);
  scene.put("src/add.js", "export const add = 1;\n");
  await shown.enter("!git reset --hard", /\$ git reset --hard[^]*\(a\)pprove/);
  await shown.enter("d", "denied by");
  expect(scene.text("src/add.js")).toBe("export const add = 1;\n");
  await shown.shows(/─\n *\n─+\nopenai/);
  await shown.enter("!git reset --hard", /denied by[^]*\$ git reset --hard[^]*\(a\)pprove/);
  await shown.enter("a", /HEAD is now at[^]*─\n *\n─+\nopenai/);
  expect(scene.text("src/add.js")).toBe(source);
  for (const [typed, why] of [
    ["sudo ls; git reset --hard", "other rights"],
    ["git push --force", "history at the remote"],
    ["git clean -fdx", "ignored files"],
  ]) {
    await shown.enter(`!${typed}`, new RegExp(`${why}[^]*─\\n *\\n─+\\nopenai`));
  }
  expect(shown.everything()).not.toContain("approval needed");
});

test("lines of a file are attached by their numbers", async () => {
  const long = `${"x".repeat(99)}\n`.repeat(1000);
  await using scene = await makeScene(["Read."], { files: { "a.js": "one\ntwo\nthree\n", "long.js": long } });
  const shown = open(scene);
  await shown.shows(ready);
  await shown.enter("see @a.js:2 and @a.js:2-3, not @a.js:9, and @long.js", "@a.js:9 is not attached: it has 3 lines");
  await shown.shows("Of @long.js the first 64 of 98 KiB go along");
  await shown.shows("+ a.js:2-3");
  await shown.shows("Read.");
  const sent = JSON.stringify(messagesOf(scene.server.requests[0]!).at(-1));
  expect(sent).toContain("three");
  expect(sent).not.toContain("one");
});

test("a mentioned file goes along as data; one that is not there is told once", async () => {
  await using scene = await makeScene(["Read."], { files });
  const shown = open(scene);
  await shown.shows(ready);
  await shown.press("see @src/a", "→ src/add.js");
  await shown.press(keys.tab, /^see @src\/add.js *$/m);
  await shown.enter("and @nope", "@nope is not attached: there is no file that can be read");
  await shown.shows("+ src/add.js");
  await shown.shows("Read.");
  expect(JSON.stringify(messagesOf(scene.server.requests[0]!).at(-1))).toContain("a - b");
});

test("NO_COLOR: no colour anywhere, everything else as ever", async () => {
  await using scene = await makeScene(byResults({ say: "It is **well**.", calls: [mend] }, "Done."), {
    files,
  });
  const shown = open(scene, { args: ["go"], env: { NO_COLOR: "1" } });
  await shown.shows("✓ done");
  expect(shown.everything()).toContain("It is **well**.");
  // The library ends each line by a reset, and shows the cursor reversed.
  expect(shown.raw()).not.toMatch(/\x1b\[(?!(?:0|7|27)?m)[\d;]*m/);
  expect(scene.text("src/add.js")).toContain("a + b");
});

test("without any model the session does not begin: the steps, exit 2", async () => {
  await using scene = await makeScene([]);
  const shown = open(scene, { env: { CI: "", OPENAI_BASE_URL: "", OPENAI_API_KEY: "", OPENAI_MODEL: "" } });
  await shown.shows("[Y/n]");
  await shown.enter("n", "fettle setup");
  expect(await shown.exited).toBe(2);
  expect(shown.everything()).toContain("export ANTHROPIC_API_KEY");
  expect(shown.everything()).toContain("fettle demo");
  expect(shown.everything()).not.toMatch(/^\s+at /m);
});

test("a key is typed unseen, kept in a file after a yes, and only there", async () => {
  await using scene = await makeScene([]);
  const shown = open(scene, { args: ["login", "anthropic"], columns: 120 });
  await shown.shows("it is not shown");
  await shown.enter("sk-unseen-1234", "[y/N]");
  await shown.enter("y", "The key for anthropic is stored.");
  expect(await shown.exited).toBe(0);
  expect(shown.raw()).not.toContain("unseen");
  expect(readFileSync(`${scene.home.folder}/.config/fettle/credentials.json`, "utf8")).toContain("sk-unseen-1234");
});
