// A governed task in an editor: a session of its own, which tells and asks within the session that it was begun in.
import { type AgentContext, RequestError, type SessionUpdate } from "@agentclientprotocol/sdk";
import type { Client, Command } from "../../protocol/client.ts";
import type { EditorHost } from "./editor-host.ts";
import { PersonQuestions } from "./person-questions.ts";
import { storedFacts } from "./session-feed.ts";
import { type EditorFeatures, SessionUpdates } from "./session-updates.ts";
import type { Places } from "./tool-call.ts";
import { words as said } from "./words.ts";

interface TaskParts {
  host: EditorHost;
  peer: AgentContext;
  features: EditorFeatures;
  places: Places;
  /** The editor's session, and who answers for it: what it has chosen holds for the task, too. */
  session: string;
  within: Client;
  send(update: SessionUpdate): Promise<void>;
  say(text: string): Promise<void>;
}

const internal = -32603;
/** The editor has calls of its session by the same names. */
const agent = "task";

export class EditorTask {
  readonly #parts: TaskParts;
  #client: Client | undefined;
  #left = false;

  constructor(parts: TaskParts) {
    this.#parts = parts;
  }

  /** From the command to where the task ends, waits or is left. Rejects with what ended it. */
  async run(start: Command): Promise<void> {
    const { host, within, say } = this.#parts;
    const { incognito, cwd, autonomy, ceiling, role, model } = await within.read("session.view", {});
    if (incognito) return say(said.taskNotIncognito);
    const chosen = { cwd, autonomy, ceiling, role, ...(model !== "" && { model }) };
    const client = await host.open({ headless: false, attended: true, session: { kind: "new" }, ...chosen });
    this.#client = client;
    const updates = new SessionUpdates({ ...this.#parts, words: host.words, agent });
    const questions = new PersonQuestions({
      ...{ session: this.#parts.session, client, peer: this.#parts.peer, places: this.#parts.places },
      ...{ words: host.words, forms: this.#parts.features.forms, log: (line: string) => host.log(line) },
      callId: (call) => updates.callId(call),
    });
    try {
      if (!this.#left) await this.#follow(start, { client, updates, questions });
    } finally {
      questions.abandon();
      await client.close();
    }
  }

  /** The task stays where it is; somebody goes on with it another time. */
  async later(): Promise<void> {
    this.#left = true;
    await this.#client?.close();
  }

  async #follow(
    start: Command,
    { client, updates, questions }: { client: Client; updates: SessionUpdates; questions: PersonQuestions },
  ): Promise<void> {
    const { host, send, say } = this.#parts;
    const told = host.words.task();
    const before = start.type === "task.resume" ? await this.#before(start.task, client) : undefined;
    if (before) told.goesOn(before.id, before.facts);
    const events = client.events(before?.facts.length)[Symbol.asyncIterator]();
    let next = events.next();
    await client.send(start);
    for (;;) {
      const { done, value } = await next;
      if (done) return say(said.taskLeft(told.id()));
      next = events.next();
      if (value.type === "session.failed") throw new RequestError(internal, value.text, { code: value.code });
      for (const update of updates.follow(value, { echo: false }))
        if (update.sessionUpdate === "tool_call" || update.sessionUpdate === "tool_call_update") await send(update);
      const lines = told.follow(value);
      if (lines.length > 0) await say(`${lines.join("  \n")}\n\n`);
      questions.follow(value, true);
      const end = told.end();
      if (end !== undefined) return say(this.#left ? said.taskLeft(told.id()) : end);
    }
  }

  async #before(task: string, client: Client) {
    const { id, session } = await client.read("task.show", { task });
    return { id, facts: await storedFacts(client, session) };
  }
}
