import fc from "fast-check";
import { expect, test } from "vitest";
import { schemaOf } from "../../../src/io/config/json-schema.ts";
import { defaultSettings } from "../../../src/io/config/settings.ts";
import { keys } from "../../../src/io/config/keys.ts";
import { checkExamples } from "../../../src/io/config/rule-examples.ts";
import { misfit } from "../../../src/io/config/values.ts";
import { world } from "./support.ts";
import { cpuClock } from "../../support/cpu.ts";

test("without any file the defaults hold, and every default is what its key accepts", () => {
  const config = world().load();
  expect(config.settings).toEqual(defaultSettings());
  expect(config.notices).toEqual([]);
  for (const value of config.values()) {
    const key = keys.find((candidate) => candidate.path.join(".") === value.key);
    expect(key, value.key).toBeDefined();
    if (key && value.value !== null) expect(misfit(key, value.value), value.key).toBeUndefined();
    expect(value.origin).toBe("default");
  }
  expect(config.values().map((value) => value.key)).toContain("model.default");
});

test("one setting is the same alone as in the list of all", () => {
  const w = world();
  w.file("user", '[limits]\nrounds = 100\n[prices."openai/m"]\ninput = 3\noutput = 4\n');
  const config = w.load();
  for (const value of config.values()) expect(config.value(value.key)).toEqual(value);
  expect(config.values().map(({ key }) => key)).toContain('prices."openai/m".input');
  for (const key of ["limits", "limits.nothing", "limits.rounds.more", "prices.other.input", "__proto__", ""])
    expect(config.value(key), key).toBeUndefined();
});

test("each layer wins over the one below, and the origin names the place", () => {
  const w = world();
  w.file("user", '[limits]\nrounds = 100\n\n[ui]\ncolor = "never"\n');
  w.file("project", '[limits]\nrounds = 90\n[ui]\ncolor = "always"\n');
  const origin = (config: ReturnType<typeof w.load>, key: string) =>
    config.values().find((value) => value.key === key)?.origin;
  const files = w.load();
  expect(files.settings.limits.rounds).toBe(90);
  expect(origin(files, "limits.rounds")).toMatch(/^project \(.*\.fettle\/config\.toml:2\)$/);
  expect(origin(files, "ui.color")).toMatch(/^project \(.*config\.toml:4\)$/);
  const environment = w.load({ env: { FETTLE_LIMITS_ROUNDS: "80" } });
  expect(environment.settings.limits.rounds).toBe(80);
  expect(origin(environment, "limits.rounds")).toBe("environment (FETTLE_LIMITS_ROUNDS)");
  const flags = w.load({
    env: { FETTLE_LIMITS_ROUNDS: "80" },
    flags: { "limits.rounds": 300, "model.default": undefined },
  });
  expect(flags.settings.limits.rounds).toBe(300);
  expect(origin(flags, "limits.rounds")).toBe("the command line");
  expect(flags.settings.model).not.toHaveProperty("default");
});

test("environment variables nest with two underscores and mean what their key accepts", () => {
  const { settings } = world().load({
    env: {
      FETTLE_PROVIDERS__BOX__TYPE: "openai-compatible",
      FETTLE_PROVIDERS__BOX__BASE_URL: "http://localhost:8000/v1",
      FETTLE_TOOLS_TIMEOUT_SECS__TEST: "77",
      FETTLE_TOOLS__TIMEOUT_SECS__BUILD: "78",
      FETTLE_SANDBOX_ENABLED: "false",
      FETTLE_NETWORK_HOSTS: "a.example, *.b.example:8443",
      FETTLE_BENCH_HOME: "another program's",
      FETTLE_NODE: "/usr/bin/node",
      FETTLE_UI_COLOR: "",
    },
  });
  expect(settings.providers["box"]).toEqual({ type: "openai-compatible", base_url: "http://localhost:8000/v1" });
  expect(settings.tools.timeout_secs).toMatchObject({ test: 77, build: 78 });
  expect(settings.sandbox.enabled).toBe(false);
  expect(settings.network.hosts).toEqual(["a.example", "*.b.example:8443"]);
});

test.each([
  ['[model]\ndefualt = "a/b"\n', /config\.toml:2: unknown key model\.defualt; did you mean model\.default\?/],
  [
    '\n\n[limits]\n# how many\nrounds = "many"\n',
    /config\.toml:5: limits\.rounds must be a whole number of at least 1, not "many"/,
  ],
  ["autonomy.level = 7\n", /config\.toml:1: autonomy\.level must be a whole number from 0 to 5, not 7/],
  ["[model\n", /config\.toml:1: not valid TOML/],
  ['[model]\ndefault = "a/b"\ndefault = "a/c"\n', /config\.toml:3: not valid TOML/],
  [
    '[[rules]]\naction = "deny"\n[[rules]]\naction = "maybe"\n',
    /config\.toml:\d: rules 2 cannot have action = "maybe": it must be one of allow, ask, deny/,
  ],
  ['[providers.box]\nbase_url = "http://localhost/v1"\n', /providers\.box has no type .*config\.toml:2/],
  ['[providers.box]\ntype = "openai-compatible"\n', /providers\.box has no base_url/],
  ['[providers.box]\ntype = "recorded"\n', /providers\.box has no recording/],
  ['[prices."openai/gpt-5.1"]\ninput = 1\n', /prices\."openai\/gpt-5\.1" has no output/],
  ["model = 3\n", /config\.toml:1: model is a section and takes no value\./],
  ["[limit]\nrounds = 3\n", /config\.toml:1: unknown key limit; did you mean limits\?/],
])("a broken file is one sentence with file, line and key: %j", (text, sentence) => {
  const w = world();
  w.file("user", text);
  const fault = w.fault();
  expect(fault).toMatchObject({ name: "Fault", exit: 2 });
  expect(fault.message).toMatch(sentence);
  expect(fault.message).toMatch(/~\/\.config\/fettle\/config\.toml/);
});

