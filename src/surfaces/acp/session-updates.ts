// A session's events as the updates that editors draw. Facts tell everything; deltas only tell it sooner.
import { pathToFileURL } from "node:url";
import type { ContentBlock, SessionUpdate, ToolCallContent, ToolCallStatus } from "@agentclientprotocol/sdk";
import { textIn } from "../../base/text-in.ts";
import type { Action } from "../../protocol/action.ts";
import type { ApprovalRequest } from "../../protocol/approval.ts";
import { autonomyNames } from "../../protocol/autonomy.ts";
import type { Event, FactOf, StopKind } from "../../protocol/event.ts";
import type { Json, Part } from "../../protocol/message.ts";
import type { Result } from "../../protocol/result.ts";
import type { EditorWords } from "./editor-host.ts";
import { diffContents, diffLocations, fenced, kindOf, locationsOf, type Places, textContent } from "./tool-call.ts";
import { words } from "./words.ts";

/** What the editor says that it can show or ask. */
export interface EditorFeatures {
  /** Draws a command's output as a terminal that the agent feeds. */
  terminalOutput: boolean;
  notices: boolean;
  compaction: boolean;
  /** Asks the person with a form. */
  forms: boolean;
}

interface UpdateOptions {
  places: Places;
  words: EditorWords;
  features: EditorFeatures;
  /** The subagent whose calls these are. */
  agent?: string;
}

interface Call {
  id: string;
  tool: string;
  action?: Action;
  input?: Json;
  /** The last of what it printed so far, and whether the editor has yet to see it. */
  output: string;
  unseen: boolean;
}

type CallUpdate = Extract<SessionUpdate, { sessionUpdate: "tool_call_update" }>;

const keptOutput = 16_384;

export const modeIdOf = ({ autonomy, ceiling }: Pick<FactOf<"mode.set">, "autonomy" | "ceiling">): string =>
  ceiling === "none" ? autonomyNames[autonomy] : ceiling;

/** The prompt's own answer is an error that says why. */
export const failingStops: ReadonlySet<StopKind> = new Set(["provider", "integrity", "crashed"]);

const isSilent = (kind: StopKind, echo: boolean): boolean =>
  kind === "done" || kind === "interrupted" || (failingStops.has(kind) && !echo);

export class SessionUpdates {
  readonly #options: UpdateOptions;
  readonly #calls = new Map<string, Call>();
  /** Reads that fettle does by itself are told with what it does them for. */
  readonly #silent = new Set<string>();
  readonly #agents = new Map<string, SessionUpdates>();
  #turn = 0;
  #round = 0;
  #compactions = 0;
  /** What the editor has of the round's answer and reasoning. */
  #said = "";
  #thought = "";

  constructor(options: UpdateOptions) {
    this.#options = options;
  }

  /** `echo`: the editor has not typed the prompts itself. */
  follow(event: Event, { echo }: { echo: boolean }): SessionUpdate[] {
    switch (event.type) {
      case "turn.started":
        this.#turn = event.turn;
        this.#calls.clear();
        this.#silent.clear();
        return echo ? this.#prompt(event.prompt) : [];
      case "prompt.joined":
        return echo ? this.#prompt(event.prompt) : [];
      case "round.started":
        this.#round = event.round;
        this.#said = "";
        this.#thought = "";
        return [];
      case "text.delta":
        this.#said += event.text;
        return this.#message("agent_message_chunk", event.text);
      case "reasoning.delta":
        this.#thought += event.text;
        return this.#message("agent_thought_chunk", event.text);
      case "round.ended":
        return this.#roundEnded(event);
      case "todo.set":
        return [
          {
            sessionUpdate: "plan",
            entries: event.items.map(({ text, state }) => ({
              content: this.#options.words.safe(text),
              priority: "medium",
              status: state === "done" ? "completed" : state === "doing" ? "in_progress" : "pending",
            })),
          },
        ];
      case "mode.set":
        return [{ sessionUpdate: "current_mode_update", currentModeId: modeIdOf(event) }];
      case "agent.event":
        return this.#below(event.agent)
          .follow(event.event, { echo: false })
          .filter(({ sessionUpdate }) => sessionUpdate === "tool_call" || sessionUpdate === "tool_call_update");
      case "notice.given":
        return this.notice(event.level, event.text);
      case "context.compacted":
        return this.#compacted(event);
      case "turn.ended":
        return isSilent(event.stop.kind, echo) ? [] : this.#message("agent_message_chunk", `\n\n*${event.stop.text}*`);
      default:
        return this.#call(event);
    }
  }

