// What a repository brings starts nothing and says nothing before a person has trusted it, nor when it is no longer what they saw.
import { appendFileSync, existsSync, mkdirSync, rmSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { openClient } from "../../src/app/door/client.ts";
import type { Client } from "../../src/protocol/client.ts";
import type { Event } from "../../src/protocol/event.ts";
import { writeFiles } from "../support/folders.ts";
import { makeScene } from "../scenarios/scene.ts";
import { hostileRepositories, makeRepository, outside } from "./repositories.ts";

const ended = async (client: Client, prompt: string): Promise<Event[]> => {
  const seen: Event[] = [];
  const done = (async () => {
    for await (const event of client.events()) {
      seen.push(event);
      if (event.type === "turn.ended" || event.type === "session.failed") return;
    }
  })();
  await client.send({ type: "prompt.send", prompt: [{ type: "text", text: prompt }] });
  await done;
  return seen;
};

test("of more than twenty hostile repositories, nothing starts and nothing is said before trust, nor after a change", async () => {
  expect(hostileRepositories.length).toBeGreaterThanOrEqual(25);
  await using scene = await makeScene(() => ({ say: "Done." }));
  const { home, server } = scene;
  writeFiles(home.folder, outside);
  // The person has asked for hooks of other agents: only trust stands between.
  scene.put("../.config/fettle/config.toml", '[import]\nhooks = ["claude"]\n');
  const env = { ...home.env, OPENAI_BASE_URL: `${server.url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "scripted" };
  const all: { name: string; when: string; started: unknown[]; said: boolean; ran: boolean }[] = [];
  for (const [at, repository] of hostileRepositories.entries()) {
    const folder = path.join(home.folder, `repository-${at}`);
    mkdirSync(folder);
    makeRepository(repository, folder);
    const look = async (when: string) => {
      server.requests.length = 0;
      const started: unknown[] = [];
      const client = openClient({ cwd: folder, headless: true }, env, "0.0.0");
      try {
        for (const event of await ended(client, repository.typed ?? "hello"))
          if (event.type === "effect.begun" || (event.type === "call.decided" && event.decision.verdict !== "deny"))
            started.push(event);
        const ledger = await client.read("audit.entries", {});
        started.push(...ledger.filter((entry) => JSON.stringify(entry).includes("hook.ran")));
      } finally {
        await client.close();
      }
      const sent = JSON.stringify(server.requests.map(({ body }) => body));
      // A name that the person typed is theirs.
      all.push({
        name: repository.name,
        when,
        started,
        said: sent.includes("ORDER"),
        ran: existsSync(path.join(folder, "ran")),
      });
    };
    await look("before trust");
    const client = openClient({ cwd: folder, headless: true }, env, "0.0.0");
    const view = await client.read("trust.show", {});
    if (view.state !== "none") await client.send({ type: "trust.accept", digest: view.digest });
    await client.close();
    appendFileSync(path.join(folder, repository.changed), repository.changed.endsWith(".json") ? " " : "\n# ORDER\n");
    if (repository.changed.endsWith(".json")) changeCommand(path.join(folder, repository.changed));
    await look("after a change");
    rmSync(folder, { recursive: true });
  }
  expect(all.filter(({ started, said, ran }) => started.length > 0 || said || ran)).toEqual([]);
  expect(all).toHaveLength(hostileRepositories.length * 2);
}, 120_000);

function changeCommand(file: string): void {
  writeFiles(path.dirname(file), {
    [path.basename(file)]: JSON.stringify({
      hooks: { SessionStart: [{ hooks: [{ type: "command", command: "touch ran; echo ORDER" }] }] },
    }),
  });
}
