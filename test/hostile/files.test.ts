// Files that are not what a tool hopes for, in one turn of the real program, and all of it taken back.
import { execFileSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { byResults, call, makeScene, resultsOf, type Scene, shell, those } from "../scenarios/scene.ts";
import { expectNothingLost } from "./support.ts";

const notUtf8 = Buffer.from([...Buffer.from("plain "), 0xff, 0xfe, 0xc3, 0x28, 0x0a]);
const newline = "new\nline.txt";

function plant(scene: Scene, elsewhere: string): void {
  const put = (name: string, content: string | Buffer) => writeFileSync(scene.at(name), content);
  put("crlf.txt", "one\r\ntwo\r\nthree\r\n");
  put("bom.txt", "\u{feff}first\nsecond\n");
  put("bytes.txt", notUtf8);
  put(newline, "a\n");
  put("-rf", "a\n");
  put("empty.txt", "");
  const huge = openSync(scene.at("huge.txt"), "w");
  const block = Buffer.from(`${"filler ".repeat(14)}\n`.repeat(10_000));
  for (let written = 0; written < 100_000_000; ) written += writeSync(huge, block);
  writeSync(huge, "the needle\n");
  closeSync(huge);
  mkdirSync(elsewhere);
  writeFileSync(path.join(elsewhere, "theirs.txt"), "theirs\n");
  symlinkSync("loop", scene.at("loop"));
  symlinkSync(".", scene.at("round"));
  symlinkSync("nowhere", scene.at("dangling"));
  symlinkSync(path.join(elsewhere, "theirs.txt"), scene.at("out"));
  symlinkSync(elsewhere, scene.at("away"));
  execFileSync("mkfifo", [scene.at("pipe")]);
}

const read = (name: string, more = {}) => call("read", { path: name, ...more });
const write = (name: string) => call("write", { path: name, content: "x\n" });
const edit = (name: string, from: string, to: string) => call("edit", { path: name, old_string: from, new_string: to });

/** Each call, and what the model reads as its result. */
const cases: [ReturnType<typeof call>, RegExp][] = [
  [read("crlf.txt"), /one\ntwo\nthree\n(?:<\/data>\n)?\[CRLF line ends\]/],
  [edit("crlf.txt", "two", "2\nzwei"), /^Edited crlf\.txt: \+2 −1\.$/],
  [read("bom.txt"), /first\nsecond\n(?:<\/data>\n)?\[starts with a byte order mark\]/],
  [edit("bom.txt", "first", "erste"), /^Edited bom\.txt: \+1 −1\.$/],
  [read("bytes.txt"), /plain .*\n(?:<\/data>\n)?\[not valid UTF-8: .* change it with edit, not with write\]/],
  [edit("bytes.txt", "plain", "simple"), /^Edited bytes\.txt: \+1 −1\.$/],
  [read("huge.txt"), /^.*\nfiller [^]*\n\[[^\n]*10\d\.\d MB[^\n]*offset/],
  [read("huge.txt", { offset: 7, limit: 1 }), /\nfiller [^]*\[lines 7-7 of a text of 10\d\.\d MB\]/],
  [edit("huge.txt", "filler", "x"), /^huge\.txt has 10\d\.\d MB; files above 20\.0 MB are changed with shell\.$/],
  [call("grep", { pattern: "needle" }), /huge\.txt\n\d+:the needle/],
  [read(newline), /^<data>\na$/m],
  [edit(newline, "a", "b"), /^Edited "new\\nline\.txt": \+1 −1\.$/],
  [read("-rf"), /^<data>\na$/m],
  [edit("-rf", "a", "b"), /^Edited -rf: \+1 −1\.$/],
  [write("--help"), /^Wrote --help: 1 line, new file\.$/],
  [
    call("list", { path: "." }),
    /\n--help  2 B\n-rf  2 B\n[^]*\ndangling {2}\(link\)\n[^]*\n"new\\nline\.txt"  2 B\n[^]*\npipe  \(other\)/,
  ],
  [
    call("glob", { pattern: "**/*" }),
    /\n--help\n-rf\nbom\.txt\nbytes\.txt\ncrlf\.txt\nempty\.txt\nhuge\.txt\n"new\\nline\.txt"\n<\/data>$/,
  ],
  [read("empty.txt"), /\(empty file\)/],
  [read("pipe"), /^pipe is not a regular file\.$/],
  [read("loop"), /^loop is a link; name the place it leads to\.$/],
  [
    write("loop"),
    /^Refused \(risk\.L3\), forbidden: Never allowed: writes a device, a socket or a link without an end/,
  ],
  [read("round/round/bom.txt"), /^second$/m],
  [call("grep", { pattern: "second", path: "round" }), /2:second/],
  [read("dangling"), /^nowhere does not exist\.$/],
  [
    write("out"),
    /^Refused \(risk\.L3\), forbidden: Never allowed: writes outside the workspace \(\S+elsewhere\/theirs\.txt\)\./,
  ],
  [write("away/new.txt"), /^Refused \(risk\.L3\), forbidden: Never allowed: writes outside the workspace/],
  [
    edit("away/theirs.txt", "theirs", "mine"),
    /^Refused \(risk\.L3\), forbidden: Never allowed: writes outside the workspace/,
  ],
  [shell("echo mine > away/theirs.txt"), /^Refused \(risk\.L3\), forbidden: Never allowed: writes outside/],
  [call("grep", { pattern: "theirs" }), /No line matches\./],
  [read("x".repeat(300)), /^x+ has a name that is too long\.$/],
  [read("a\0b"), /^read: "path" must not contain a NUL character\./],
  [write("crlf.txt/below"), /^crlf\.txt is a file, not a folder\.$/],
  [write("round"), /^\S+work is a folder\.$/],
];

test("strange files are read, searched and changed byte for byte; links lead nowhere else; rewind takes it back", async () => {
  const script = byResults({ calls: cases.map(([one], at) => ({ ...one, id: `c${at}` })) }, "Done.");
  await using scene = await makeScene(script);
  const elsewhere = path.join(scene.home.folder, "elsewhere");
  plant(scene, elsewhere);
  const before = snapshot(scene);
  const { code, events, stderr } = await scene.tell(["--autonomy", "5", "go"], {
    env: { FETTLE_LIMITS_DENIALS: "50" },
  });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });

  const results = new Map(resultsOf(scene.server.requests[1]!).map((result) => [result.call, result.text]));
  const told = cases.map(([{ name, input }], at) => [name, input, results.get(`c${at}`)]);
  expect(told).toEqual(cases.map(([{ name, input }, text]) => [name, input, expect.stringMatching(text)]));
  expect(scene.text("crlf.txt")).toBe("one\r\n2\r\nzwei\r\nthree\r\n");
  expect(scene.text("bom.txt")).toBe("\u{feff}erste\nsecond\n");
  expect(readFileSync(scene.at("bytes.txt"))).toEqual(Buffer.concat([Buffer.from("simple"), notUtf8.subarray(5)]));
  expect([scene.text(newline), scene.text("-rf"), scene.text("--help")]).toEqual(["b\n", "b\n", "x\n"]);
  expect(readFileSync(path.join(elsewhere, "theirs.txt"), "utf8")).toBe("theirs\n");
  expect(readdirSync(elsewhere)).toEqual(["theirs.txt"]);
  expect(those(events, "checkpoint.made")).toHaveLength(1);

  const { code: rewound, stdout } = await scene.run(["rewind", "1", "--yes"]);
  expect(rewound).toBe(0);
  expect(stdout).toContain("new\\nline.txt  modified");
  expect(snapshot(scene)).toEqual(before);
  await expectNothingLost(scene);
});

const snapshot = (scene: Scene): Record<string, string> =>
  Object.fromEntries(
    readdirSync(scene.folder, { withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== "huge.txt")
      .map(({ name }) => [name, readFileSync(scene.at(name)).toString("latin1")]),
  );
