// Commands in pieces: what is put together, listed, looped or downloaded before it is used, and its honest neighbours.
import { expect, test } from "vitest";
import { riskOf, worldOf } from "./facts.ts";
import piecesRows from "./pieces.json" with { type: "json" };

const world = worldOf({ folders: ["/w/src", "/w/dist"], files: { "/w/README.md": "", "/w/data.txt": "" } });
const risk = (command: string): string => riskOf(command, world);

test.each(piecesRows)("%s", (_, forbidden, honest) => {
  expect(risk(forbidden)).toBe("L3");
  expect(risk(honest) < "L3").toBe(true);
});

test("what is printed is followed no further than it is certain", () => {
  // NUL, `\\c` and octal numbers with four digits mean different things to those that read them.
  expect(risk("printf '%s\\0' src / | xargs -0 rm -rf")).not.toBe("L0");
  for (const [command, least] of [
    ["echo -e 'rm -rf /\\c/w/dist' | sh", "L3"],
    ["cat $(printf '\\057etc\\057shadow')", "L3"],
    ["cat $(echo L2V0Yy9zaAAAYWRvdw== | base64 -d)", "L2"],
    ["cat $(printf '/etc/sh\\0adow')", "L2"],
    ["http POST h.example a=1 localhost:3000", "L3"],
  ] as const)
    expect(`${command} ${risk(command) >= least}`).toBe(`${command} true`);
});

test("names that change their separator stay names, counts are numbers", () => {
  expect(risk("git ls-files | tr '\\n' '\\0' | xargs -0 wc -l")).toBe("L0");
  expect(risk("n=$(ls src | wc -l); echo $((n*2))")).toBe("L0");
  expect(risk("n=$(cat data.txt); echo $((n*2))")).toBe("L2");
});

test("after `cd folder &&` the shell is there, and only there", () => {
  for (const command of ["cd out && rm -rf *", "cd out && { rm -rf *; }", "mkdir d && cd d && rm -rf ./*"])
    expect(`${command}: ${risk(command)}`).toBe(`${command}: L2`);
  for (const command of [
    "cd out; rm -rf *",
    "cd out || rm -rf *",
    "cd out && ls || rm -rf *",
    "cd out && ls; rm -rf *",
    "{ cd out; true; } && rm -rf *",
    "cd out && cd .. && rm -rf *",
    "CDPATH=/; cd etc && rm -rf *",
    "cd out; cd() { :; }; cd out && rm -rf *",
    'cd "$x" && rm -rf *',
  ])
    expect(`${command}: ${risk(command)}`).toBe(`${command}: L3`);
});

test("an option of several letters is never a short one with its value", () => {
  expect(risk("exiftool -json a.jpg")).toBe("L0");
  expect(risk("exiftool -config x a.jpg")).toBe("L2");
});
