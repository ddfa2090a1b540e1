// What an MCP server is started with, and what a call of one of its tools would do, as far as a person has said so.
import { readWebAddress } from "../../base/web-address.ts";
import { shellWord } from "../../base/shell-word.ts";
import { calledAs, resourceName } from "../../base/mcp-names.ts";
import type { McpClass, McpHints, McpServerFact } from "../../io/mcp/spec.ts";
import type { ActionOf } from "../../protocol/action.ts";
import type { Undo } from "../../protocol/effect.ts";
import { type Context, find, note } from "../command-line/context/context.ts";
import { hidden, misleading } from "../command-line/context/hide.ts";
import { judgePath } from "../command-line/context/paths.ts";
import { within } from "../command-line/context/sensitive.ts";
import { literal } from "../command-line/syntax/text.ts";

type McpAction = ActionOf<"mcp">;

export function judgeMcp(action: McpAction, outer: Context): void {
  const { facts, findings } = outer.run;
  const { op, server } = action;
  for (const text of [server, action.what]) for (const each of hidden(text, op === "find")) findings.add(server, each);
  if (op === "find" || op === "list") return;
  findings.tags.add("mcp");
  const known = facts.mcp?.(server);
  const at = { ...outer, part: partOf(action) };
  findings.segment(at.part);
  if (!known) note(at, "L2", "mcp.unknown", `names the MCP server ${server}, which there is not`);
  else if (op === "start") judgeStart(known, at);
  else if (op === "accept")
    note(at, "L2", "mcp.changed", `its definition has changed since it was pinned`, "mcp-changed");
  else judgeCall(action, known, at);
}

/** What a person says of a server's resources and prompts, as they say it of its tools. */
const spoken = ({ op, what, input }: McpAction): string => {
  if (op === "read" || op === "subscribe" || op === "unsubscribe") return "@resources";
  if (op === "complete") return aboutPrompt(input) ? "@prompts" : "@resources";
  return op === "prompt" ? "@prompts" : what;
};

/** What is completed is said by the type of its reference alone: every other word of it is the asking agent's to choose. */
const aboutPrompt = (input: McpAction["input"]): boolean => member(member(input, "ref"), "type") === "ref/prompt";

const member = (value: McpAction["input"] | undefined, name: string): McpAction["input"] | undefined =>
  typeof value === "object" && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
    ? value[name]
    : undefined;

/** Everything that it may reach is an effect: an approval shows it, limits see it, and the fence gives nothing else. */
function judgeStart(known: McpServerFact, outer: Context): void {
  const { origin, command, url, read, write, hosts, startedBefore, variables = [] } = known;
  const { findings, facts } = outer.run;
  const at = { ...outer, part: command ? command.map(shellWord).join(" ") : (url ?? outer.part) };
  findings.tags.add("mcp-start");
  // Started, a plugin of fettle's own sends nothing yet: its calls are judged.
  if (known.builtIn) findings.tags.add("mcp-own-hosts");
  if (command) {
    findings.segment(at.part);
    findings.effect(at.part, "spawn", command[0] ?? "");
    // A plugin of fettle's own lies in fettle's folder, which nobody else's program may name.
    if (!known.builtIn) at.run.judge.argv(command.map(literal), at);
  }
  if (url !== undefined) judgeAddress(url, origin, at);
  for (const folder of read) {
    if (within(folder, facts.workspace)) findings.effect(at.part, "read", folder);
    else judgePath(literal(folder), "read", { ...at, part: folder });
  }
  for (const folder of write) judgeWritable(folder, { ...at, part: folder });
  for (const host of hosts) findings.effect(at.part, "network", host, "irreversible");
  if (hosts.length > 0) findings.tags.add("network");
  const told = [
    ...(read.length + write.length === 0 ? ["no folder of yours"] : []),
    ...(hosts.length === 0 ? ["no network"] : [`the hosts ${hosts.join(", ")}`]),
    ...(variables.length === 0 ? [] : [`the variables ${variables.join(", ")}`]),
  ];
  // An editor passes on what it has found, in the repository perhaps: nobody has set that up here, and each start asks.
  if (origin === "editor") note(at, "L2", "mcp.editor", "is named by the editor, and was not set up in fettle");
  note(at, "L2", "mcp.start", `starts an MCP server, which gets ${told.join(" and ")}`);
  // What a runner would fetch is installed: that was looked at when exactly this was started before.
  if (origin !== "editor" && (startedBefore || !findings.tags.has("install"))) findings.tags.add("mcp-set-up");
}

