// Commands of a task: real layers over a worktree, and what of them reaches it.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, test } from "vitest";
import { assessment, effect } from "./assessments.ts";
import { dropped, type LayeredTestWorld, openLayered } from "./layered-world.ts";

let world: LayeredTestWorld;
const run: LayeredTestWorld["run"] = (command, more) => world.run(command, more);
const outside = (name: string) => path.join(world.root, "outside", name);

afterEach(async () => {
  world.layers.close();
  await world.close();
});

test("a planned file is written by any means: made, overwritten, emptied, renamed, deleted, without a question", async () => {
  world = openLayered({ planned: ["a", "b", "c", "d/e", "AGENTS.md"], checkpoints: false });
  for (const name of ["a", "b", "c"]) world.put(name, `old ${name}`);
  const exit = await run("cat >> a <<< more; : > b; mkdir d; mv c d/e; echo x > AGENTS.md");
  expect(exit.held).toEqual([]);
  expect(exit.written?.applied.sort()).toEqual(["AGENTS.md", "a", "b", "c", "d/e"]);
  expect([world.get("a"), world.get("b"), world.get("d/e"), existsSync(world.at("c"))]).toEqual([
    "old amore\n",
    "",
    "old c",
    false,
  ]);
});

test("what the plan does not name is dropped, told with the way, and never asked about", async () => {
  world = openLayered({ planned: ["a"] });
  for (const name of ["kept.js", "gone.js", "dir/x"]) world.put(name, "old");
  const exit = await run(
    "echo 1 > new.js; echo 2 > kept.js; rm gone.js; rm -r dir; mkdir -p deep/er; echo 3 > deep/er/f",
  );
  expect(exit.held).toEqual([]);
  expect(dropped(exit)).toEqual(["deep/er/f", "dir", "gone.js", "kept.js", "new.js"]);
  expect(new Set(exit.written?.dropped.map(({ why }) => why))).toEqual(
    new Set(["the task's plan does not name it (a file tool that writes it asks to amend the plan)"]),
  );
  expect([world.get("kept.js"), world.get("gone.js"), world.get("dir/x")]).toEqual(["old", "old", "old"]);
  expect((await run("ls")).output).toBe("dir\ngone.js\nkept.js\n");
});

test("what a planned command makes beside the plan is seen by later commands and stands nowhere else; what was there stays", async () => {
  world = openLayered({ planned: ["a"] });
  world.put("lock.json", "{}");
  const exit = await run("echo data > test.db; mkdir gen; echo 1 > gen/client.js; echo 2 > lock.json", {
    ofPlan: true,
  });
  expect(exit.written).toMatchObject({ applied: [], generated: ["test.db", "gen/client.js"] });
  expect(dropped(exit)).toEqual(["lock.json"]);
  expect(readdirSync(world.workspace).sort()).toEqual(["lock.json"]);
  const seen = await run("cat test.db gen/client.js lock.json; echo more >> test.db");
  expect([seen.output, dropped(seen)]).toEqual(["data\n1\n{}", []]);
  expect((await run("cat test.db", { risk: "L0" })).output).toBe("data\nmore\n");
});

test("what is planned later is seen as the worktree has it, not as it was kept", async () => {
  const terms = { planned: ["a"] };
  world = openLayered(terms);
  await run("echo old > made.txt", { ofPlan: true });
  terms.planned.push("made.txt");
  world.put("made.txt", "new\n");
  expect((await run("cat made.txt")).output).toBe("new\n");
  expect((await run("echo newer > made.txt")).written?.applied).toEqual(["made.txt"]);
  expect([world.get("made.txt"), (await run("cat made.txt")).output]).toEqual(["newer\n", "newer\n"]);
});

test("a locked test stays as it is, whatever writes, moves or deletes it; a mission writes its own files only", async () => {
  world = openLayered({ planned: ["test/a.test.js", "src/a.js"], terms: { locked: ["test/a.test.js"] } });
  world.put("test/a.test.js", "locked");
  for (const command of ["echo x > test/a.test.js", "rm test/a.test.js", "mv test old", "rm -rf test; mkdir test"]) {
    await run(command, { ofPlan: true });
    world.layers.forget();
    expect(world.get("test/a.test.js"), command).toBe("locked");
  }
  world.layers.close();
  await world.close();
  world = openLayered({ planned: ["test/a.test.js", "src/a.js"], terms: { writes: ["test/a.test.js"] } });
  const exit = await run("mkdir src test; echo 1 > src/a.js; echo 2 > test/a.test.js");
  expect([exit.written?.applied, dropped(exit)]).toEqual([["test/a.test.js"], ["src/a.js"]]);
});

