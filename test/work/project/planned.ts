// A project whose first phase is discussed and planned, with the agents that do it well, and others in their place.
import { expect } from "vitest";
import type { Json } from "../../../src/protocol/message.ts";
import { type AgentScript, goodAgents } from "../../scenarios/project-agents.ts";
import { ScriptedProject } from "./scripted-world.ts";

let begun: Readonly<Record<string, string>> | undefined;

export async function plannedProject(
  more: Readonly<Record<string, AgentScript>> = {},
  settings: Readonly<Record<string, Json>> = {},
): Promise<ScriptedProject> {
  if (!begun) {
    const first = new ScriptedProject(goodAgents);
    first.config({});
    for (const [step, words] of [
      ["new", ["@idea.md"]],
      ["discuss", ["1"]],
      ["plan", ["1"]],
    ] as const)
      expect((await first.run(step, [...words], { auto: true })).exit ?? 0, step).toBe(0);
    begun = Object.fromEntries(first.texts);
  }
  const made = new ScriptedProject({ ...goodAgents, ...more }, begun);
  made.config(settings);
  return made;
}
