// What the editor's surface needs of the machine and of the command line: streams, clients, and how things are worded.
import type { Action } from "../../protocol/action.ts";
import type { ApprovalRequest } from "../../protocol/approval.ts";
import type { Client } from "../../protocol/client.ts";
import type { ContextView } from "../../protocol/context-view.ts";
import type { Json } from "../../protocol/message.ts";
import type { Event } from "../../protocol/event.ts";
import type { CostView } from "../../protocol/models.ts";
import type { OpenFlags } from "../../protocol/open.ts";
import type { Diff, Result } from "../../protocol/result.ts";

/** The command line's own sentences and cards, without colour: an editor shows the same words as a terminal. */
export interface EditorWords {
  card(request: ApprovalRequest): readonly string[];
  callTitle(tool: string, action: Action | undefined, input: Json | undefined): string;
  result(result: Result): string;
  diff(diff: Diff): readonly string[];
  context(view: ContextView): readonly string[];
  cost(view: CostView): readonly string[];
  /** How a task goes, of one that begins or goes on. */
  task(): TaskWords;
  /** Text that others wrote, without what could steer a terminal or hide something. */
  safe(text: string): string;
}

export interface TaskWords {
  /** It goes on after these, which are told already. */
  goesOn(task: string, before: readonly Event[]): void;
  /** What is to be told of what has happened, a line each. */
  follow(event: Event): readonly string[];
  id(): string;
  /** What came of it, once it has ended or waits; else undefined. */
  end(): string | undefined;
}

export interface EditorHost {
  open(flags: Partial<OpenFlags>): Promise<Client>;
  input: ReadableStream<Uint8Array>;
  output: WritableStream<Uint8Array>;
  version: string;
  /** A line for standard error: standard output belongs to the protocol. */
  log(line: string): void;
  words: EditorWords;
}