test("borrowed folders take what tools write beside what they hold; that stays as it is, for later commands too", async () => {
  world = openLayered({ planned: ["a"], lent: ["node_modules", "packages/one/node_modules"] });
  const put = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(outside("node_modules"), name)), { recursive: true });
    writeFileSync(path.join(outside("node_modules"), name), text);
  };
  for (const name of [".bin/vitest", "old.js", ".prisma/client/index.js"]) put(name, "real\n");
  const exit = await run(
    "mkdir node_modules/.vite-temp && echo 1 > node_modules/.vite-temp/c.mjs; echo anew > node_modules/.prisma/client/index.js; rm node_modules/old.js; echo fake > node_modules/.bin/vitest; echo 2 > packages/one/node_modules/x; cat node_modules/.bin/vitest",
  );
  expect(exit.output).toBe("fake\n");
  expect(exit.written?.kept.sort()).toEqual([
    "node_modules/.prisma/client/index.js",
    "node_modules/.vite-temp/c.mjs",
    "packages/one/node_modules/x",
  ]);
  expect(dropped(exit)).toEqual(["node_modules/.bin/vitest", "node_modules/old.js"]);
  await run("rm -rf node_modules/* node_modules/.bin");
  const files = "node_modules/.bin/vitest node_modules/old.js node_modules/.prisma/client/index.js";
  const seen = await run(`ls -A node_modules; cat ${files} packages/one/node_modules/x`);
  expect(seen.output).toBe(".bin\n.prisma\n.vite-temp\nold.js\nreal\nreal\nanew\n2\n");
  expect(readFileSync(path.join(outside("node_modules"), ".prisma/client/index.js"), "utf8")).toBe("real\n");
  expect(readdirSync(outside("packages/one/node_modules"))).toEqual([]);
  expect(readdirSync(world.at("node_modules"))).toEqual([]);
  // Checks of fettle's own begin with what was borrowed.
  expect(world.layers.foreign).toBe(true);
  world.layers.forget();
  expect((await run(`ls -A node_modules; cat ${files}`)).output).toBe(".bin\n.prisma\nold.js\nreal\nreal\nreal\n");
});

test("a folder of a borrowed one that is made anew hides what it held, also from the command after the next", async () => {
  world = openLayered({ planned: ["a"], lent: ["node_modules"] });
  const cache = path.join(outside("node_modules"), ".cache/x");
  mkdirSync(cache, { recursive: true });
  writeFileSync(path.join(cache, "old"), "old");
  await run("rm -rf node_modules/.cache/x; mkdir node_modules/.cache/x; echo 1 > node_modules/.cache/x/new");
  await run("echo 2 > node_modules/.cache/x/newer");
  expect((await run("ls node_modules/.cache/x")).output).toBe("new\nnewer\n");
  expect(readdirSync(cache)).toEqual(["old"]);
});

test("files for secrets in a borrowed folder are seen empty", async () => {
  world = openLayered({ planned: ["a"], lent: ["node_modules"], masked: ["../outside/node_modules/x/.env"] });
  mkdirSync(path.join(outside("node_modules"), "x"));
  writeFileSync(path.join(outside("node_modules"), "x/.env"), "TOKEN=1");
  expect((await run("wc -c < node_modules/x/.env; echo 1 > node_modules/x/y")).output).toBe("0\n");
});

test("a program that stays sees what was made before it, and is read by others while it writes", async () => {
  world = openLayered({ planned: ["a", "log.txt"] });
  world.put("src.txt", "s");
  await run("echo seeded > data.json", { ofPlan: true });
  const judged = assessment("L1", [effect("execute", "x", { part: "x" })], {
    tags: ["process", "background"],
    command: "planned",
  });
  const command = "cat data.json > seen.txt; echo 1 > rows.db; echo no > src.txt; echo l > log.txt; sleep 20";
  const grant = world.grant({ kind: "shell", command, background: true }, judged);
  const { id } = await grant.process.start();
  await expect.poll(async () => (await run("cat seen.txt rows.db")).output, { timeout: 5000 }).toBe("seeded\n1\n");
  expect(readdirSync(world.workspace).sort()).toEqual(["src.txt"]);
  const job = await world.jobs.kill(id);
  expect(job.written).toMatchObject({ applied: ["log.txt"] });
  expect(job.written?.generated.sort()).toEqual(["rows.db", "seen.txt"]);
  expect(job.written?.dropped.map(({ path: at }) => at)).toEqual(["src.txt"]);
  expect((await run("cat rows.db")).output).toBe("1\n");
});

test("what a program wrote before its task's commands were forgotten is not kept when it ends", async () => {
  world = openLayered({ planned: ["a"], lent: ["node_modules"] });
  const judged = assessment("L1", [effect("execute", "x", { part: "x" })], { tags: ["process", "background"] });
  const command = "echo fake > node_modules/tool; touch ready; sleep 20";
  const grant = world.grant({ kind: "shell", command, background: true }, judged);
  const { id } = await grant.process.start();
  await expect.poll(async () => (await run("ls -A node_modules")).output, { timeout: 5000 }).toBe("tool\n");
  world.layers.forget();
  expect((await run("ls -A node_modules")).output).toBe("");
  await world.jobs.kill(id);
  expect((await run("ls -A node_modules")).output).toBe("");
});

test("a planned install works on the worktree itself, and nothing that was kept before hides what it brought", async () => {
  world = openLayered({ planned: ["a"], terms: { install: "planned" } });
  world.put(".gitignore", "node_modules\n");
  await run("mkdir node_modules; echo fake > node_modules/tool");
  expect((await run("cat node_modules/tool")).output).toBe("fake\n");
  await run("mkdir -p node_modules; echo real > node_modules/tool", { ofPlan: true });
  expect([world.get("node_modules/tool"), (await run("cat node_modules/tool")).output]).toEqual(["real\n", "real\n"]);
});
