// From the head of a definition file, whoever's conventions it follows, to what fettle makes of it.
import type { AgentDefinition } from "../../protocol/agent.ts";
import type { Role } from "../../protocol/decision.ts";
import type { Headed } from "../../extensions/markdown/front-matter.ts";
import { everyTool, isKnownElsewhere, isNarrowed, toolsCalled } from "./tool-names.ts";

type Head = Headed["head"];
export type Defined = { definition: AgentDefinition; notes: string[] } | { problem: string };

const namePattern = /^[a-z0-9][a-z0-9_-]{0,47}$/;
const longestDescription = 1_000;

/** `file`: the name of the file, which is the definition's where it does not say one. */
export function definitionOf({ head, body }: Headed, file: string): Defined {
  const notes: string[] = [];
  const name = wordOf(head, "name") ?? file;
  const plain = name.trim().toLowerCase().replace(/\s+/g, "-");
  if (!namePattern.test(plain)) {
    return { problem: `has the name ${JSON.stringify(name.slice(0, 60))}: letters, digits, - and _ make one` };
  }
  if (wordOf(head, "kind") === "remote") return { problem: "is of an agent that runs elsewhere (kind: remote)" };
  if (body === "") return { problem: "says nothing below its front matter, where the subagent is told what it is" };
  const tools = toolsOf(head, notes);
  if (tools?.length === 0) return { problem: "names no tool that fettle has" };
  const role = roleOf(head, notes);
  const maxRounds = roundsOf(head, notes);
  for (const key of Object.keys(head)) {
    const effect = Object.hasOwn(agentFields, key) ? agentFields[key] : "fettle does not know it";
    if (effect !== true) notes.push(`${key} has no effect: ${effect}`);
  }
  const said = { model: modelOf(head), tier: wordOf(head, "tier"), colour: wordOf(head, "colour", "color") };
  return {
    notes,
    definition: {
      name: plain,
      description: oneLine(wordOf(head, "description") ?? body).slice(0, longestDescription),
      prompt: body,
      ...(tools && { tools }),
      ...(role && { role }),
      ...(maxRounds !== undefined && { maxRounds }),
      ...Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined)),
    },
  };
}

const roundKeys = ["max_rounds", "maxRounds", "max_turns", "maxTurns", "max_steps", "maxSteps", "steps"];
const denialKeys = ["disallowedTools", "disallowed_tools", "excludeTools"];
const honoured = [
  ...[
    "name",
    "description",
    "tools",
    "model",
    "tier",
    "role",
    "colour",
    "color",
    "kind",
    "permissionMode",
    "permission",
  ],
  ...["mode", "display_name", ...roundKeys, ...denialKeys],
];

/** What has no effect here says why. */
export const agentFields: Readonly<Record<string, string | true>> = {
  ...Object.fromEntries(honoured.map((key) => [key, true as const])),
  skills: "a subagent is told what to do by its task",
  mcpServers: "servers are granted by the person's own settings",
  mcp_servers: "servers are granted by the person's own settings",
  hooks: "hooks stand in settings, where they are listed and need trust",
  memory: "a subagent keeps nothing of its own",
  background: "whoever starts it says so",
  isolation: "whoever starts it says so",
  effort: "it thinks as much as the session",
  initialPrompt: "a subagent is told what to do by its task",
  temperature: "sampling is the person's own setting",
  top_p: "sampling is the person's own setting",
  timeout_mins: "limits are the person's own settings",
  hidden: "every definition is listed",
  disable: "a definition is switched off by taking its file away",
};

function wordOf(head: Head, ...keys: string[]): string | undefined {
  const found = keys.map((key) => head[key]).find((value) => value !== undefined && value !== null);
  return typeof found === "string" || typeof found === "number" ? String(found).trim() || undefined : undefined;
}

/** Nothing that a person would not see in a list. Listed: a class by its Unicode name costs each start milliseconds. */
const unseen =
  /(?:[\s\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udfff])+/g;
const oneLine = (text: string): string => text.replace(unseen, " ").trim();

function modelOf(head: Head): string | undefined {
  const model = wordOf(head, "model");
  return model === "inherit" || model === "default" ? undefined : model;
}

/** Undefined: all that a subagent may have. */
function toolsOf(head: Head, notes: string[]): string[] | undefined {
  const named = listed(head["tools"]);
  const refused = new Set([
    ...denialKeys.flatMap((key) => listed(head[key])?.map(({ name }) => name) ?? []).flatMap(toolsCalled),
    ...(named ?? []).filter(({ given }) => !given).flatMap(({ name }) => toolsCalled(name)),
    ...deniedBy(head["permission"]),
  ]);
  const given = named?.filter((each) => each.given).map(({ name }) => name);
  for (const name of given ?? []) {
    if (isNarrowed(name)) notes.push(`${name} is taken without what stands in brackets: the gate judges each call`);
    if (toolsCalled(name).length === 0)
      notes.push(`the tool ${name} is ${isKnownElsewhere(name) ? "left out" : "unknown"}`);
  }
  // A mapping says what is taken away of all that there is.
  const all = given === undefined || isMapping(head["tools"]);
  const tools = all ? everyTool : everyTool.filter((each) => given.some((name) => toolsCalled(name).includes(each)));
  const left = tools.filter((each) => !refused.has(each));
  return all && refused.size === 0 ? undefined : left;
}

/** `a, b`, a list of names, or a mapping from a name to whether it is given. */
function listed(value: unknown): { name: string; given: boolean }[] | undefined {
  const named = (name: unknown, given = true) => ({ name: String(name).trim(), given });
  if (typeof value === "string") {
    const names = value.match(/[^\s,()]+(?:\([^)]*\))?/g) ?? [];
    return names.map((name) => named(name));
  }
  if (Array.isArray(value)) return value.map((name) => named(name));
  if (isMapping(value)) {
    return Object.entries(value).map(([name, given]) => named(name, given !== false && given !== "deny"));
  }
  return undefined;
}

const isMapping = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function deniedBy(permission: unknown): string[] {
  if (!isMapping(permission)) return [];
  const denied = Object.entries(permission).filter(([, how]) => how === "deny" || how === false);
  return denied.flatMap(([name]) => (name === "edit" ? ["write", "edit", "apply_patch"] : toolsCalled(name)));
}

const roles: readonly Role[] = ["read-only", "standard", "privileged"];

function roleOf(head: Head, notes: string[]): Role | undefined {
  const mode = wordOf(head, "permissionMode");
  if (mode === "plan") return "read-only";
  if (mode !== undefined && mode !== "default")
    notes.push(`permissionMode ${mode} has no effect: nothing is allowed by a file`);
  const wanted = wordOf(head, "role");
  if (wanted === undefined) return undefined;
  const role = roles.find((each) => each === wanted.toLowerCase());
  if (!role) notes.push(`the role ${wanted} is none of ${roles.join(", ")}`);
  return role;
}

function roundsOf(head: Head, notes: string[]): number | undefined {
  const key = roundKeys.find((each) => head[each] !== undefined && head[each] !== null);
  if (key === undefined) return undefined;
  const rounds = Number(head[key]);
  if (Number.isSafeInteger(rounds) && rounds > 0) return rounds;
  notes.push(`${key} is no whole number above 0`);
  return undefined;
}
