// What an editor can choose for a session: the mode, the model and the effort.
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { autonomyNames } from "../../protocol/autonomy.ts";
import type { Client, Command } from "../../protocol/client.ts";
import type { Autonomy } from "../../protocol/decision.ts";
import { efforts } from "../../protocol/effort.ts";
import type { ModelRow } from "../../protocol/models.ts";
import type { SessionView } from "../../protocol/query.ts";
import { badRequest } from "./request-errors.ts";
import { modeIdOf } from "./session-updates.ts";

const modes: readonly { id: string; name: string; description: string }[] = [
  { id: "plan", name: "Plan", description: "Read only: nothing can be changed" },
  { id: "ask", name: "Ask", description: "Every call is asked for, reading too" },
  { id: "cautious", name: "Cautious", description: "Reading runs; every change is asked for" },
  { id: "standard", name: "Standard", description: "What can be taken back runs and is told; the rest is asked for" },
  { id: "trusted", name: "Trusted", description: "Local commits, moves and builds run, too" },
  {
    id: "autonomous",
    name: "Autonomous",
    description: "What is contained and reversible runs; network and publishing are asked for",
  },
  { id: "full", name: "Full", description: "Everything that no limit forbids runs, and is recorded" },
  { id: "deny", name: "Deny", description: "Only what a rule allows runs" },
];

export const modeState = (view: SessionView): SessionModeState => ({
  currentModeId: modeIdOf(view),
  availableModes: modes.map((mode) => ({ ...mode })),
});

export function modeCommand(id: string): Command {
  if (!modes.some((mode) => mode.id === id)) throw badRequest(`There is no mode ${id}.`);
  if (id === "plan" || id === "deny") return { type: "mode.set", ceiling: id };
  const autonomy = autonomyNames.findIndex((name) => name === id) as Autonomy;
  return { type: "mode.set", autonomy, ceiling: "none" };
}

/** What the settings say, where the person has said nothing for this session. */
const unsaid = "configured";

export function configOptions(view: SessionView, models: readonly ModelRow[]): SessionConfigOption[] {
  const { currentModeId } = modeState(view);
  const usable = models.filter(({ status, model }) => status === "ready" || model === view.model);
  const names = [...new Set([view.model, ...usable.map(({ model }) => model), "auto"])].filter((name) => name !== "");
  const known = models.find(({ model }) => model === view.model)?.card?.efforts ?? [];
  const wanted = view.effort?.wanted ?? unsaid;
  return [
    {
      ...{ id: "mode", name: "Mode", category: "mode", type: "select", currentValue: currentModeId },
      options: modes.map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      ...{ id: "model", name: "Model", category: "model", type: "select", currentValue: view.model },
      options: names.map((name) => ({
        value: name,
        name,
        ...(name === "auto" && { description: "The router chooses for each turn" }),
      })),
    },
    ...(known.length === 0
      ? []
      : [
          {
            ...{
              id: "effort",
              name: "Effort",
              category: "thought_level",
              type: "select" as const,
              currentValue: wanted,
            },
            options: [...new Set([wanted, unsaid, ...known])].map((value) => ({
              value,
              name: value === unsaid ? "As configured" : value,
            })),
          },
        ]),
  ];
}

export async function readOptions(client: Client): Promise<SessionConfigOption[]> {
  const [view, models] = await Promise.all([client.read("session.view", {}), client.read("models.list", {})]);
  return configOptions(view, models);
}

/** Only what is offered: neither another model nor a mode of another agent's. */
export function optionCommand(offered: readonly SessionConfigOption[], id: string, value: unknown): Command {
  const option = offered.find((each) => each.id === id);
  if (option?.type !== "select") throw badRequest(`There is no option ${id}.`);
  const values = option.options.flatMap((each) => ("value" in each ? [each.value] : []));
  const chosen = values.find((each) => each === value);
  if (chosen === undefined) throw badRequest(`${option.name} is one of: ${values.join(", ")}.`);
  if (id === "mode") return modeCommand(chosen);
  if (id === "model") return { type: "model.set", model: chosen };
  const effort = efforts.find((each) => each === chosen);
  return { type: "effort.set", ...(effort && { effort }) };
}
