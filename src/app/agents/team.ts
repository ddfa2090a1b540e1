// The subagents that one agent may start, before any is: the tool for them, and the way to those that are started.
import type { Subagents } from "../../engine/agents/subagents.ts";
import type { AgentStart } from "../../engine/calls.ts";
import type { AgentPort } from "../../guard/fence/fence.ts";
import type { AgentFile } from "../../protocol/agent.ts";
import type { Stop } from "../../protocol/event.ts";
import { agentTool } from "../../tools/agent.ts";
import type { AnyTool } from "../../tools/tool.ts";
import type { Below, Lead } from "./lead.ts";
import type { AgentShelf } from "./shelf.ts";

/** Loads next to nothing until the first is started. */
export class Team implements Below {
  readonly tool: AnyTool;
  readonly #shelf: AgentShelf;
  readonly #lost: readonly string[];
  #lead: Lead | undefined;
  #opening: Promise<Subagents> | undefined;
  #opened: Subagents | undefined;

  /** `lost`: names of those that were at work when an earlier process ended. */
  constructor(shelf: AgentShelf, lost: readonly string[] = []) {
    this.#shelf = shelf;
    this.#lost = lost;
    this.tool = agentTool(shelf.outlines);
  }

  /** Words of files that are not fettle's own stand in the tool's description. */
  get foreign(): boolean {
    return this.#shelf.foreign;
  }

  /** The definition files that are not fettle's own. */
  async foreignFiles(): Promise<AgentFile[]> {
    return this.foreign ? (await this.#shelf.library()).files : [];
  }

  leads(lead: Lead): void {
    this.#lead = lead;
  }

  readonly port: AgentPort = async (act) => (await this.open()).act(act);

  async together(starts: readonly AgentStart[]): Promise<() => void> {
    return (await this.open()).together(starts);
  }

  /** Whether the definition, or the subagent of that name, can do nothing but read. */
  reads(name: string): boolean {
    const own = name.slice(name.lastIndexOf(".") + 1).replace(/-\d+$/, "");
    const found = this.#shelf.outlines.filter((each) => each.name === name || each.name === own);
    return found.length > 0 && found.every(({ reads }) => reads);
  }

  /** Whoever was lost is told to the model before anything else. */
  async recall(): Promise<void> {
    if (this.#lost.length > 0) await this.open();
  }

  open(): Promise<Subagents> {
    const lead = this.#lead;
    if (!lead) throw new Error("nobody leads these subagents");
    this.#opening ??= this.#openFor(lead);
    return this.#opening;
  }

  async #openFor(lead: Lead): Promise<Subagents> {
    const [{ subagentsOf }, library] = await Promise.all([import("./spawning.ts"), this.#shelf.library()]);
    this.#opened = subagentsOf(lead, library, { lost: this.#lost, below: () => new Team(this.#shelf) });
    return this.#opened;
  }

  get helpers(): Subagents | undefined {
    return this.#opened;
  }

  /** False when none of that name works. */
  cancel(agent: string | undefined, stop: Stop): boolean {
    return this.#opened?.cancel(agent, stop) ?? false;
  }
}
