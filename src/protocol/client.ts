// The one way from a surface to the program: send commands, read events, ask questions.
import { z } from "zod";
import { ApprovalAnswer } from "./approval.ts";
import { Autonomy, Ceiling } from "./decision.ts";
import type { Event } from "./event.ts";
import { Part } from "./message.ts";
import type { Answer, Queries } from "./query.ts";

const command = <T extends string, S extends z.ZodRawShape>(type: T, shape: S) =>
  z.object({ type: z.literal(type), ...shape });

export const Command = z.discriminatedUnion("type", [
  /** Starts a turn; while one runs, the prompt joins its next round. */
  command("prompt.send", { prompt: z.array(Part).min(1) }),
  /** The person's own `!command`: same gate, the person's role. Its output joins the conversation. */
  command("shell.send", { command: z.string() }),
  /** Goes on with a turn that a crash interrupted (`SessionView.interrupted`); a Fault when there is none. */
  command("turn.resume", {}),
  command("turn.stop", {}),
  command("turn.review", { turn: z.number().int(), keep: z.boolean() }),
  command("approval.answer", { nonce: z.string(), answer: ApprovalAnswer }),
  command("question.answer", { call: z.string(), answer: z.string() }),
  command("model.set", { model: z.string() }),
  command("mode.set", { autonomy: Autonomy.optional(), ceiling: Ceiling.optional() }),
  /** To before turn `turn`. `force` also overwrites files that others changed since. */
  command("session.rewind", {
    turn: z.number().int(),
    conversation: z.boolean(),
    files: z.boolean(),
    force: z.boolean(),
  }),
  command("session.clear", {}),
  /** The person has seen what came in and trusts the session again; nobody else can say so. */
  command("taint.clear", {}),
  command("session.delete", { session: z.string() }),
  command("config.set", { key: z.string(), value: z.string(), layer: z.enum(["user", "project"]) }),
  command("login.set", { provider: z.string(), secret: z.string(), plainFile: z.boolean() }),
  command("login.remove", { provider: z.string() }),
]);
export type Command = z.infer<typeof Command>;

export interface Client {
  /** Resolves when the command is accepted (its consequences are events); rejects with a Fault. */
  send(command: Command): Promise<void>;
  /** The session's events from after fact `after` (0: all), then live ones, until the client is closed. */
  events(after?: number): AsyncIterable<Event>;
  /** Answers from state, never acts. Rejects with a Fault. */
  read<K extends keyof Queries>(kind: K, args: Queries[K]): Promise<Answer<K>>;
  /** Graceful shutdown: refuse intake, deny pending, wait, kill, seal the ledger, close. */
  close(): Promise<void>;
}
