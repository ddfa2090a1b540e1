// `/rewind` with nothing behind it: the turns, and what would come back of the files before each.
import { nearest } from "../../../base/fuzzy.ts";
import { renderRewind } from "../commands/rewind.ts";
import { age } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Console } from "../terminal/console.ts";
import type { SlashHost } from "./slash-host.ts";
import { words } from "./panel-words.ts";

/** The turn that is chosen. */
export async function turnsPanel(host: SlashHost, pick: NonNullable<Console["pick"]>): Promise<number | undefined> {
  const { client, console, signal } = host;
  const { turns } = await client.read("session.view", {});
  // The card itself shows what would come back.
  if (turns.length < 2) return turns[0]?.turn;
  const rows = turns.toReversed().map(({ turn, prompt, startedAt }) => ({
    value: String(turn),
    label: `${turn}  ${safeLine(prompt).slice(0, 300)}`,
    what: age(startedAt, Date.now()),
  }));
  const picked = await pick(
    {
      title: words.turns,
      hint: words.turnsHint,
      nothing: words.nothing,
      items: async (query) => (query === "" ? rows : nearest(rows, query, ({ label }) => label, rows.length)),
      preview: async (turn, width) => {
        const preview = await client.read("rewind.preview", { turn: Number(turn) });
        return renderRewind(preview, { files: true, conversation: true, force: false }, { ...console.look, width });
      },
    },
    signal,
  );
  return picked && Number(picked.value);
}
