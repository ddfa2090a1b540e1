import fc from "fast-check";
import { expect, test } from "vitest";
import { joinedCommands } from "../../../src/guard/command-line/syntax/joined.ts";
import { stashSteps } from "../../../src/guard/command-line/syntax/stash-steps.ts";

const plain = fc.constantFrom("ls", "echo 'a; b && c'", "cat a | tail -5", "x=1 npm test 2>&1", "grep '<x' f");
const document = fc
  .tuple(
    fc.constantFrom("cat > f", "python3 -", "tee f | wc -l"),
    fc.array(fc.constantFrom("a; b", "git stash", "x && y", "", "$z `q`", "EOF2", "'")),
  )
  .map(([command, lines]) => {
    const [first = "", ...rest] = command.split(" |");
    return `${[`${first} <<'EOF'`, ...rest].join(" |")}\n${[...lines, "EOF"].join("\n")}`;
  });
const parts = fc.array(fc.oneof(plain, document), { minLength: 1, maxLength: 6 });

const line = (commands: readonly string[], joints: readonly string[]): string =>
  commands.reduce((before, text, at) => {
    const documented = (commands[at - 1] ?? "").includes("<<");
    return at === 0 ? text : `${before}${documented ? "\n" : (joints[at] ?? "; ")}${text}`;
  }, "");

test("property: what is joined to a line is told apart again, each command with its own here-documents", () => {
  fc.assert(
    fc.property(parts, fc.array(fc.constantFrom("; ", " && ", "\n", " ;\n"), { minLength: 6 }), (commands, joints) => {
      expect(joinedCommands(line(commands, joints))?.map(({ text }) => text)).toEqual(commands);
    }),
  );
});

test("property: a line that tries the old code is what comes before, what is put away, tried and brought back", () => {
  fc.assert(
    fc.property(parts, parts, (before, between) => {
      const steps = stashSteps(line([...before, "git stash push src -q", ...between, "git stash pop"], []));
      const texts = [steps?.before, steps?.between].map((each) => joinedCommands(each ?? "")?.map(({ text }) => text));
      expect([texts, steps?.away, steps?.back]).toEqual([[before, between], "git stash push src -q", "git stash pop"]);
    }),
  );
  for (const other of [
    "x=1; git stash; echo; git stash pop",
    "cat <<E && git stash\na\nE\nls; git stash pop",
    "ls || git stash; ls; git stash pop",
    "ls & git stash; ls; git stash pop",
  ])
    expect(stashSteps(other), other).toBeUndefined();
});
