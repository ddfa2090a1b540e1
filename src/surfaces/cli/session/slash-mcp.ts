// `/mcp`: the servers of the session, whether they run, and what one of them offers.
import { renderServers, renderView } from "../commands/mcp/render.ts";
import type { SlashHost } from "./slash-host.ts";

export async function mcp({ client, console }: SlashHost, argument: string): Promise<void> {
  const lines =
    argument === ""
      ? renderServers(await client.read("mcp.list", {}), console.look)
      : renderView(await client.read("mcp.show", { server: argument }), console.look);
  console.print(["", ...lines]);
}
