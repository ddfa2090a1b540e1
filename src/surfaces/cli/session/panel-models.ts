// `/model` with nothing behind it: the models, with what they cost and can.
import { nearest } from "../../../base/fuzzy.ts";
import { priceText, renderModels } from "../commands/models/list.ts";
import { count } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Console } from "../terminal/console.ts";
import type { SlashHost } from "./slash-host.ts";
import { words } from "./panel-words.ts";

export async function modelsPanel(host: SlashHost, pick: NonNullable<Console["pick"]>): Promise<void> {
  const { client, console, state, signal } = host;
  const all = (await client.read("models.list", {})).filter(({ unset }) => !unset);
  // The one in use is there in any case, whatever is known of it.
  const ready = all.filter(({ status, model }) => status === "ready" || status === "found" || model === state.model);
  const unlisted = state.model !== "" && !ready.some(({ model }) => model === state.model);
  const rows = [
    { value: "auto", label: "auto", what: words.autoModel },
    ...(unlisted ? [{ value: state.model, label: safeLine(state.model), what: words.current }] : []),
    ...ready.map(({ model, card }) => ({
      value: model,
      label: safeLine(model),
      what: [
        ...(model === state.model ? [words.current] : []),
        ...(card ? [priceText(card.price), words.windowOf(count(card.contextTokens))] : []),
      ].join(", "),
    })),
  ];
  const picked = await pick(
    {
      title: words.models,
      hint: words.modelsHint,
      nothing: words.nothing,
      items: async (query) => (query === "" ? rows : nearest(rows, query, ({ label }) => label, rows.length)),
      preview: async (model) =>
        renderModels(
          all.filter((row) => row.model === model),
          console.look,
          { current: state.model, all: true },
        ),
      selected: state.model,
    },
    signal,
  );
  if (picked) await client.send({ type: "model.set", model: picked.value });
}
