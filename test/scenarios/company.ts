// Several providers at once, a scripted server each, and what a session tells of them.
import type { Event } from "../../src/protocol/event.ts";
import type { RouterExplanation, RouterStats } from "../../src/protocol/router.ts";
import { type ModelServer, type Script, startModelServer } from "../support/model-server.ts";
import { configure, makeScene, type Scene, type SceneOptions, those } from "./scene.ts";
import { textIn } from "../../src/base/text-in.ts";

export interface Company extends AsyncDisposable {
  scene: Scene;
  servers: Record<string, ModelServer>;
  /** The router's chances by arm, for a prompt. */
  chances(prompt: string): Promise<Record<string, number>>;
}

/** A provider of each name, `name/model`; where members have prices, the dearer is the better, and no limit of money holds. */
export async function makeCompany(
  members: Record<string, Script | { script: Script; price: number }>,
  more: string | ((scene: Scene) => string) = "",
  options: SceneOptions = {},
): Promise<Company> {
  const scene = await makeScene([], options);
  const servers: Record<string, ModelServer> = {};
  const lines = [
    '[model]\ndefault = "auto"',
    `[router]\narms = ${JSON.stringify(Object.keys(members).map((name) => `${name}/model`))}\n${typeof more === "string" ? more : more(scene)}`,
  ];
  const priced = Object.values(members).some((member) => "price" in member);
  if (priced) lines.push("[budget]\nsession_limit_usd = 0\nmonthly_limit_usd = 0");
  for (const [name, member] of Object.entries(members)) {
    servers[name] = await startModelServer("script" in member ? member.script : member);
    lines.push(
      `[providers.${name}]\ntype = "openai-compatible"\nbase_url = "${servers[name].url}/v1"\ndefault_model = "model"`,
    );
    if ("price" in member)
      lines.push(`[prices."${name}/model"]\ninput = ${member.price}\noutput = ${member.price * 5}`);
  }
  configure(scene, lines.join("\n"));
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

export const told = (events: readonly Event[], code: string): string[] =>
  those(events, "notice.given").flatMap((event) => (event.code === code ? [event.text] : []));
export const asked = (events: readonly Event[]): string[] => those(events, "round.started").map(({ model }) => model);
export const finalAnswer = (events: readonly Event[]): string => {
  const last = those(events, "round.ended").at(-1);
  return textIn(last?.content ?? []);
};
export const whole = (request: Parameters<Exclude<Script, readonly unknown[]>>[0]): string =>
  JSON.stringify(request.body);
export const say =
  (text: string): Script =>
  () => ({ say: text });
export const statsOf = async (scene: Scene): Promise<RouterStats> =>
  JSON.parse((await scene.run(["router", "stats", "--json"])).stdout) as RouterStats;
