// What a build is given: patterns as Docker reads them, nothing outside of the workspace; and logs as they come.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { contextIn, packed } from "../../../src/io/built-in/docker/context.ts";
import { logText } from "../../../src/io/built-in/docker/daemon.ts";

function workspace(...files: string[]): string {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), "fettle-docker-")));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of files) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${file}\n`);
  }
  return folder;
}

const all = ["README.md", "a.log", "src/a.ts", "src/b.log", "src/deep/c.log", "docs/x/y.md", "docs/z.md"];

test.each([
  ["", all],
  ["# nothing\n\n", all],
  ["*.log", all.filter((file) => file !== "a.log")],
  ["**/*.log", all.filter((file) => !file.endsWith(".log"))],
  ["src", all.filter((file) => !file.startsWith("src/"))],
  ["/src/", all.filter((file) => !file.startsWith("src/"))],
  ["SRC", all],
  ["deep", all],
  ["**/deep", all.filter((file) => !file.includes("/deep/"))],
  ["*\n!src/a.ts", ["src/a.ts"]],
  ["docs\n!docs/x", all.filter((file) => file !== "docs/z.md")],
  ["docs\n!docs/x\ndocs/x/y.md", all.filter((file) => !file.startsWith("docs/"))],
  ["*/*.log", all.filter((file) => file !== "src/b.log")],
  ["do?s/./z.md", all.filter((file) => file !== "docs/z.md")],
])("%j", (patterns, left) => {
  const folder = workspace(...all);
  writeFileSync(path.join(folder, ".dockerignore"), patterns);
  const files = contextIn(folder, ".", "Dockerfile").files.filter((file) => file !== ".dockerignore");
  expect(files.toSorted()).toEqual(left.toSorted());
});

test.each(["*", "Dockerfile\n.dockerignore", "docker", "*\n!src"])(
  "the recipe is sent, whatever %j leaves out",
  (patterns) => {
    const folder = workspace("Dockerfile", "docker/Dockerfile.web", "docker/more", "src/a.ts");
    writeFileSync(path.join(folder, ".dockerignore"), patterns);
    for (const recipe of ["Dockerfile", "docker/Dockerfile.web"]) {
      const { files } = contextIn(folder, ".", recipe);
      expect([files.includes(recipe), files.includes(".dockerignore")], recipe).toEqual([true, true]);
      expect(files.includes("docker/more")).toBe(patterns.startsWith("Dockerfile"));
    }
  },
);

test("a folder is one of the workspace; links are packed as links", async () => {
  const folder = workspace("in/a", "-C");
  symlinkSync("/etc/passwd", path.join(folder, "in/link"));
  symlinkSync("/etc", path.join(folder, "out"));
  for (const given of ["..", "/etc", "out", "in/a", "none"])
    expect(() => contextIn(folder, given, "Dockerfile"), given).toThrow();
  const context = contextIn(folder, ".", "Dockerfile");
  const tar = await text(packed(context));
  expect(tar).toContain("./-C");
  expect(tar).toContain("/etc/passwd");
  expect(tar).not.toContain("root:x:0");
  await expect(text(packed({ ...context, files: ["gone"] }))).rejects.toThrow("tar ends with 2");
});

test("property: frames of a log give back what was written; bytes without frames stay as they are", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom(1, 2), fc.string({ unit: "grapheme" }))), (written) => {
      const frames = written.map(([stream, said]) => {
        const body = Buffer.from(said);
        const head = Buffer.alloc(8);
        head[0] = stream;
        head.writeUInt32BE(body.length, 4);
        return Buffer.concat([head, body]);
      });
      expect(logText(Buffer.concat(frames))).toBe(written.map(([, said]) => said).join(""));
    }),
  );
  expect(logText(Buffer.from("plain words of a terminal\n"))).toBe("plain words of a terminal\n");
  expect(logText(Buffer.from([1, 0, 0, 0, 0, 0, 0, 9, 65]))).toBe("A");
});
