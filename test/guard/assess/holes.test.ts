// The ways around a gate that were closed before anything was built, by their number in the list of closed holes.
import { expect, test } from "vitest";
import { judge, riskOf, worldOf } from "./facts.ts";

const all = (risk: string, commands: string[]) =>
  expect(commands.filter((command) => riskOf(command) !== risk)).toEqual([]);

test("9: a module of the workspace is not Python's own of the same name", () => {
  const facts = worldOf({ files: { "/w/json/tool.py": "", "/w/calendar.py": "" }, folders: ["/w/json"] });
  expect(riskOf("python3 -m json.tool a.json", facts)).toBe("L2");
  expect(riskOf("python3 -m calendar", facts)).toBe("L2");
  expect(riskOf("python3 -m platform", facts)).toBe("L2");
  expect(riskOf("python3 -I -m platform", facts)).toBe("L0");
});

test("8: copying a folder over another may overwrite what is there", () => {
  const facts = worldOf({ folders: ["/w/src", "/w/evil", "/w/evil/src"] });
  expect(riskOf("cp -r evil/src .", facts)).toBe("L2");
  expect(riskOf("cp -r evil/src other", facts)).toBe("L1");
});

test("11: secrets under any name", () => {
  expect(judge("grep -r foo .").risk).toBe("L0");
  expect(judge("cat *").tags).toContain("reads-sensitive-mask");
  const linked = worldOf({ files: { "/w/a": "" }, hardLinked: ["/w/a"] });
  expect(riskOf("cat a", linked)).toBe("L2");
});

test("20: what cannot be seen is not run", () => {
  all("L3", ["ls \u202Eabc", "ls \u{E0041}", "ls \u001b[2J"]);
  all("L2", ["ls \u200Bx", "ls \u2013la"]);
});
