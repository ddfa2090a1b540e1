// Several providers at once, a scripted server each, and what a session tells of them.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Event } from "../../src/protocol/event.ts";
import type { RouterStats } from "../../src/protocol/router.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import { makeScene, type Scene, type SceneOptions, those } from "./scene.ts";

export interface Company extends AsyncDisposable {
  scene: Scene;
  servers: Record<string, ModelServer>;
}

/** A provider of each name, `name/model`; a price for each makes the dearer the better. */
export async function makeCompany(
  members: Record<string, { script: Script; price: number }>,
  more: string | ((scene: Scene) => string) = "",
  options: SceneOptions = {},
): Promise<Company> {
  const scene = await makeScene([], options);
  const servers: Record<string, ModelServer> = {};
  const lines = [
    '[model]\ndefault = "auto"\n[budget]\nsession_limit_usd = 0\nmonthly_limit_usd = 0',
    `[router]\narms = ${JSON.stringify(Object.keys(members).map((name) => `${name}/model`))}\n${typeof more === "string" ? more : more(scene)}`,
  ];
  for (const [name, { script, price }] of Object.entries(members)) {
    servers[name] = await startModelServer(script);
    lines.push(
      `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${servers[name].url}/v1"\ndefault_model = "model"`,
      `[prices."${name}/model"]\ninput = ${price}\noutput = ${price * 5}`,
    );
  }
  const folder = path.join(scene.home.folder, ".config/fettle");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, "config.toml"), lines.join("\n"));
  return {
    scene,
    servers,
    async [Symbol.asyncDispose]() {
      await Promise.all(Object.values(servers).map((server) => server.close()));
      await scene[Symbol.asyncDispose]();
    },
  };
}

export const told = (events: readonly Event[], code: string): string[] =>
  those(events, "notice.given").flatMap((event) => (event.code === code ? [event.text] : []));
export const asked = (events: readonly Event[]): string[] => those(events, "round.started").map(({ model }) => model);
export const finalAnswer = (events: readonly Event[]): string => {
  const last = those(events, "round.ended").at(-1);
  return (last?.content ?? []).map((part) => (part.type === "text" ? part.text : "")).join("");
};
export const whole = (request: Parameters<Exclude<Script, readonly unknown[]>>[0]): string =>
  JSON.stringify(request.body);
export const say =
  (text: string): Script =>
  () => ({ say: text });
export const statsOf = async (scene: Scene): Promise<RouterStats> =>
  JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;
