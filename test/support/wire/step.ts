// One scripted answer, whatever the wire format.

export interface ScriptedCall {
  id?: string;
  name: string;
  input?: unknown;
  /** Arguments exactly so, for broken JSON. */
  raw?: string;
  /** Google: signature on the call. */
  signature?: string;
}

export interface ScriptedUsage {
  input?: number;
  output?: number;
  cacheRead?: number;
  cacheWrite?: number;
  reasoning?: number;
}

export interface Step {
  say?: string;
  /** The text in exactly these pieces. */
  chunks?: string[];
  reasoning?: string;
  /** Signature, encrypted content or thought signature of the reasoning. */
  signature?: string;
  /** Anthropic: a redacted_thinking block. */
  redacted?: string;
  calls?: ScriptedCall[];
  /** `stop`, `calls`, `length`, `filter`, or the vendor's own word. `none` leaves it out. */
  finish?: string;
  usage?: ScriptedUsage;
  /** An error instead of an answer; `body` defaults to the vendor's error object with `say` as its message. */
  status?: number;
  headers?: Record<string, string>;
  body?: string;
  /** An error object inside the stream, after the text. */
  streamError?: { type: string; message: string };
  /** Reset the connection before any byte, once the reply has begun with nothing in it, or halfway through the stream. */
  drop?: "before" | "begun" | "middle";
  /** End the response properly after half of the stream. */
  cut?: boolean;
  /** Before the first byte. */
  delayMs?: number;
  /** Between frames. */
  frameMs?: number;
  /** Each frame waits for it. */
  gate?: (frame: string) => Promise<void> | undefined;
  /** Never ends the stream. */
  hang?: boolean;
  /** Stops halfway, in the middle of a frame. */
  torn?: boolean;
}

/** A step; or, in short, the words that it says, or what it calls. */
export type Reply = Step | string | ScriptedCall | readonly ScriptedCall[];

export const stepOf = (reply: Reply): Step => {
  if (typeof reply === "string") return { say: reply };
  if (Array.isArray(reply)) return { calls: reply as ScriptedCall[] };
  return "name" in reply ? { calls: [reply] } : (reply as Step);
};

export const call = (name: string, input: unknown, id?: string): ScriptedCall => ({
  name,
  input,
  ...(id !== undefined && { id }),
});
export const shell = (command: string, id?: string): ScriptedCall => call("shell", { command }, id);
export const read = (path: string, id?: string): ScriptedCall => call("read", { path }, id);
export const edit = (path: string, before: string, after: string, id?: string): ScriptedCall =>
  call("edit", { path, old_string: before, new_string: after }, id);
export const write = (path: string, content: string, id?: string): ScriptedCall => call("write", { path, content }, id);

export const pieces = (step: Step): string[] =>
  step.chunks ?? (step.say === undefined || step.say === "" ? [] : (step.say.match(/\s*\S+\s*/g) ?? [step.say]));

export const argumentsOf = (call: ScriptedCall): string => call.raw ?? JSON.stringify(call.input ?? {});

/** Halves, so that adapters must join: never an empty piece. */
export const halves = (text: string): string[] => {
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].filter((part) => part !== "");
};

export const callId = (call: ScriptedCall, index: number, step: number): string =>
  call.id ?? `call_${step}_${index + 1}`;

export const sse = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ""}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
