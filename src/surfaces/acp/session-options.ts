// What an editor can choose for a session: the mode, the model and the effort.
import type { SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { autonomyNames } from "../../protocol/autonomy.ts";
import type { Client, Command } from "../../protocol/client.ts";
import type { Autonomy } from "../../protocol/decision.ts";
import { efforts } from "../../protocol/efforts.ts";
import type { ModelRow } from "../../protocol/models.ts";
import type { SessionView } from "../../protocol/query.ts";
import { badRequest } from "./request-errors.ts";
import { modeIdOf } from "./session-updates.ts";
import { words } from "./words.ts";

const modeIds = ["plan", "ask", "cautious", "standard", "trusted", "autonomous", "full", "deny"] as const;

const modes = (): { id: string; name: string; description: string }[] =>
  modeIds.map((id) => ({ id, name: words.modes[id][0], description: words.modes[id][1] }));

export const modeState = (view: SessionView): SessionModeState => ({
  currentModeId: modeIdOf(view),
  availableModes: modes(),
});

export function modeCommand(id: string): Command {
  if (!modeIds.some((mode) => mode === id)) throw badRequest(`There is no mode ${id}.`);
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
      ...{ id: "mode", name: words.mode, category: "mode", type: "select", currentValue: currentModeId },
      options: modes().map(({ id, name, description }) => ({ value: id, name, description })),
    },
    {
      ...{ id: "model", name: words.model, category: "model", type: "select", currentValue: view.model },
      options: names.map((name) => ({
        value: name,
        name,
        ...(name === "auto" && { description: words.routed }),
      })),
    },
    ...(known.length === 0
      ? []
      : [
          {
            ...{
              id: "effort",
              name: words.effort,
              category: "thought_level",
              type: "select" as const,
              currentValue: wanted,
            },
            options: [...new Set([wanted, unsaid, ...known])].map((value) => ({
              value,
              name: value === unsaid ? words.asConfigured : value,
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
