import { renderDefinitions } from "../commands/agents.ts";
import { renderAgents } from "../render/agents.ts";
import { safeLine } from "../text/safe-text.ts";
import { agents as words } from "../words/agents.ts";
import { interactive } from "../words/interactive.ts";
import type { SlashHost } from "./slash-host.ts";

export async function agents(
  host: Pick<SlashHost, "client" | "console"> & Partial<Pick<SlashHost, "signal">>,
  argument: string,
): Promise<void> {
  const { client, console, signal } = host;
  const [op = "", name] = argument.split(/\s+/);
  if (op === "") {
    const rows = await client.read("agents.mine", {});
    const pick = console.pick?.bind(console);
    if (rows.length > 0 && pick && signal) {
      await (await import("./panel-agents.ts")).agentsPanel({ client, console, signal }, pick);
      return;
    }
    console.print(["", ...(rows.length === 0 ? [words.none] : renderAgents(rows, console.look))]);
  } else if (op === "list") {
    console.print(["", ...renderDefinitions(await client.read("agents.list", {}), console.look)]);
  } else if (op === "cancel" && name !== undefined) {
    await client.send({ type: "agent.cancel", ...(name !== "all" && { agent: name }) });
    console.print([name === "all" ? words.allCancelled : words.cancelled(safeLine(name))]);
  } else console.print([interactive.usage(words.usage)]);
}
