// What fettle knows, for another agent to read: sessions, tasks, the record, and what the gate says of a command.
import type { CallToolResult, Resource, Tool } from "@modelcontextprotocol/server";
import type { Client } from "../../protocol/client.ts";
import type { Json } from "../../protocol/message.ts";

const most = 50;

interface RecordKind {
  tool: string;
  uri: string;
  about: string;
  list(client: Client): Promise<unknown>;
  /** Absent: there is one of it. */
  show?(client: Client, id: string): Promise<unknown>;
}

const kinds: readonly RecordKind[] = [
  {
    ...{ tool: "fettle_sessions", uri: "fettle://sessions", about: "sessions of this project, newest first" },
    list: (client) => client.read("session.list", { limit: most }),
    show: (client, session) => client.read("session.show", { session }),
  },
  {
    ...{ tool: "fettle_tasks", uri: "fettle://tasks", about: "governed tasks of this project, newest first" },
    list: (client) => client.read("task.list", { limit: most }),
    show: (client, task) => client.read("task.show", { task }),
  },
  {
    ...{ tool: "fettle_audit", uri: "fettle://audit", about: "whether the signed record of what was done is whole" },
    list: (client) => client.read("audit.verify", {}),
  },
];

const properties = (of: RecordKind) =>
  of.show ? { id: { type: "string" as const, description: "one of them, in full; without: the list" } } : {};

export const recordTools: readonly Tool[] = [
  ...kinds.map((kind) => ({
    name: kind.tool,
    description: `Read the ${kind.about}.`,
    inputSchema: { type: "object" as const, properties: properties(kind) },
    annotations: { readOnlyHint: true, openWorldHint: false },
  })),
  {
    name: "fettle_explain",
    description: "Say what fettle's gate decides of a shell command, and why. Nothing is run.",
    inputSchema: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
];

export const recordResources: readonly Resource[] = kinds.map(({ uri, about }) => ({
  ...{ uri, name: uri.slice("fettle://".length), description: about, mimeType: "application/json" },
}));

export const recordTemplates = kinds.flatMap(({ uri, about, show }) =>
  show ? [{ uriTemplate: `${uri}/{id}`, name: uri.slice("fettle://".length), description: `one of the ${about}` }] : [],
);

const textOf = (value: unknown): string => JSON.stringify(value, null, 1);

/** Undefined for another tool. Rejects with a Fault. */
export async function recordCall(client: Client, name: string, input: Json): Promise<CallToolResult | undefined> {
  const given = typeof input === "object" && input !== null && !Array.isArray(input) ? input : {};
  const said = (value: unknown): CallToolResult => ({ content: [{ type: "text", text: textOf(value) }] });
  if (name === "fettle_explain") return said(await client.read("gate.explain", { command: String(given["command"]) }));
  const kind = kinds.find(({ tool }) => tool === name);
  if (!kind) return undefined;
  const id = given["id"];
  return said(await (typeof id === "string" && kind.show ? kind.show(client, id) : kind.list(client)));
}

/** Undefined where there is no such resource. Rejects with a Fault. */
export async function recordText(client: Client, uri: string): Promise<string | undefined> {
  const kind = kinds.find((each) => uri === each.uri || uri.startsWith(`${each.uri}/`));
  if (!kind) return undefined;
  if (uri === kind.uri) return textOf(await kind.list(client));
  return kind.show && textOf(await kind.show(client, decodeURIComponent(uri.slice(kind.uri.length + 1))));
}
