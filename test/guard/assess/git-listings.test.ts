// `$(git diff --name-only)` and kin: known when the command is judged, bound, and no name becomes an option.
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { assess } from "../../../src/guard/assess/assess.ts";
import { openWorld, type TestWorld } from "../world.ts";

let world: TestWorld;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], { cwd: world.workspace });
beforeEach(() => {
  world = openWorld();
  git("init", "--quiet");
  for (const name of ["src/a.ts", "src/b.ts", "docs/c.md"]) world.put(name, "one\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "one");
  world.put("src/a.ts", "two\n");
});
afterEach(() => world.close());

function judge(command: string) {
  world.facts.refresh?.();
  return assess({ kind: "shell", command, background: false }, world.facts);
}
const targets = (command: string, kind: string) =>
  judge(command)
    .effects.filter((one) => one.kind === kind)
    .map(({ target }) => path.relative(world.workspace, target))
    .toSorted();
const codes = (command: string) => judge(command).reasons.map(({ code }) => code);

test.each([
  ["cat $(git diff --name-only)", "read", ["src/a.ts"]],
  ["cat -- $(git diff --name-only HEAD)", "read", ["src/a.ts"]],
  ['cat "$(git diff --name-only)"', "read", ["src/a.ts"]],
  ["cat `git diff --name-only 2>/dev/null`", "read", ["src/a.ts"]],
  ["F=$(git diff --name-only); cat $F", "read", ["src/a.ts"]],
  ["cat $(git ls-files)", "read", ["docs/c.md", "src/a.ts", "src/b.ts"]],
  ["cat $(git ls-files '*.md')", "read", ["docs/c.md"]],
  ["cd src && cat $(git ls-files)", "read", ["src/a.ts", "src/b.ts"]],
  ["cat $(git ls-tree -r --name-only HEAD -- docs)", "read", ["docs/c.md"]],
  ["cat $(git diff-tree --no-commit-id --name-only --root -r HEAD)", "read", ["docs/c.md", "src/a.ts", "src/b.ts"]],
  ["for f in $(git ls-files docs); do cat $f; done", "read", ["docs/c.md"]],
  ["rm $(git diff --name-only)", "delete", ["src/a.ts"]],
  ["git add $(git diff --name-only)", "write", ["src/a.ts"]],
] as const)("%s is judged by the names that it stands for", (command, kind, names) => {
  expect(targets(command, kind)).toEqual(names);
  expect(codes(command)).not.toContain("shell.dynamic-option");
});

test("what is staged by such a listing is no more than what is staged by its names", () => {
  expect(judge("git add $(git diff --name-only)").risk).toBe(judge("git add src/a.ts").risk);
  expect(judge("cat $(git diff --name-only)").risk).toBe("L0");
});

test("another listing is another command: what was approved is bound to it", () => {
  const command = "frobnicate $(git diff --name-only)";
  const before = judge(command).digest;
  expect(judge(command).digest).toBe(before);
  world.put("src/b.ts", "two\n");
  const more = judge(command).digest;
  git("checkout", "--quiet", ".");
  expect(new Set([before, more, judge(command).digest]).size).toBe(3);
});

test("a name that begins with a dash is refused where an option is read, and is a name after --", () => {
  writeFileSync(path.join(world.workspace, "-rf"), "x\n");
  git("add", "--", "-rf");
  for (const command of [
    "rm $(git ls-files)",
    "cat $(git ls-files)",
    "F=$(git ls-files); rm $F",
    "git add $(git ls-files)",
    "for f in $(git ls-files); do cat $f; done",
  ]) {
    expect(judge(command).risk, command).toBe("L3");
    expect(codes(command), command).toContain("shell.listed-option");
  }
  expect(codes("cat -- $(git ls-files)")).not.toContain("shell.listed-option");
  expect(judge("rm -- $(git ls-files)").risk).toBe(judge("rm -- src/a.ts").risk);
});

test.each([
  ["something before it could have changed it", "touch src/n.ts; cat $(git ls-files)"],
  ["a program ran before it", "frobnicate; cat $(git ls-files)"],
  ["it runs beside others", "cat $(git ls-files) | sh -c 'git add .'"],
  ["it is in the background", "git add . & cat $(git ls-files)"],
  ["it prints other text", "cat $(git diff)"],
  ["untracked files may be in the layer only", "cat $(git ls-files -o --exclude-standard)"],
  ["another repository is meant", "cat $(git -C .. ls-files)"],
  ["a word is not known", "cat $(git ls-files $X)"],
  ["there is more in the substitution", "cat $(git ls-files; echo -rf)"],
  ["it goes through a program", "cat $(git ls-files | sed s/a/b/)"],
])("it stays unknown where %s", (_, command) => {
  expect(targets(command, "read")).not.toContain("src/b.ts");
});

test("nothing that the repository names is run to tell, and names that a shell takes apart stay unknown", () => {
  writeFileSync(path.join(world.workspace, "a b"), "x\n");
  git("add", "--", "a b");
  expect(targets("cat $(git ls-files)", "read")).not.toContain("src/b.ts");
  git("rm", "--cached", "--quiet", "--", "a b");
  expect(targets("cat $(git ls-files)", "read")).toContain("src/b.ts");
  const canary = path.join(world.workspace, "ran");
  git("config", "filter.x.clean", `touch ${canary}`);
  world.put(".gitattributes", "* filter=x\n");
  expect(targets("cat $(git diff --name-only)", "read")).not.toContain("src/a.ts");
  expect(world.facts.path(canary).kind).toBe("missing");
});
