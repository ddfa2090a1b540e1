// The strictest policy that a session has seen is in force; a loosening waits for a person.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Client } from "../../src/protocol/client.ts";
import type { Event } from "../../src/protocol/event.ts";
import { makeWorld, prompt, type World } from "../engine/world.ts";

const team = ".fettle/team.toml";

/** Sends a prompt, waits for its turn's end, and answers what happened since the last one. */
function talker(client: Client, seen = 0) {
  return async (text = "go"): Promise<Event[]> => {
    await client.send({ type: "prompt.send", prompt: prompt(text) });
    const events: Event[] = [];
    for await (const event of client.events(seen)) {
      events.push(event);
      if ("seq" in event) seen = event.seq;
      if (event.type === "turn.ended") break;
    }
    return events;
  };
}

const notices = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "notice.given" ? [[event.code, event.text] as const] : []));
const decided = (events: readonly Event[]) =>
  events.flatMap((event) => (event.type === "call.decided" ? [event.decision.rule] : []));

/** Every turn writes one file, and says so. */
function writer(options: Parameters<typeof makeWorld>[1] = {}): Promise<World> {
  let round = 0;
  return makeWorld(() => {
    round += 1;
    if (round % 2 === 0) return { say: "Done." };
    return { calls: [{ name: "write", input: { path: `file-${round}.txt`, content: "x\n" } }] };
  }, options);
}

test("a policy that becomes stricter holds from the next turn on, and one that loosens waits for a person", async () => {
  await using world = await writer();
  const client = world.client();
  const turn = talker(client);
  expect(decided(await turn())).toEqual(["autonomy.2"]);

  world.put(team, "[policy]\nmax_autonomy_level = 1\n");
  const stricter = await turn();
  expect(decided(stricter)).toEqual(["policy.max_autonomy_level"]);
  expect(notices(stricter)).toMatchObject([
    ["policy.tightened", expect.stringMatching(/max_autonomy_level \(1, was 5; .*team\.toml:2\)/)],
  ]);

  rmSync(path.join(world.folder, team));
  const deleted = await turn();
  expect(decided(deleted)).toEqual(["policy.max_autonomy_level"]);
  expect(notices(deleted)).toMatchObject([["policy.waiting", expect.stringContaining("/policy accept")]]);
  expect(await client.read("policy.waiting", {})).toMatchObject([
    { key: "policy.max_autonomy_level", before: 1, after: 5, change: "looser" },
  ]);
  expect(notices(await turn())).toEqual([]);

  await client.send({ type: "policy.accept" });
  expect(decided(await turn())).toEqual(["autonomy.2"]);
  expect(await client.read("policy.waiting", {})).toEqual([]);
  const [accepted] = await client.read("audit.entries", { text: "policy.accepted" });
  expect(accepted).toMatchObject({
    data: {
      by: expect.stringContaining("local:"),
      changes: [{ key: "policy.max_autonomy_level", before: 1, after: 5 }],
    },
  });
});

test("what becomes stricter while a turn runs holds for its next calls; a file that breaks then changes nothing", async () => {
  const texts = ["[policy\n", "[policy]\nmax_autonomy_level = 1\n"];
  let round = 0;
  await using world: World = await makeWorld(() => {
    round += 1;
    if (round === 4) return { say: "Done." };
    const text = texts[round - 2];
    if (text !== undefined) world.put(team, text);
    return { calls: [{ name: "write", input: { path: `file-${round}.txt`, content: "x\n" } }] };
  });
  const events = await talker(world.client())();
  expect(decided(events)).toEqual(["autonomy.2", "autonomy.2", "policy.max_autonomy_level"]);
  expect(notices(events).map(([code]) => code)).toEqual(["policy.tightened"]);
});

