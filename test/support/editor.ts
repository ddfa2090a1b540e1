// An editor, as far as the protocol goes: the official SDK's client side around a real `fettle acp`.
import { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  client,
  type ClientCapabilities,
  type ClientConnection,
  type ClientContext,
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionNotification,
  type SessionUpdate,
} from "@agentclientprotocol/sdk";
import type { Started } from "./program.ts";

export interface EditorOptions {
  capabilities?: ClientCapabilities;
  /** By default: the first option of its kind that is offered. */
  permission?: (request: RequestPermissionRequest, signal: AbortSignal) => Promise<RequestPermissionResponse>;
  elicitation?: (request: CreateElicitationRequest) => CreateElicitationResponse;
}

export interface EditorProcess {
  agent: ClientContext;
  connection: ClientConnection;
  started: Started;
  updates: SessionNotification[];
  permissions: RequestPermissionRequest[];
  /** Every message as it came, in order. */
  lines(): Record<string, unknown>[];
  of<K extends SessionUpdate["sessionUpdate"]>(kind: K): Extract<SessionUpdate, { sessionUpdate: K }>[];
  /** The text of all chunks of a kind. */
  said(kind?: "agent_message_chunk" | "agent_thought_chunk" | "user_message_chunk"): string;
  until(what: () => boolean): Promise<void>;
  /** As if it were closed: resolves with the exit code. */
  leave(): Promise<number | null>;
}

export const select = (optionId: string): RequestPermissionResponse => ({ outcome: { outcome: "selected", optionId } });

/** Initialized already. */
export async function editorOf(started: Started, options: EditorOptions = {}): Promise<EditorProcess> {
  const updates: SessionNotification[] = [];
  const permissions: RequestPermissionRequest[] = [];
  const app = client({ name: "test-editor" })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      permissions.push(params);
      return options.permission?.(params, signal) ?? select("approve");
    })
    .onRequest(
      methods.client.elicitation.create,
      ({ params }) => options.elicitation?.(params) ?? { action: "decline" },
    )
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params));
  const { stdin, stdout } = started.child;
  if (!stdin || !stdout) throw new Error("the program has no streams");
  const input = Readable.toWeb(
    stdout.pipe(new (await import("node:stream")).PassThrough()),
  ) as ReadableStream<Uint8Array>;
  const connection = app.connect(ndJsonStream(Writable.toWeb(stdin) as WritableStream<Uint8Array>, input));
  const { agent } = connection;
  await agent.request(methods.agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: options.capabilities ?? {},
    clientInfo: { name: "test-editor", version: "1" },
  });
  const of: EditorProcess["of"] = (kind) =>
    updates.map(({ update }) => update).filter((update): update is never => update.sessionUpdate === kind);
  return {
    ...{ agent, connection, started, updates, permissions, of },
    lines: () =>
      started
        .stdout()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>),
    said: (kind = "agent_message_chunk") =>
      of(kind)
        .map(({ content }) => (content.type === "text" ? content.text : `<${content.type}>`))
        .join(""),
    async until(what) {
      for (let tries = 0; tries < 1500; tries++) {
        if (what()) return;
        if (started.child.exitCode !== null) break;
        await sleep(20);
      }
      throw new Error(`it never came\n${started.stdout()}\n${started.stderr()}`);
    },
    async leave() {
      stdin.end();
      return (await started.exited).code;
    },
  };
}
