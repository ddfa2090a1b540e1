// Where errors are, what makes two of them the same, and when repairs go in a circle.
import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Cycles } from "../../../../src/engine/loops/cycles.ts";
import { culprit, errorPlaces } from "../../../../src/work/task/healing/errors.ts";
import { attemptsText } from "../../../../src/work/task/healing/history.ts";
import { errorSignature } from "../../../../src/engine/loops/error-signature.ts";
import { cpuClock } from "../../../support/cpu.ts";

describe("places, by the table of design B", () => {
  test.each<[string, string, string, number]>([
    [
      "python",
      'Traceback (most recent call last):\n  File "app/a.py", line 7, in f\n    x\nNameError: x',
      "app/a.py",
      7,
    ],
    ["java", "\tat com.shop.Sums.add(Sums.java:42)", "Sums.java", 42],
    ["java", "\tat java.base/java.util.List.of(List.java:3)", "List.java", 3],
    ["java", "[ERROR] /w/src/main/java/p/Sums.java:[7,49] cannot find symbol", "/w/src/main/java/p/Sums.java", 7],
    ["java", "src/Sums.java:12: error: ';' expected", "src/Sums.java", 12],
    ["kotlin", "\tat shop.MainKt.main(Main.kt:9)", "Main.kt", 9],
    ["kotlin", "e: file:///w/src/Main.kt:3:14 Unresolved reference", "/w/src/Main.kt", 3],
    ["node", "    at Object.<anonymous> (/w/src/a.js:3:9)", "/w/src/a.js", 3],
    ["node", "    at file:///w/src/a.mjs:3:9", "/w/src/a.mjs", 3],
    ["typescript", "src/a.ts(4,7): error TS2322: no", "src/a.ts", 4],
    ["any", "src/a.ts:4:7 - error TS2322: no", "src/a.ts", 4],
    ["go", "./sums.go:8:2: undefined: x", "./sums.go", 8],
    ["go", "    sums_test.go:9: got 2", "sums_test.go", 9],
    ["rust", "error[E0425]: x\n --> src/main.rs:4:5", "src/main.rs", 4],
    ["rust", "thread 'main' panicked at src/lib.rs:2:53:\nboom", "src/lib.rs", 2],
    ["c", "src/a.c:10:5: error: x", "src/a.c", 10],
    ["c", "src/a.cpp:10: undefined reference", "src/a.cpp", 10],
    ["dart", "lib/a.dart:5:3: Error: x", "lib/a.dart", 5],
    ["dart", "#0 main (package:shop/sums.dart:7:3)", "package:shop/sums.dart", 7],
    ["php", "PHP Fatal error: x in /w/a.php on line 3", "/w/a.php", 3],
    ["csharp", "Program.cs(3,5): error CS1002: ; expected", "Program.cs", 3],
    ["any", "lib/sums.rb:4:in `add': undefined method", "lib/sums.rb", 4],
    ["any", "** (CompileError) lib/sums.ex:12: undefined", "lib/sums.ex", 12],
    ["any", "Sources/Sums.swift:3:8: error: x", "Sources/Sums.swift", 3],
    ["any", "src/Sums.hs:5:1: error: x", "src/Sums.hs", 5],
    ["any", "src/main.zig:2:9: error: x", "src/main.zig", 2],
  ])("%s: %s", (_, output, file, line) => expect(errorPlaces(output)[0]).toMatchObject({ file, line }));
  test("addresses, versions and times are none", () => {
    expect(
      errorPlaces("http://localhost:3000 127.0.0.1:80 api.example.com:443 12:30:01 v1.2.3 node:internal/x"),
    ).toEqual([]);
  });
  test("any text can be looked through", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 400 }), (text) => errorPlaces(text).every(({ line }) => line > 0)),
      { numRuns: 200 },
    );
    const spent = cpuClock();
    errorPlaces(`${"a".repeat(50_000)} ${"x.y:".repeat(20_000)} ${"at ".repeat(20_000)}(${"/".repeat(20_000)}`);
    expect(spent()).toBeLessThan(3000);
  });
});

