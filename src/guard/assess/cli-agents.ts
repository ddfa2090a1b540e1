import { classifyHost } from "../../base/address.ts";
import { readWebAddress } from "../../base/web-address.ts";
import type { ActionOf } from "../../protocol/action.ts";
import { type Context, find, note } from "../command-line/context/context.ts";
import { misleading } from "../command-line/context/hide.ts";

/** What its program does is not seen before it does it: it is judged by all that it could do. */
export function judgeCliAgent({ agent, prompt, host, writes }: ActionOf<"cli-agent">, outer: Context): void {
  const { facts, findings } = outer.run;
  const at = { ...outer, part: agent };
  findings.segment(agent);
  for (const finding of misleading(`${agent} ${prompt}`)) find(at, finding);
  findings.effect(agent, "spawn", agent, "reversible");
  findings.effect(agent, "execute", agent, "reversible");
  findings.effect(agent, "network", host, "irreversible");
  findings.effect(agent, writes ? "write" : "read", facts.workspace, "reversible");
  findings.tags.add("process");
  findings.tags.add("network");
  const files = writes ? `writes below ${facts.workspace}` : "reads the workspace";
  note(
    at,
    "L2",
    "cli-agent.start",
    `runs another agent's program with network to ${host}, which ${files}`,
    "cli-agent",
  );
  const read = readWebAddress(`https://${host}/`);
  const place = "problem" in read ? "invalid" : classifyHost(read.host);
  if (place === "invalid" || place === "metadata")
    note(at, "L3", "network.url", `would reach ${host}, which no model answers at`, "private-address");
}