test("a policy that becomes a link that leads nowhere is told when the next prompt begins, and what held holds", async () => {
  let round = 0;
  await using world: World = await makeWorld(() => {
    round += 1;
    if (round === 3) return { say: "Done." };
    if (round === 2) symlinkSync("team.toml", path.join(world.folder, team));
    return { calls: [{ name: "write", input: { path: `file-${round}.txt`, content: "x\n" } }] };
  });
  mkdirSync(path.join(world.folder, ".fettle"), { recursive: true });
  const client = world.client();
  const events = await talker(client)();
  expect(decided(events)).toEqual(["autonomy.2", "autonomy.2"]);
  expect(events.at(-1)).toMatchObject({ type: "turn.ended", stop: { kind: "done" } });
  await expect(client.send({ type: "prompt.send", prompt: prompt("go") })).rejects.toThrow(
    /team\.toml: is a link that leads back to itself/,
  );
});

test("a branch without the policy, and a later process, do not forget it", async () => {
  await using world = await writer({ files: { "a.txt": "a\n" } });
  const git = (...words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...words], {
      cwd: world.folder,
      stdio: "ignore",
    });
  git("add", "a.txt");
  git("commit", "-m", "without");
  git("checkout", "-b", "strict");
  world.put(team, '[policy]\nallow_git_push = false\n[[rules]]\naction = "deny"\neffect = ["write"]\n');
  git("add", "-A");
  git("commit", "-m", "strict");
  const client = world.client();
  expect(decided(await talker(client)())).toEqual(["policy.rules[0]"]);
  const { id } = await client.read("session.view", {});
  await client.close();

  git("checkout", "-");
  expect(world.exists(team)).toBe(false);
  const later = world.client({ session: { kind: "resume", id } });
  expect((await later.read("policy.waiting", {})).map(({ key }) => key)).toEqual(["policy.allow_git_push", "rules"]);
  const before = (await later.read("session.export", { session: id })).length;
  const events = await talker(later, before)();
  expect(decided(events).at(-1)).toBe("policy.rules[0]");
  expect(notices(events).map(([code]) => code)).toContain("policy.waiting");
  expect(await later.read("gate.explain", { command: "git push" })).toMatchObject({ rule: "policy.allow_git_push" });
  await later.close();

  const fresh = world.client();
  expect(decided(await talker(fresh)())).toEqual(["autonomy.2"]);
});

test("a deny rule that leaves a file stays, an allow rule and a host that come wait", async () => {
  await using world = await writer();
  const config = path.join(world.folder, "../.config/fettle/config.toml");
  const settings = "../.config/fettle/config.toml";
  world.put(settings, '[[rules]]\naction = "deny"\nprogram = "terraform"\n[sandbox]\ncontainment = "off"\n');
  const client = world.client();
  const turn = talker(client);
  await turn();
  world.put(
    settings,
    '[sandbox]\ncontainment = "off"\n[network]\nhosts = ["a.example"]\n[[rules]]\naction = "allow"\nprogram = "make"\n',
  );
  await turn();
  const explain = (command: string) => client.read("gate.explain", { command });
  expect(await explain("terraform apply")).toMatchObject({ verdict: "deny" });
  expect(await explain("make all")).toMatchObject({ verdict: "ask" });
  await client.send({ type: "policy.accept" });
  expect(await explain("terraform apply")).toMatchObject({ verdict: "ask" });
  expect(await explain("make all")).toMatchObject({ verdict: "notify" });
  rmSync(config);
});

test("a policy that breaks while a session runs lets no turn begin until it is mended", async () => {
  await using world = await writer();
  const client = world.client();
  const turn = talker(client);
  await turn();
  world.put(team, "[policy]\nmax_autonomy = 1\n");
  await expect(turn()).rejects.toThrow(/team\.toml:2: unknown key policy\.max_autonomy/);
  await expect(client.send({ type: "shell.send", command: "ls" })).rejects.toThrow(/team\.toml/);
  world.put(team, '[[rules]]\naction = "deny"\nprogram = "rm"\nmatch = ["ls"]\n');
  await expect(turn()).rejects.toThrow(/team\.toml:1: .*does not cover its example `ls`/);
  world.put(team, "[policy]\nmax_autonomy_level = 2\n");
  expect(decided(await turn())).toEqual(["autonomy.2"]);
});

