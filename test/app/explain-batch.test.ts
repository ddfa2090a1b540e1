import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Program } from "../../src/app/program/program.ts";
import { explainMany } from "../../src/app/door/queries/gate.ts";
import type { BatchItem } from "../../src/protocol/query.ts";

const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-batch-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const root = path.join(folder, "root");
mkdirSync(root);
symlinkSync("/etc", path.join(root, "out"));
const program = { workspace: folder, cwd: folder } as Program;
const ask = async (items: Omit<BatchItem, "id">[], more: { root?: string; resolve?: string }) =>
  (await explainMany(program, { items: items.map((item, at) => ({ id: String(at), ...item })), ...more })).map(
    ({ verdict }) => verdict,
  );
const fetching = (url: string) => ({ tool: "fetch", input: { url } });

test("names lead where the file says, however they are written there", async () => {
  writeFileSync(
    path.join(folder, "addresses.json"),
    JSON.stringify({
      "Inside.Example.": "10.0.0.1",
      "out.example": ["1.2.3.4", "2606:4700::1"],
      "bücher.example": "::1",
    }),
  );
  const urls = ["https://inside.example/", "https://out.example/", "https://bücher.example/", "https://other.example/"];
  expect(await ask(urls.map(fetching), { resolve: "addresses.json" })).toEqual(["deny", "ask", "deny", "ask"]);
});

test("reading and writing are judged below the root that is given", async () => {
  const items = ["a.txt", "../../../../../etc/b.txt", "out/passwd", path.join(root, "c.txt")].map((file) => ({
    tool: "write",
    input: { path: file, content: "x" },
  }));
  expect(await ask(items, { root: "root" })).toEqual(["notify", "deny", "deny", "notify"]);
  expect(await ask([{ tool: "read", input: { path: "a.txt" } }], { root: "root" })).toEqual(["allow"]);
});

test("what cannot be used is said", async () => {
  await expect(ask([], { root: "absent" })).rejects.toThrow("absent is not a folder");
  for (const [name, text] of Object.entries({ "list.json": "[]", "bad.json": "{", "odd.json": '{"a": 1}' })) {
    writeFileSync(path.join(folder, name), text);
    await expect(ask([], { resolve: name })).rejects.toThrow(`${name} cannot be used`);
  }
  await expect(ask([], { resolve: "absent.json" })).rejects.toThrow("absent.json cannot be used");
});
