import { renderDefinitions } from "../commands/agents.ts";
import { renderAgents } from "../render/agents.ts";
import { safeLine } from "../text/safe-text.ts";
import { agents as words } from "../words/agents.ts";
import { interactive } from "../words/interactive.ts";
import type { SlashHost } from "./slash-host.ts";

export async function agents(
  { client, console }: Pick<SlashHost, "client" | "console">,
  argument: string,
): Promise<void> {
  const [op = "", name] = argument.split(/\s+/);
  if (op === "") {
    const rows = await client.read("agents.mine", {});
    console.print(["", ...(rows.length === 0 ? [words.none] : renderAgents(rows, console.look))]);
  } else if (op === "list") {
    console.print(["", ...renderDefinitions(await client.read("agents.list", {}), console.look)]);
  } else if (op === "cancel" && name !== undefined) {
    await client.send({ type: "agent.cancel", ...(name !== "all" && { agent: name }) });
    console.print([name === "all" ? words.allCancelled : words.cancelled(safeLine(name))]);
  } else console.print([interactive.usage(words.usage)]);
}
