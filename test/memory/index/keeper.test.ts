import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { CodeIndex } from "../../../src/memory/index/code-index.ts";
import { IndexKeeper } from "../../../src/memory/index/keeper.ts";
import { outlineOf } from "../../../src/memory/map/outline.ts";

const base = mkdtempSync(path.join(os.tmpdir(), "fettle-keeper-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

function project(name: string, count: number): string {
  const root = path.join(base, name);
  mkdirSync(path.join(root, "src/deep"), { recursive: true });
  for (let at = 0; at < count; at++)
    writeFileSync(
      path.join(root, `src/part${at}.ts`),
      `// Part ${at} weighs parcels.\nexport const part${at} = ${at};\n`,
    );
  writeFileSync(path.join(root, "src/deep/last.ts"), "export const last = 1;\n");
  return root;
}

const open = (root: string) =>
  new IndexKeeper(new CodeIndex({ root, file: ":memory:", hidden: () => false, redact: (text) => text }));

const until = async <T>(look: () => Promise<T>, wanted: (value: T) => boolean): Promise<T> => {
  for (;;) {
    const value = await look();
    if (wanted(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

test("a question in the middle of a build is answered from what is there, and the build goes on", async () => {
  const keeper = open(project("large", 700));
  const { index } = keeper;
  keeper.begin();
  const first = await until(
    async () => index.status().files,
    (files) => files > 0,
  );
  expect(first).toBeLessThan(701);
  expect(await keeper.fresh(0)).toMatchObject({ all: 701 });
  expect((await index.ask("weighs parcels", { most: 3 })).files).toHaveLength(3);
  expect(await keeper.fresh()).toBeUndefined();
  expect(index.status().files).toBe(701);
  await keeper.close();
});

test("what a watch sees is read and nothing else; what it cannot tell is looked for", async () => {
  const root = project("watched", 5);
  const keeper = open(root);
  const names = async (letters: string) => {
    await keeper.fresh();
    return keeper.index.named(letters, 9).map(({ path: file, name }) => name ?? file);
  };
  keeper.watch();
  await keeper.fresh();
  await keeper.fresh();
  // A file that changed without a word of the kernel would be found by looking at all of them: its time was put back.
  const place = (name: string) => path.join(root, name);
  writeFileSync(place("src/part1.ts"), "export const renamed = 1;\n");
  expect(await names("renamed")).toContain("renamed");
  writeFileSync(place("src/added.ts"), "export const brandNew = 1;\n");
  rmSync(place("src/part2.ts"));
  expect(await names("brandNew")).toContain("brandNew");
  expect(await names("part2")).toEqual([]);
  mkdirSync(place("src/fresh"));
  writeFileSync(place("src/fresh/inside.ts"), "export const inFresh = 1;\n");
  expect(await names("inFresh")).toContain("inFresh");
  writeFileSync(place("src/fresh/inside.ts"), "export const changedFresh = 1;\n");
  utimesSync(place("src/fresh/inside.ts"), 1, 1);
  expect(await names("changedFresh")).toContain("changedFresh");
  // Ignore rules decide over files that nobody touched.
  writeFileSync(place(".gitignore"), "src/deep/\n");
  expect(await names("last")).toEqual([]);
  await keeper.close();
});

test("an outline keeps to its budget, takes the most imported files first, and says how many there are", async () => {
  const keeper = open(project("outline", 30));
  await keeper.fresh();
  const map = keeper.index.map();
  const whole = outlineOf(map, 10_000);
  expect(whole).toMatchObject({ shown: 31, all: 31 });
  for (let bytes = 0; bytes < 900; bytes += 45) {
    const part = outlineOf(map, bytes);
    expect(Buffer.byteLength(part.text)).toBeLessThanOrEqual(bytes);
    expect(part.all).toBe(31);
  }
  await keeper.close();
});