describe("the culprit is a file of the repository", () => {
  const fixture = (name: string) => readFileSync(path.join(import.meta.dirname, "../proof/fixtures", name), "utf8");
  test("the innermost own frame, which is the last of Python's and the first of the others'", () => {
    const python =
      'Traceback\n  File "/w/test_a.py", line 3, in t\n  File "/w/shop/a.py", line 9, in f\n  File "/usr/lib/python3/site-packages/x.py", line 1, in g\nValueError';
    expect(culprit(python, ["shop/a.py", "test_a.py"], "/w")).toMatchObject({ file: "shop/a.py", line: 9 });
    const node =
      "TypeError\n    at f (/w/node_modules/x/i.js:1:1)\n    at boom (/w/src/a.js:3:9)\n    at t (/w/test/a.js:1:1)";
    expect(culprit(node, ["src/a.js", "test/a.js"], "/w")).toMatchObject({ file: "src/a.js", line: 3 });
    const java =
      "NullPointerException\n\tat java.base/java.util.List.of(List.java:3)\n\tat p.Sums.boom(Sums.java:2)\n\tat p.SumsTest.boom(SumsTest.java:7)";
    expect(culprit(java, ["src/main/java/p/Sums.java", "src/test/java/p/SumsTest.java"])).toMatchObject({
      file: "src/main/java/p/Sums.java",
      line: 2,
    });
    expect(culprit("x", ["a.py"])).toBeUndefined();
  });
  test("in reports that real tools wrote", () => {
    expect(culprit(fixture("cargo-import.txt"), ["tests/broken.rs", "src/lib.rs"])).toMatchObject({
      file: "tests/broken.rs",
      line: 1,
    });
    expect(culprit(fixture("mvn-import.txt"), ["src/test/java/p/SumsTest.java"], "/work/java")).toMatchObject({
      line: 7,
    });
    expect(culprit(fixture("pytest-import.xml"), ["test_import.py", "sums.py"])).toMatchObject({
      file: "test_import.py",
      line: 1,
    });
    expect(culprit(fixture("unittest-unit.txt"), ["test_unit.py", "sums.py"], "/work/py")?.file).toBe("test_unit.py");
  });
});

describe("signatures", () => {
  const same = (left: string, right: string) => expect(errorSignature(left) === errorSignature(right)).toBe(true);
  const differ = (left: string, right: string) => expect(errorSignature(left) === errorSignature(right)).toBe(false);
  test("places, times, addresses and temporary names do not count", () => {
    same("src/a.ts(4,7): error TS2322: no", "src/a.ts(9,1): error TS2322: no");
    same(
      "thread 'x' (3453) panicked at src/lib.rs:8:19:\nassertion failed",
      "thread 'x' (99) panicked at src/lib.rs:80:1:\nassertion failed",
    );
    same(
      "Error: ENOENT /tmp/abc123/x 2026-01-02T03:04:05Z 0xdeadbeef in 12 ms",
      "Error: ENOENT /tmp/zzz/x 2025-01-02T03:04:05Z 0x1 in 9 ms",
    );
    same('  File "a.py", line 7\nNameError: x', '  File "a.py", line 70\nNameError: x');
    same("AssertionError: 1 != 2\n1 failed, 3 passed in 0.12s", "AssertionError: 1 != 2\n1 failed, 4 passed in 9.99s");
  });
  test("what is said does", () => {
    differ("AssertionError: 1 != 3", "AssertionError: 2 != 3");
    differ("NameError: x", "NameError: y");
    differ("src/a.ts(4,7): error TS2322: no", "src/b.ts(4,7): error TS2322: no");
    differ("make: done", "ld: stopped");
  });
  test("the order of what runs at once does not count", () => same("error: a\nerror: b", "error: b\nerror: a"));
});

describe("circles", () => {
  const patch = (line: string, index = "1..2") => `diff --git a/x b/x\nindex ${index}\n@@ -1 +1 @@ f\n-a\n+${line}\n`;
  test("another strategy first, then the end; and a patch is the same wherever it applies", () => {
    const cycles = new Cycles();
    expect(cycles.judge({ signature: "one", patch: patch("b") })).toBe("new");
    expect(cycles.judge({ signature: "two", patch: patch("c") })).toBe("new");
    expect(cycles.judge({ signature: "one", patch: patch("c") })).toBe("new");
    expect(cycles.judge({ signature: "one", patch: patch("b", "9..9").replace("-1 +1", "-4 +4") })).toBe("change");
    expect(cycles.judge({ signature: "two", patch: patch("c") })).toBe("stop");
  });
  test("it is remembered over a restart", () => {
    const before = new Cycles();
    before.judge({ signature: "one", patch: "p" });
    before.judge({ signature: "one", patch: "p" });
    const after = new Cycles(JSON.parse(JSON.stringify(before.seen)) as string[]);
    expect(after.judge({ signature: "one", patch: "p" })).toBe("stop");
  });
  test("whatever the order, what comes again is noticed and nothing else", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 12 }), (list) => {
        const cycles = new Cycles();
        const seen = new Set<string>();
        return list.every(([signature, files]) => {
          const key = `${signature} ${files}`;
          const again = seen.has(key);
          seen.add(key);
          return cycles.saw(String(signature), String(files)) === again;
        });
      }),
    );
  });
});

test("the history says what was changed and what came of it, within bounds", () => {
  const text = attemptsText([
    { about: "npm test", error: `${"x".repeat(9000)}\nAssertionError: 1 != 2`, patch: "+return 1;" },
    { about: "npm test", error: "TypeError", patch: "" },
  ]);
  expect(text).toContain("Attempt 1 changed this:\n+return 1;\nand then npm test still failed:");
  expect(text).toContain("AssertionError: 1 != 2");
  expect(text).toContain("Attempt 2 changed this:\n(nothing)");
  expect(text.length).toBeLessThan(6000);
});
