import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, symlinkSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { setValue, unsetValue, withValue } from "../../../src/io/config/edit.ts";
import { configSchema } from "../../../src/io/config/json-schema.ts";
import { keyPath, keys, keyText } from "../../../src/io/config/keys.ts";
import { tomlEntriesOf } from "../../../src/io/config/layers.ts";
import { lineOf } from "../../../src/io/config/toml-lines.ts";
import { world } from "./support.ts";
import { cpuClock } from "../../support/cpu.ts";

const text = `# mine
[model]
default = "openai/gpt-5.1" # the good one

[limits]
rounds = 100

# boxes
[providers.box]
type = "ollama"
`;

test("setting a value changes that value and nothing else", async () => {
  const w = world();
  const file = w.file("user", text);
  const set = (key: string, value: string) => setValue({ ...w.options, layer: "user", key, value });
  await set("model.default", "ollama/qwen3");
  await set("limits.denials", "4");
  await set("network.hosts", "a.example,b.example");
  await set('prices."x/y.1".input', "2.5");
  await set('prices."x/y.1".output', "5");
  expect(readFileSync(file, "utf8")).toBe(
    text
      .replace('"openai/gpt-5.1"', '"ollama/qwen3"')
      .replace("rounds = 100\n", "rounds = 100\ndenials = 4\n")
      .concat('\n[network]\nhosts = ["a.example", "b.example"]\n', '\n[prices."x/y.1"]\ninput = 2.5\noutput = 5\n'),
  );
  const { settings } = w.load();
  expect(settings).toMatchObject({ model: { default: "ollama/qwen3" }, limits: { rounds: 100, denials: 4 } });
  expect(settings.prices["x/y.1"]).toEqual({ input: 2.5, output: 5 });
});

test("the file and its folder are made when missing", async () => {
  const w = world();
  const { file } = await setValue({ ...w.options, layer: "user", key: "autonomy.level", value: "3" });
  expect(readFileSync(file, "utf8")).toBe("[autonomy]\nlevel = 3\n");
  const project = await setValue({ ...w.options, layer: "project", key: "autonomy.level", value: "1" });
  expect(project.file).toBe(path.join(w.options.workspace, ".fettle/config.toml"));
  expect(w.load().settings.autonomy.level).toBe(1);
});

test("a linked user file (dotfiles) is written where the link points", async () => {
  const w = world();
  const file = w.file("user", text);
  const real = path.join(w.root, "dotfiles.toml");
  renameSync(file, real);
  symlinkSync(real, file);
  await setValue({ ...w.options, layer: "user", key: "limits.rounds", value: "7" });
  expect(lstatSync(file).isSymbolicLink()).toBe(true);
  expect(readFileSync(real, "utf8")).toContain("rounds = 7");
});

test("a project file that leads out of the workspace is not written", async () => {
  const w = world();
  mkdirSync(path.join(w.root, "elsewhere"));
  symlinkSync(path.join(w.root, "elsewhere"), path.join(w.options.workspace, ".fettle"));
  await expect(setValue({ ...w.options, layer: "project", key: "limits.rounds", value: "7" })).rejects.toThrow();
  expect(existsSync(path.join(w.root, "elsewhere/config.toml"))).toBe(false);
});

test.each([
  ["user", "limits.rounds", "none", /limits\.rounds must be a whole number/],
  ["user", "limits.ruonds", "3", /unknown key limits\.ruonds; did you mean limits\.rounds/],
  ["user", "model", "openai/x", /model is a section and takes no value; did you mean model\.default\?/],
  ["user", "effort", "high", /unknown key effort; did you mean model\.effort/],
  ["user", "model.default", "sk-abcdefghijklmnopqrstuvwx", /looks like a secret/],
  ["user", "rules", "[]", /written in the file itself/],
  ["project", "model.default", "a/b", /may only tighten/],
  ["project", "autonomy.level", "5", /may only tighten/],
] as const)("refused, the file unchanged: %s %s %s", async (layer, key, value, sentence) => {
  const w = world();
  const file = w.file("user", text);
  await expect(setValue({ ...w.options, layer, key, value })).rejects.toThrow(sentence);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(existsSync(path.join(w.options.workspace, ".fettle"))).toBe(false);
});