  /** The id under which the editor knows the call that the request is about. */
  callId({ agent, call }: Pick<ApprovalRequest, "agent" | "call">): string {
    return agent === undefined ? this.#known(call, "").id : this.#below(agent).callId({ call });
  }

  /** What commands have printed since the last time: many small pieces make one update. */
  printed(): SessionUpdate[] {
    const own = [...this.#calls.values()].filter(({ unseen }) => unseen);
    for (const call of own) call.unseen = false;
    return [
      ...own.map((call) => this.#changed(call, "in_progress", [textContent(fenced(call.output))])),
      ...[...this.#agents.values()].flatMap((below) => below.printed()),
    ];
  }

  /** For the person, and no part of the conversation where the editor can tell the two apart. */
  notice(level: "info" | "warning" | "error", text: string): SessionUpdate[] {
    const title = this.#options.words.safe(text);
    if (this.#options.features.notices) return [{ sessionUpdate: "notice", severity: level, title }];
    return level === "info" ? [] : this.#message("agent_message_chunk", `\n\n*${title}*\n\n`);
  }

  #below(agent: string): SessionUpdates {
    const known = this.#agents.get(agent) ?? new SessionUpdates({ ...this.#options, agent });
    this.#agents.set(agent, known);
    return known;
  }

  #message(sessionUpdate: "agent_message_chunk" | "agent_thought_chunk", text: string): SessionUpdate[] {
    const shown = this.#options.words.safe(text);
    if (shown === "") return [];
    const kind = sessionUpdate === "agent_thought_chunk" ? "thought" : "answer";
    return [
      { sessionUpdate, content: { type: "text", text: shown }, messageId: `${kind}-${this.#turn}-${this.#round}` },
    ];
  }

  #prompt(parts: readonly Part[]): SessionUpdate[] {
    const { words, places } = this.#options;
    return parts.map((part): SessionUpdate => {
      const content: ContentBlock =
        part.type === "image"
          ? { type: "image", mimeType: part.mime, data: part.data }
          : part.source === undefined
            ? { type: "text", text: words.safe(part.text) }
            : {
                type: "resource_link",
                name: words.safe(part.source),
                uri: pathToFileURL(`${places.workspace}/${part.source}`).href,
              };
      return { sessionUpdate: "user_message_chunk", content, messageId: `prompt-${this.#turn}` };
    });
  }

  #roundEnded({ content }: FactOf<"round.ended">): SessionUpdate[] {
    const missing = (whole: string, seen: string) =>
      whole.startsWith(seen) ? whole.slice(seen.length) : seen === "" ? whole : "";
    const thought = content.flatMap((part) => (part.type === "reasoning" ? [part.text] : [])).join("\n\n");
    const updates = [
      ...this.#message("agent_thought_chunk", missing(thought, this.#thought)),
      ...this.#message("agent_message_chunk", missing(textIn(content), this.#said)),
    ];
    for (const part of content) {
      if (part.type !== "call") continue;
      const call: Call = { id: this.#idOf(part.id), tool: part.name, input: part.input, output: "", unseen: false };
      this.#calls.set(part.id, call);
      updates.push(this.#announced(call));
    }
    return updates;
  }

  #call(event: Event): SessionUpdate[] {
    if ("call" in event && this.#silent.has(event.call)) return [];
    switch (event.type) {
      case "call.decided":
        return this.#decided(event);
      case "effect.begun": {
        const call = this.#known(event.call, event.tool);
        if (!this.#asTerminal(call)) return [this.#changed(call, "in_progress")];
        const info = { terminal_info: { terminal_id: call.id, cwd: this.#options.places.cwd } };
        return [{ ...this.#changed(call, "in_progress", [{ type: "terminal", terminalId: call.id }]), _meta: info }];
      }
      case "output.delta": {
        const call = this.#known(event.call, "");
        const data = this.#options.words.safe(event.text);
        call.output = (call.output + data).slice(-keptOutput);
        call.unseen = !this.#asTerminal(call);
        if (call.unseen) return [];
        const _meta = { terminal_output: { terminal_id: call.id, data } };
        return [{ sessionUpdate: "tool_call_update", toolCallId: call.id, _meta }];
      }
      case "call.ended":
        return [this.#ended(event)];
      default:
        return [];
    }
  }

  #decided(event: FactOf<"call.decided">): SessionUpdate[] {
    if (event.origin === "fettle" && event.tool === "read") {
      this.#silent.add(event.call);
      return [];
    }
    const before = this.#calls.get(event.call);
    const call: Call = before ?? { id: this.#idOf(event.call), tool: event.tool, output: "", unseen: false };
    this.#calls.set(event.call, call);
    if (event.action) call.action = event.action;
    if (!before) return [this.#announced(call)];
    return [{ ...this.#changed(call, "pending"), ...this.#described(call) }];
  }

  #ended({ call: id, tool, result }: FactOf<"call.ended">): SessionUpdate {
    const call = this.#known(id, tool);
    call.unseen = false;
    const { places } = this.#options;
    const bad =
      result.status !== "done" || (typeof result.params?.["exit"] === "number" && result.params["exit"] !== 0);
    const content = this.#contentOf(call, result);
    const locations = diffLocations(result.diff, places);
    const { status, code, params } = result;
    return {
      ...this.#changed(call, bad ? "failed" : "completed", content),
      ...(locations.length > 0 && { locations }),
      rawOutput: { status, ...(code !== undefined && { code }), ...(params && { params }) },
      ...(this.#asTerminal(call) && {
        _meta: {
          terminal_exit: {
            terminal_id: call.id,
            exit_code: typeof params?.["exit"] === "number" ? params["exit"] : status === "done" ? 0 : null,
            signal: typeof params?.["signal"] === "string" ? params["signal"] : null,
          },
        },
      }),
    };
  }

  #contentOf(call: Call, result: Result): ToolCallContent[] {
    const { words, places } = this.#options;
    const diffs = diffContents(result.diff, places);
    if (diffs.length > 0) return diffs;
    const images = result.parts.flatMap((part): ToolCallContent[] =>
      part.type === "image"
        ? [{ type: "content", content: { type: "image", mimeType: part.mime, data: part.data } }]
        : [],
    );
    const ran = this.#asTerminal(call) && (result.status === "done" || result.status === "failed");
    const text = words.result(result);
    const shown: ToolCallContent[] = ran
      ? [{ type: "terminal", terminalId: call.id }]
      : text === ""
        ? []
        : [textContent(fenced(text))];
    return [...shown, ...images];
  }

  #compacted(event: FactOf<"context.compacted">): SessionUpdate[] {
    this.#compactions += 1;
    const summary = this.#options.words.safe(textIn(event.opening, "\n"));
    if (this.#options.features.compaction)
      return [
        {
          sessionUpdate: "compaction_update",
          compactionId: `compaction-${this.#compactions}`,
          status: "completed",
          summary: [{ type: "text", text: summary }],
        },
      ];
    const text = words.shortened(event.before, event.after);
    return this.#message("agent_thought_chunk", text);
  }

  #idOf(call: string): string {
    const { agent } = this.#options;
    return `${agent === undefined ? "" : `${agent}/`}${this.#turn}/${call}`;
  }

  #known(call: string, tool: string): Call {
    const known = this.#calls.get(call) ?? { id: this.#idOf(call), tool, output: "", unseen: false };
    this.#calls.set(call, known);
    return known;
  }

  #asTerminal({ action }: Call): boolean {
    return this.#options.features.terminalOutput && (action?.kind === "shell" || action?.kind === "program");
  }

  #described(call: Call) {
    const { words, places, agent } = this.#options;
    const title = words.safe(words.callTitle(call.tool, call.action, call.input));
    return {
      title: agent === undefined ? title : `${agent}: ${title}`,
      name: call.tool,
      kind: kindOf(call.action, call.tool),
      locations: locationsOf(call.action, places),
    };
  }

  #announced(call: Call): SessionUpdate {
    return {
      sessionUpdate: "tool_call",
      toolCallId: call.id,
      status: "pending",
      ...this.#described(call),
      ...(call.input !== undefined && { rawInput: call.input }),
    };
  }

  #changed(call: Call, status: ToolCallStatus, content?: ToolCallContent[]): CallUpdate {
    return { sessionUpdate: "tool_call_update", toolCallId: call.id, status, ...(content && { content }) };
  }
}