/** An address inside is the person's own to name; nothing of theirs goes over the network as plain text. */
function judgeAddress(url: string, origin: McpServerFact["origin"], at: Context): void {
  const problem = (text: string) => note(at, "L3", "network.url", text, "private-address");
  const read = readWebAddress(url);
  if ("problem" in read) return problem(read.problem);
  const { kind, target } = read;
  if (read.credentials) problem("holds a user name");
  if (kind === "metadata" || kind === "invalid" || (kind !== "public" && origin !== "user"))
    problem(`reaches a ${kind} address (${target})`);
  if (kind === "public" && read.url.protocol !== "https:") problem("would be spoken to unencrypted");
}

/** It writes there itself, without a layer: nothing of it is kept. */
function judgeWritable(folder: string, at: Context): void {
  const { facts, findings } = at.run;
  judgePath(literal(folder), "read", at);
  findings.effect(at.part, "write", folder, "irreversible");
  const taken = [facts.home, ...facts.own].some(
    (own) => within(own, folder) || (own !== facts.home && within(folder, own)),
  );
  if (taken || folder === "/")
    note(at, "L3", "mcp.folder", `would write to ${folder}, which holds more than it needs`, "outside");
  else if (!within(folder, facts.workspace))
    note(at, "L2", "path.outside-write", "writes outside the workspace", "outside");
}

const undoOf: Readonly<Record<McpClass, Undo>> = {
  read: "reversible",
  reversible: "reversible",
  compensable: "compensable",
  irreversible: "irreversible",
};

function partOf({ op, server, what }: McpAction): string {
  if (op === "start") return server;
  return op === "call" || op === "accept" ? calledAs(server, what) : resourceName(server, what);
}

function judgeCall(action: McpAction, known: McpServerFact, at: Context): void {
  const { op, server, input, inputs = null } = action;
  const { findings } = at.run;
  const tool = known.tool(spoken(action));
  for (const finding of misleading(`${textOf(input)}\n${textOf(inputs)}`)) find(at, finding);
  if (known.continued?.(action)) findings.tags.add("mcp-continued");
  if (known.builtIn === "workspace") findings.tags.add("mcp-built-in");
  if (known.ownHosts) findings.tags.add("mcp-own-hosts");
  for (const file of known.obeys?.(action) ?? []) judgePath(literal(file), "read", at);
  const pinned = tool?.class;
  const meant = strictest(pinned, tool?.hints ?? {});
  findings.effect(at.part, "execute", at.part, undoOf[meant]);
  for (const host of known.hosts) findings.effect(at.part, "network", host, "irreversible");
  const open = pinned === undefined || tool?.hints.openWorld === true;
  if (known.hosts.length > 0 || open) findings.tags.add("network");
  if (pinned === undefined) {
    if (op === "call")
      note(at, "L2", "mcp.unpinned", `calls a tool of the MCP server ${server}, and nobody has said what it does`);
    else note(at, "L2", "mcp.unpinned", `asks the MCP server ${server} for a text, and nobody has said what that does`);
    return;
  }
  const risk = meant === "read" ? (known.hosts.length > 0 || open ? "L1" : "L0") : meant === "reversible" ? "L1" : "L2";
  const act =
    op === "call" ? `calls a tool of the MCP server ${server} that` : `takes a text of the MCP server ${server}, which`;
  const says = meant === pinned ? "" : `; you said ${pinned}, its server says otherwise`;
  note(at, risk, `mcp.${meant}`, `${act} ${words[meant]}${says}`);
}

const words: Readonly<Record<McpClass, string>> = {
  read: "only reads",
  reversible: "changes what can be put back",
  compensable: "changes what can be made good only in part",
  irreversible: "changes what cannot be put back",
};

const order: readonly McpClass[] = ["read", "reversible", "compensable", "irreversible"];

/** What a server says of its tool counts where that is worse than what the person said, and nowhere else. */
function strictest(pinned: McpClass | undefined, { destructive, readOnly }: McpHints): McpClass {
  const said: McpClass = destructive === true ? "irreversible" : readOnly === false ? "compensable" : "read";
  const from = pinned ?? "irreversible";
  return order.indexOf(said) > order.indexOf(from) ? said : from;
}

/** As a person would read it: what hides there is judged as it stands, not as JSON spells it. */
function textOf(input: McpAction["input"]): string {
  if (typeof input === "string") return input;
  if (typeof input !== "object" || input === null) return "";
  return Object.entries(input)
    .flatMap(([name, value]) => [name, textOf(value)])
    .join("\n");
}
