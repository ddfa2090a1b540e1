import { expect, test } from "vitest";
import { Fault } from "../../src/base/fault.ts";
import { openFlags, parseMode } from "../../src/surfaces/cli/flags.ts";
import { nearest } from "../../src/surfaces/cli/nearest.ts";
import { commandNames, parseArguments } from "../../src/surfaces/cli/program.ts";

const parse = (...argv: string[]) => parseArguments(argv, "1.2.3");
const noFile = async (file: string): Promise<string> => {
  throw new Fault("file", 2, `no ${file}`);
};

test("a prompt is words in any number, options before or after", () => {
  expect(parse("fix", "it", "-p", "--json").job).toMatchObject({
    name: "prompt",
    words: ["fix", "it"],
    options: { print: true, json: true },
  });
  expect(parse("-p", "--", "--odd").job?.words).toEqual(["--odd"]);
  expect(parse().job).toMatchObject({ name: "prompt", words: [] });
});

test("commands take common options on either side", () => {
  expect(parse("--cwd", "/a", "models", "--json").job).toMatchObject({
    name: "models",
    options: { cwd: "/a", json: true },
  });
  expect(parse("config", "set", "a.b", "c", "--project").job).toMatchObject({
    name: "config set",
    words: ["a.b", "c"],
    options: { project: true },
  });
  expect(parse("models", "--no-color").job?.options.color).toBe(false);
  expect(parse("--no-color", "models").job?.options.color).toBe(false);
  expect(parse("models").job?.options.color).toBe(true);
  expect(parse("rewind", "3", "--files", "-y").job).toMatchObject({
    name: "rewind",
    words: ["3"],
    options: { files: true, yes: true },
  });
});

test("mistakes are one sentence that names the nearest right word", () => {
  expect(parse("--autonmy", "x").problem).toBe("unknown option '--autonmy'; did you mean --autonomy?");
  expect(parse("config", "shwo").problem).toContain("did you mean show?");
  expect(parse("config", "get").problem).toContain("missing required argument 'key'");
  expect(parse("sessions")).toMatchObject({
    where: "fettle sessions",
    problem: "Say which command of 'fettle sessions' you mean: list, show, export, delete.",
  });
  const behind = parse("-p", "--mode", "task", "sessions");
  expect(behind.where).toBe("fettle sessions");
  expect(behind.problem).toContain(": list, show, export, delete.");
  expect(parse("audit", "tail", "--risk", "L9").problem).toContain("Allowed choices are L0, L1, L2, L3");
});

test("help teaches: every command, examples and exit codes", () => {
  const { text, problem } = parse("--help");
  expect(problem).toBeUndefined();
  for (const name of commandNames) expect(text).toMatch(new RegExp(`^  ${name}`, "m"));
  expect(text).toContain("Examples:");
  expect(text).toMatch(/ 3 {2}a question stayed unanswered/);
  expect(parse("explain", "--help").text).toContain("--batch");
  expect(parse("-V").text).toBe("fettle 1.2.3\n");
});

test("the names that typos are compared with are the commands there are", () => {
  for (const name of commandNames) {
    const { text } = parse(name, "--help");
    expect(text).toContain(`Usage: fettle ${name}`);
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  }
  const [overview = ""] = parse("-ph").text.split("Examples:");
  const listed = [...overview.matchAll(/^ {2}([a-z]+) /gm)].map(([, name]) => name);
  const commands = listed.filter((name) => name !== "prompt");
  expect(commands.toSorted()).toEqual([...commandNames].toSorted());
  expect(nearest("modles", commandNames)).toBe("models");
  expect(nearest("fix", commandNames)).toBeUndefined();
});

test("modes are levels, ceilings and the names of other agents", () => {
  expect(parseMode("trusted")).toEqual({ autonomy: 3 });
  expect(parseMode("5")).toEqual({ autonomy: 5 });
  expect(parseMode("plan")).toEqual({ ceiling: "plan" });
  expect(parseMode("accept_edits")).toEqual({ autonomy: 2 });
  expect(parseMode("accept-edits")).toEqual({ autonomy: 2 });
  expect(parseMode("bypass")).toEqual({ autonomy: 5 });
  expect(parseMode("yolo")).toBeUndefined();
});

test("flags become what the program is opened with", async () => {
  const options = { autonomy: "3", mode: "plan", maxCost: "2.5", maxRounds: "7", model: "a/b", cwd: "/x" };
  expect(await openFlags(options, true, noFile)).toEqual({
    headless: true,
    autonomy: 3,
    ceiling: "plan",
    maxCost: 2.5,
    maxRounds: 7,
    model: "a/b",
    cwd: "/x",
  });
});

test.each([
  [{ autonomy: "9" }, "'9' is no autonomy"],
  [{ mode: "yolo" }, "'yolo' is no mode"],
  [{ mode: "ask", autonomy: "5" }, "different things"],
  [{ maxCost: "much" }, "--max-cost needs an amount"],
  [{ maxRounds: "0" }, "--max-rounds needs a whole number"],
  [{ continue: true, resume: "x" }, "not both"],
])("wrong values are named: %o", async (options, message) => {
  await expect(openFlags(options, true, noFile)).rejects.toThrow(message);
  await expect(openFlags(options, true, noFile)).rejects.toMatchObject({ exit: 2 });
});

test("an output schema has to be one", async () => {
  await expect(openFlags({ outputSchema: "a" }, true, async () => "{")).rejects.toThrow("holds no JSON Schema");
  await expect(openFlags({ outputSchema: "a" }, true, async () => "[1]")).rejects.toThrow("holds no JSON Schema");
});
