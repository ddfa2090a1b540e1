// The record of fettle's own changes when its process is killed, or its disk is full, in the middle of one.
import { appendFileSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, expect, test } from "vitest";
import { OwnChanges, type Wanted } from "../../../src/io/changes/own-changes.ts";
import { temporaryFolder, writeFiles } from "../../support/folders.ts";

let root: string;
const at = (name: string) => path.join(root, "w", name);
const put = (name: string, text: string) => writeFiles(path.join(root, "w"), { [name]: text });
/** As each process opens it. */
const open = () =>
  new OwnChanges({
    folder: path.join(root, "s"),
    workspace: path.join(root, "w"),
    key: () => Buffer.alloc(32),
    turn: () => 1,
  });
const gone = { kind: "absent" } as const;

/** The process ends while `work` is done: nobody hears of it. */
function cutOff(paths: string[], wanted: Wanted, work: () => void): void {
  void open().around(
    paths.map(at),
    () => {
      work();
      return new Promise(() => undefined);
    },
    new Map([...wanted].map(([name, state]) => [at(name), state])),
  );
}

const planned = () => {
  const { back, both } = open().plan({ since: 1 });
  return { back: back.map((step) => step.path).sort(), both: both.map((step) => step.path).sort() };
};

beforeEach(() => {
  root = temporaryFolder();
  mkdirSync(path.join(root, "w"));
});

test("what was cut off is fettle's own as far as it came, and comes back without force", async () => {
  for (const name of ["a", "d/1", "d/2", "d/3", "m"]) put(name, name);
  cutOff(["a"], new Map([["a", Buffer.from("new")]]), () => put("a", "new"));
  cutOff(["d", "d/1", "d/2", "d/3"], new Map(["d", "d/1", "d/2", "d/3"].map((name) => [name, gone])), () => {
    for (const name of ["d/1", "d/2"]) rmSync(at(name));
  });
  cutOff(["x/y/made"], new Map([["x/y/made", Buffer.from("n")]]), () => put("x/y/made", "n"));
  cutOff(["link"], new Map([["link", { kind: "link" as const, target: "a" }]]), () => symlinkSync("a", at("link")));
  const moved: Wanted = new Map<string, typeof gone | { from: string }>([
    ["m", gone],
    ["n", { from: at("m") }],
  ]);
  cutOff(["m", "n"], moved, () => renameSync(at("m"), at("n")));
  cutOff(["never"], new Map([["never", Buffer.from("n")]]), () => undefined);
  const { back, both } = planned();
  expect(both).toEqual([]);
  expect(back).toEqual(["a", "d/1", "d/2", "link", "m", "n", "x", "x/y", "x/y/made"]);
  await open().takeBack({ since: 1 }, back);
  for (const name of ["a", "d/1", "d/2", "d/3", "m"]) expect(readFileSync(at(name), "utf8")).toBe(name);
  expect(planned()).toEqual({ back: [], both: [] });
});

test("what somebody else made of it since is theirs", () => {
  for (const name of ["a", "b"]) put(name, name);
  cutOff(["a"], new Map([["a", Buffer.from("new")]]), () => put("a", "new"));
  cutOff(["b"], new Map([["b", gone]]), () => rmSync(at("b")));
  cutOff(["c"], new Map(), () => put("c", "nobody said what it would be"));
  put("a", "new, and a line of mine");
  put("b", "mine");
  expect(planned()).toEqual({ back: [], both: ["a", "b", "c"] });
});

test("a line that was cut off costs itself, not what is recorded after it", async () => {
  put("a", "a");
  await open().around([at("a")], async () => put("a", "b"));
  appendFileSync(path.join(root, "s/changes.jsonl"), '{"turn":1,"pa');
  put("b", "b");
  await open().around([at("b")], async () => put("b", "c"));
  expect(planned()).toEqual({ back: ["a", "b"], both: [] });
});

test("nothing is done where what was there before cannot be kept", async () => {
  put("a", "a");
  mkdirSync(path.join(root, "s"));
  writeFileSync(path.join(root, "s/contents"), "no folder");
  await expect(open().around([at("a")], async () => put("a", "b"))).rejects.toThrow();
  expect(readFileSync(at("a"), "utf8")).toBe("a");
});
