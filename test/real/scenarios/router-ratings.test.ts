// What a person says of turns, and a session of which nothing is kept, before the router.
import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RouterExplanation } from "../../../src/protocol/router.ts";
import { type Script } from "../../support/model-server.ts";
import { makeCompany, asked, say, told } from "../../scenarios/company.ts";
test("what a person says of turns moves the choice; forgetting moves it back", async () => {
  const wrong: Script = () => ({ say: "wrong" });
  await using town = await makeCompany({ wrong, right: say("right") });
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
  expect(told(events, "router.chosen")[0]).toMatch(/^right\/model answers: debug, /);
  const forgetting = await scene.run(["router", "reset"]);
  expect(forgetting.code).toBe(2);
  expect((await scene.run(["router", "reset", "--yes", "--type", "debug"])).code).toBe(0);
  expect((await chances("fix the crash in d.ts"))["right/model"]).toBeCloseTo(0.5, 1);
});

test("incognito asks local models only, and neither reads nor writes what was learned", async () => {
  const remote =
    '[providers.remote]\ntype = "openai-compatible"\nbase_url = "https://models.example.org/v1"\ndefault_model = "model"\napi_key_env = "REMOTE_KEY"';
  await using town = await makeCompany({ near: say("near") }, remote);
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
