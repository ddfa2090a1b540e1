// Allow rules proposed from what was approved again and again, through a real program, ledger and configuration file.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import { assess } from "../../src/guard/assess/assess.ts";
import { fixedContext } from "../../src/guard/explain.ts";
import { suggestRules } from "../../src/guard/suggestions.ts";
import { withRules } from "../../src/io/config/rules-edit.ts";
import { places } from "../../src/io/places/places.ts";
import type { Client } from "../../src/protocol/client.ts";
import type { AuditEntry } from "../../src/protocol/query.ts";
import { worldOf } from "../guard/assess/facts.ts";
import { makeWorld, prompt } from "../engine/world.ts";
import { makeHome } from "../support/program.ts";

const facts = worldOf();

/** What the ledger holds of an approved command. */
function approved(command: string, at = 0, more: object = {}): AuditEntry {
  const { effects } = assess({ kind: "shell", command, background: false }, facts);
  const entry = { kind: "effect.begin", tool: "shell", verdict: "ask", approver: "local:ada", session: "s", at };
  return { ...entry, effects, ...more } as unknown as AuditEntry;
}

async function* each(entries: AuditEntry[]): AsyncGenerator<AuditEntry> {
  yield* entries;
}

const often = (command: string, times = 3) => Array.from({ length: times }, (_, at) => approved(command, at));
const suggest = (entries: AuditEntry[], least = 3) =>
  suggestRules(each(entries), { facts, context: { ...fixedContext, workspace: "/w" }, least });

test("what was approved three times word by word is proposed; twice is not; a message may be any", async () => {
  const { suggestions } = await suggest([
    ...often("frobnicate build docs"),
    ...often("frobnicate build site", 2),
    ...["one", "two words", "three"].map((text, at) => approved(`git commit -m '${text}'`, at)),
  ]);
  expect(suggestions.map(({ program, args, approvals }) => [program, args, approvals.length])).toEqual([
    ["frobnicate", ["build", "docs"], 3],
    ["git", ["commit", "-m", "*"], 3],
  ]);
  expect(suggestions[0]?.approvals.map(({ at, by }) => [at, by])).toEqual([0, 1, 2].map((at) => [at, "local:ada"]));
});

test.each([
  ["python3 build.py", "it runs code"],
  ["bash build.sh", "it runs code"],
  ["npm install left-pad", "it installs"],
  ["npx cowsay", "it installs"],
  ["curl https://example.com/a", "it uses the network"],
  ["git push origin main", "it pushes"],
  ["npm publish", "it publishes"],
  ["rm notes.txt", "it deletes"],
  ["mv a.txt b.txt", "it deletes"],
  ["cp x Makefile", "it touches what others run later"],
  ["cat .env", "it may read secrets"],
  ["touch /tmp/elsewhere/x", "it leaves the workspace"],
  ["sudo id", "it is denied now"],
  ["./build", "it is a file that may change"],
])("%s is never proposed, however often it was approved", async (command, why) => {
  const { suggestions, withheld } = await suggest(often(command, 9));
  expect(suggestions).toEqual([]);
  expect(withheld).toMatchObject([{ command, approvals: 9, why }]);
});

test("only a person's own approval of what was asked counts", async () => {
  const others = [
    { approver: undefined },
    { verdict: "notify" },
    { kind: "effect.denied" },
    { incognito: true },
    { tool: "read" },
  ];
  for (const more of others)
    expect(await suggest(Array.from({ length: 5 }, (_, at) => approved("frobnicate docs", at, more)))).toEqual({
      suggestions: [],
      withheld: [],
    });
  expect((await suggest(often("ls -la"))).suggestions).toEqual([]);
  expect((await suggest(often('frobnicate "$HOME" *.c'))).suggestions).toEqual([]);
});

test("rules are added behind everything that stands in the file, and read back as they were meant", () => {
  const home = makeHome();
  const where = { workspace: home.folder, places: places(home.env), env: home.env };
  const file = withRules(where, []).file;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, '# mine\n[[rules]]\naction = "deny"\nprogram = "x"\n\n[budget]\nsession_limit_usd = 2');
  const rule = { comment: "approved\ntwice", program: 'odd"name', args: ["a b", "*"], match: ["x\ty"] };
  const { before, after } = withRules(where, [rule]);
  expect(after.startsWith(before)).toBe(true);
  expect(parse(after)).toEqual({
    ...parse(before),
    rules: [
      { action: "deny", program: "x" },
      { action: "allow", program: 'odd"name', args: ["a b", "*"], match: ["x\ty"] },
    ],
  });
});

/** One turn; every question is answered with yes. Answers how many there were. */
async function turn(client: Client, seen: { seq: number }): Promise<number> {
  await client.send({ type: "prompt.send", prompt: prompt("go") });
  let asked = 0;
  for await (const event of client.events(seen.seq)) {
    if ("seq" in event) seen.seq = event.seq;
    if (event.type === "approval.asked") {
      asked += 1;
      await client.send({ type: "approval.answer", nonce: event.request.nonce, answer: { kind: "approve" } });
    }
    if (event.type === "turn.ended") return asked;
  }
  return asked;
}

test("from the ledger to a rule that answers: shown, adopted as shown, and asked no more", async () => {
  let round = 0;
  await using world = await makeWorld(() => {
    round += 1;
    if (round % 2 === 0) return { say: "Done." };
    return { calls: [{ name: "shell", input: { command: "frobnicate docs" } }] };
  });
  // On layers nobody would be asked.
  world.put("../.config/fettle/config.toml", '[sandbox]\ncontainment = "off"\n');
  const client = world.client({ headless: false });
  const seen = { seq: 0 };
  for (let time = 0; time < 3; time++) expect(await turn(client, seen)).toBe(1);

  const found = await client.read("policy.suggest", {});
  expect(found.suggestions).toMatchObject([{ program: "frobnicate", args: ["docs"], examples: ["frobnicate docs"] }]);
  expect(found.suggestions[0]?.approvals).toHaveLength(3);
  expect(found.diff.files[0]?.patch).toContain('+program = "frobnicate"');
  expect((await client.read("policy.suggest", { least: 4 })).suggestions).toEqual([]);

  await expect(client.send({ type: "policy.adopt", digest: "another" })).rejects.toThrow("no longer the one");
  await client.send({ type: "policy.adopt", digest: found.digest });
  expect(readFileSync(found.file, "utf8")).toMatch(
    /\n# approved 3 times by \S+: .*\n\[\[rules\]\]\naction = "allow"\n/,
  );

  const next = world.client({ headless: false });
  expect(await turn(next, { seq: 0 })).toBe(0);
  expect((await next.read("policy.suggest", {})).suggestions).toEqual([]);
});