test("unsetting takes a value or a section out of the file and leaves the rest as it was", async () => {
  const w = world();
  const file = w.file("user", text);
  const unset = (key: string, layer: "user" | "project" = "user") => unsetValue({ ...w.options, layer, key });
  await unset("limits.rounds");
  expect(readFileSync(file, "utf8")).toBe(text.replace("rounds = 100\n", ""));
  await unset("providers.box");
  expect(readFileSync(file, "utf8")).toBe(
    text.replace("rounds = 100\n", "").replace('[providers.box]\ntype = "ollama"\n', ""),
  );
  expect(w.load().settings.limits.rounds).toBe(200);
  await setValue({ ...w.options, layer: "project", key: "limits.rounds", value: "7" });
  await expect(unset("limits.rounds")).rejects.toThrow(/not set in .*config\.toml, but in .*\.fettle\/config\.toml/);
  await unset("limits.rounds", "project");
  await expect(unset("limits.rounds")).rejects.toThrow(/limits\.rounds is not set in/);
  await expect(unset("limits.roundz")).rejects.toThrow(/unknown key limits\.roundz; did you mean limits\.rounds/);
  const before = 'prices = { "a/b" = { input = 1, output = 2 } }\n';
  w.file("user", before);
  await expect(unset('prices."a/b".input')).rejects.toThrow(/is not set/);
  // Half of a price would be broken.
  w.file("user", '[prices."a/b"]\ninput = 1\noutput = 2\n');
  await expect(unset('prices."a/b".input')).rejects.toThrow();
  await unset('prices."a/b"');
  expect(readFileSync(file, "utf8")).toBe("");
  // What is broken is mended by it.
  w.file("user", "model = 5\n[limits]\nrounds = 3\n");
  await unset("model");
  expect(w.load().settings.limits.rounds).toBe(3);
});

test("a value inside an inline table is left to the person", async () => {
  const w = world();
  const file = w.file("user", 'providers = { box = { type = "ollama" } }\n');
  await expect(
    setValue({ ...w.options, layer: "user", key: "providers.box.num_ctx", value: "4096" }),
  ).rejects.toThrow();
  expect(readFileSync(file, "utf8")).toBe('providers = { box = { type = "ollama" } }\n');
});

test("whatever stands in the text, setting keeps it valid and finds its line again", () => {
  const value = fc.oneof(
    fc.string({ maxLength: 8 }),
    fc.integer(),
    fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }),
  );
  const path = fc.array(fc.stringMatching(/^[a-z "'.#\]=]{1,5}$/), { minLength: 2, maxLength: 2 });
  fc.assert(
    fc.property(fc.array(fc.tuple(path, value), { minLength: 1, maxLength: 6 }), (edits) => {
      let current = "# start\n";
      for (const [words, wanted] of edits) {
        current = withValue(current, words, wanted);
        const [section = "", key = ""] = words;
        expect((parse(current)[section] as Record<string, unknown>)[key]).toEqual(wanted);
        expect(current.split("\n")[lineOf(current, words) - 1]).toContain("=");
        expect(keyPath(keyText(words))).toEqual(words);
      }
    }),
    { numRuns: 150 },
  );
});

test("the schema names every key, its environment variable and its meaning", () => {
  const schema = JSON.stringify(configSchema());
  for (const key of keys) expect(schema).toContain(JSON.stringify(key.description));
  expect(schema).toContain('"FETTLE_TOOLS__TIMEOUT_SECS__TEST"');
  expect(schema).toContain('"FETTLE_MODEL_DEFAULT"');
  expect(schema).toContain('"additionalProperties":false');
});

test("hundreds of rules are read in no time, each with the line that it stands at", () => {
  const rule = (number: number) => `[[rules]]\naction = "deny"\nprogram = "tool${number}"\nargs = ["publish", "**"]\n`;
  const text = Array.from({ length: 400 }, (_, number) => rule(number)).join("\n");
  const spent = cpuClock();
  const [entry] = tomlEntriesOf(text, "team.toml");
  expect(spent()).toBeLessThan(1500);
  expect(entry?.items?.slice(-2)).toEqual(["team.toml:1991", "team.toml:1996"]);
});