test("broken environment and flags are named too", () => {
  const w = world();
  expect(w.fault({ env: { FETTLE_LIMITS_ROUNDS: "x" } }).message).toMatch(
    /^FETTLE_LIMITS_ROUNDS: limits\.rounds must be/,
  );
  expect(w.fault({ env: { FETTLE_LIMITS_RUONDS: "3" } }).message).toMatch(
    /unknown key limits\.ruonds; did you mean limits\.rounds/,
  );
  expect(w.fault({ env: { FETTLE_MODLE_DEFAULT: "a/b" } }).message).toMatch(/did you mean model\?/);
  expect(w.fault({ flags: { "autonomy.level": 9 } }).message).toMatch(/^the command line: autonomy\.level/);
});

test.each([
  ['[providers.openai]\napi_key = "anything"\n', "providers.openai.api_key"],
  ['[providers.openai]\napi_key_env = "sk-abcdefghijklmnopqrstuvwx"\n', "providers.openai.api_key_env"],
  ['[providers.box.headers]\nAuthorization = "Bearer abcdefghijk"\n', "providers.box.headers.Authorization"],
  ['[providers.box]\nbase_url = "https://me:pass@example.com/v1"\n', "providers.box.base_url"],
  ['[model]\ndefault = "AIzaSyA1234567890abcdefghijklmnopqrstuv"\n', "model.default"],
])("a secret in a file is refused with the remedy: %j", (text, key) => {
  const w = world();
  w.file("user", text);
  const fault = w.fault();
  expect(fault.exit).toBe(2);
  expect(fault.message).toContain(`${key} looks like a secret`);
  expect(fault.remedy).toContain("fettle login");
  expect(fault.message + fault.remedy).not.toMatch(/sk-abc|AIzaSy|pass@|abcdefghijk/);
});

test("rules of all layers hold together, and their examples are checked", () => {
  const w = world();
  w.file("user", '[[rules]]\naction = "allow"\nprogram = "make"\nmatch = ["make all"]\nnot_match = ["make install"]\n');
  const { rules } = w.load({ flags: { rules: [{ action: "deny", program: "rm" }] } }).settings;
  expect(rules.map((rule) => `${rule.action} ${rule.program} ${rule.source}`)).toEqual([
    "allow make user configuration, rule 1",
    "deny rm the command line, rule 1",
  ]);
  expect(() => checkExamples(rules, (_rule, command) => command === "make all")).not.toThrow();
  expect(() => checkExamples(rules, () => true)).toThrow(/rule 1: the rule covers its example `make install`/);
  expect(() => checkExamples(rules, () => false)).toThrow(/rule 1: the rule does not cover its example `make all`/);
});

test("without files nothing is parsed anew: loading takes a few milliseconds of processor time, however busy the machine", () => {
  const w = world();
  w.load();
  const times = Array.from({ length: 50 }, () => {
    const spent = cpuClock();
    w.load();
    return spent();
  }).sort((left, right) => left - right);
  expect(times[0]).toBeLessThan(3);
});

test("the published schema accepts what loading accepts, and nothing else", () => {
  const text = fc.oneof(
    fc.constantFrom("a/b", "http://localhost/v1", "https://", "NAME_1", "10m", "-1", "", "none", "auto", "ollama"),
    fc.string({ maxLength: 5 }),
  );
  const rule = fc.record(
    {
      action: fc.constantFrom("allow", "ask", "deny", "maybe"),
      program: text,
      args: fc.array(text),
      effect: fc.array(fc.constantFrom("read", "write", "fly")),
      more: text,
    },
    { requiredKeys: [] },
  );
  const value = fc.oneof(
    text,
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    fc.array(text),
    fc.dictionary(text, text),
    fc.dictionary(text, fc.integer()),
    fc.array(rule, { maxLength: 2 }),
  );
  const schemas = new Map(keys.map((key) => [key, schemaOf(key.kind)]));
  fc.assert(
    fc.property(value, (candidate) => {
      for (const [key, schema] of schemas) {
        expect(misfit(key, candidate) === undefined, `${key.path.join(".")} ${JSON.stringify(candidate)}`).toBe(
          schema.safeParse(candidate).success,
        );
      }
    }),
    { numRuns: 300 },
  );
});
