// What a person says of turns, and a session of which nothing is kept, before the router.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Event } from "../../../src/protocol/event.ts";
import type { RouterExplanation } from "../../../src/protocol/router.ts";
import { type ModelServer, type Script, startModelServer } from "../../support/model-server.ts";
import { makeScene, type Scene, type SceneOptions, those } from "../../scenarios/scene.ts";
interface Town extends AsyncDisposable {
  scene: Scene;
  servers: Record<string, ModelServer>;
  /** Chances by arm, for a prompt. */
  chances(prompt: string): Promise<Record<string, number>>;
}

/** A provider of each name at a server of its own, `name/model`; `more` is added to the configuration. */
async function makeTown(scripts: Record<string, Script>, more = "", options: SceneOptions = {}): Promise<Town> {
  const scene = await makeScene([], options);
  const servers: Record<string, ModelServer> = {};
  const lines = [
    '[model]\ndefault = "auto"',
    `[router]\narms = ${JSON.stringify(Object.keys(scripts).map((name) => `${name}/model`))}`,
  ];
  for (const [name, script] of Object.entries(scripts)) {
    servers[name] = await startModelServer(script);
    lines.push(
      `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${servers[name].url}/v1"\ndefault_model = "model"`,
    );
  }
  const folder = path.join(scene.home.folder, ".config/fettle");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "config.toml"), [...lines, more].join("\n"));
  return {
    scene,
    servers,
    async chances(prompt) {
      const { stdout } = await scene.run(["router", "explain", prompt, "--json"]);
      const { candidates } = JSON.parse(stdout) as RouterExplanation;
      return Object.fromEntries(candidates.map(({ arm, propensity }) => [arm, propensity]));
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(servers).map((server) => server.close()));
      await scene[Symbol.asyncDispose]();
    },
  };
}

const say =
  (text: string): Script =>
  () => ({ say: text });
const notices = (events: readonly Event[], code: string): string[] =>
  those(events, "notice.given").flatMap((event) => (event.code === code ? [event.text] : []));
const asked = (events: readonly Event[]): string[] => those(events, "round.started").map(({ model }) => model);
test("what a person says of turns moves the choice; forgetting moves it back", async () => {
  const wrong: Script = () => ({ say: "wrong" });
  await using town = await makeTown({ wrong, right: say("right") });
  const { scene, chances } = town;
  const before = await chances("fix the crash in a.ts");
  expect(before["right/model"]).toBeCloseTo(0.5, 1);
  for (const arm of ["wrong", "right", "wrong", "right", "wrong"]) {
    expect((await scene.tell(["-m", `${arm}/model`, "fix the crash in a.ts"])).code).toBe(0);
    const rated = await scene.run(["router", arm === "right" ? "good" : "bad", "as", "I", "saw"]);
    expect(rated.code).toBe(0);
  }
  const after = await chances("fix the crash in b.ts");
  expect(after["right/model"]).toBeGreaterThan(0.9);
  // What was seen elsewhere counts, too, but less.
  const elsewhere = await chances("explain the parser");
  expect(elsewhere["right/model"]).toBeGreaterThan(0.6);
  expect(elsewhere["right/model"]).toBeLessThan(after["right/model"] ?? 0);
  const { events } = await scene.tell(["fix the crash in c.ts"]);
  expect(asked(events)).toEqual(["right/model"]);
  expect(notices(events, "router.chosen")[0]).toMatch(/^right\/model answers: debug, /);
  const forgetting = await scene.run(["router", "reset"]);
  expect(forgetting.code).toBe(2);
  expect((await scene.run(["router", "reset", "--yes", "--type", "debug"])).code).toBe(0);
  expect((await chances("fix the crash in d.ts"))["right/model"]).toBeCloseTo(0.5, 1);
}, 60_000);

test("incognito asks local models only, and neither reads nor writes what was learned", async () => {
  const remote =
    '[providers.remote]\ntype = "openai-compatible"\nbase_url = "https://models.example.org/v1"\ndefault_model = "model"\napi_key_env = "REMOTE_KEY"';
  await using town = await makeTown({ near: say("near") }, remote);
  const { scene } = town;
  const env = { REMOTE_KEY: "k", FETTLE_ROUTER_ARMS: "near/model,remote/model" };
  const told = await scene.tell(["--incognito", "explain the parser"], { env });
  expect(told.code).toBe(0);
  expect(asked(told.events)).toEqual(["near/model"]);
  expect(existsSync(path.join(scene.home.folder, ".local/state/fettle/router.db"))).toBe(false);
  const open = await scene.run(["router", "explain", "explain the parser", "--profile", "local", "--json"], { env });
  const { excluded } = JSON.parse(open.stdout) as RouterExplanation;
  expect(excluded).toEqual([{ arm: "remote/model", code: "profile", reason: "not local: profile local" }]);
  const none = await scene.run(["-p", "--incognito", "explain the parser"], {
    env: { ...env, FETTLE_ROUTER_ARMS: "remote/model" },
  });
  expect(none.code).toBe(2);
  expect(none.stderr).toContain("not local");
});