test("a lowered level, ceiling and budget reach a session that runs", async () => {
  await using world = await writer();
  const client = world.client();
  const turn = talker(client);
  await turn();
  world.put(".fettle/config.toml", '[autonomy]\nlevel = 1\nceiling = "plan"\n');
  expect(decided(await turn())).toEqual(["ceiling.plan"]);
  expect(await client.read("session.view", {})).toMatchObject({ autonomy: 1, ceiling: "plan" });
  world.put(team, "[policy]\nsession_limit_usd = 0.01\n");
  const [known] = await Promise.all([
    client.read("policy.explain", { key: "session_limit_usd" }),
    turn().catch(() => []),
  ]);
  expect(known).toMatchObject([{ key: "policy.session_limit_usd" }]);
  expect(await client.read("policy.explain", { key: "session_limit_usd" })).toMatchObject([{ value: 0.01 }]);
});

test("only an admin accepts for a channel, and a policy's demands on approvals reach its settings", async () => {
  await using world = await writer();
  const identity = { name: "telegram:42", surface: "channel", role: "privileged", approver: "senior" } as const;
  const remote = world.client({ identity });
  await talker(remote)();
  await expect(remote.send({ type: "policy.accept" })).rejects.toThrow(
    /needs the role admin; telegram:42 has privileged/,
  );
  world.put(team, "[approval]\nfour_eyes = true\nquorum = 2\n");
  const values = await world.client().read("config.show", {});
  const of = (key: string) => values.find((value) => value.key === key);
  expect(of("approval.four_eyes")).toMatchObject({
    value: true,
    origin: expect.stringMatching(/^policy \(.*team\.toml:2\)/),
  });
  expect(of("approval.quorum")).toMatchObject({ value: 2 });
});

test("a role is lowered by flag and command, is remembered, and never rises above the caller's", async () => {
  await using world = await writer();
  const client = world.client({ role: "read-only" });
  const turn = talker(client);
  expect(decided(await turn())).toEqual(["role.read-only"]);
  const { id, role } = await client.read("session.view", {});
  expect(role).toBe("read-only");
  await client.close();
  const resumed = world.client({ session: { kind: "resume", id } });
  await resumed.send({ type: "mode.set", autonomy: 2 });
  expect((await resumed.read("session.view", {})).role).toBe("read-only");
  await resumed.send({ type: "mode.set", role: "standard" });
  expect(await resumed.read("gate.explain", { command: "npm install x" })).toMatchObject({ rule: "role.standard" });
  await expect(resumed.send({ type: "mode.set", role: "admin" })).rejects.toThrow(/role admin is more than privileged/);
  await resumed.close();

  const above = world.client({ role: "admin" });
  await expect(talker(above)()).rejects.toThrow(/role admin is more than privileged/);
  const token = { name: "token:ci", surface: "token", role: "standard", approver: "developer" } as const;
  const remote = world.client({ identity: token });
  await talker(remote)();
  expect((await remote.read("session.view", {})).role).toBe("standard");
  await expect(remote.send({ type: "mode.set", role: "privileged" })).rejects.toThrow(/more than standard/);
});

test("a policy and a repository lower the role, nobody's file raises it", async () => {
  await using world = await writer({ files: { [team]: '[policy]\nmax_role = "read-only"\n' } });
  expect(decided(await talker(world.client())())).toEqual(["role.read-only"]);
  rmSync(path.join(world.folder, team));
  world.put(".fettle/config.toml", '[role]\nmax = "standard"\n');
  const client = world.client();
  await talker(client)();
  expect((await client.read("session.view", {})).role).toBe("standard");
});
