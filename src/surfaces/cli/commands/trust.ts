import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { TrustItem, TrustView } from "../../../protocol/query.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { moment } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { trust as words } from "../words/trust.ts";

const textOf = ({ what, value }: TrustItem): string => safeLine(`${what} = ${valueText(value)}`);
const valueText = (value: Json): string => (typeof value === "string" ? value : JSON.stringify(value));

/** What needs trust, as a diff against what was trusted before. */
function renderTrust(view: TrustView, look: Look): string[] {
  const { style } = look;
  if (view.state === "none") return [words.none];
  const known = new Set((view.before?.items ?? []).map(textOf));
  const now = new Set(view.items.map(textOf));
  const lines = view.items.map((item) => {
    const text = textOf(item);
    const line = `${text}  ${style.dim(safeLine(item.place))}`;
    return known.has(text) ? `  ${line}` : style.green(`+ ${text}`) + `  ${style.dim(safeLine(item.place))}`;
  });
  const gone = [...known].filter((text) => !now.has(text)).map((text) => style.red(`- ${text}`));
  const when = view.before && [style.dim(words.before(safeLine(view.before.by), moment(view.before.at)))];
  return [style.bold(words.state[view.state]), ...(when ?? []), "", ...lines, ...gone];
}

export const showTrust = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("trust.show", {});
    if (context.options.json) context.json(view);
    else {
      const hint = view.state === "new" || view.state === "changed" ? ["", words.hint] : [];
      context.lines([...renderTrust(view, context.look()), ...hint]);
    }
    return Exit.done;
  });

/** Shows the set, asks, and accepts exactly that. */
export const acceptTrust = (context: Context, yes: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const view = await client.read("trust.show", {});
    if (view.state === "none" || view.state === "trusted") {
      context.lines([view.state === "none" ? words.none : words.already]);
      return Exit.done;
    }
    if (!yes) {
      context.lines([...renderTrust(view, context.look()), ""]);
      if (!context.interactive) throw usageFault(words.needsYes, words.needsYesRemedy);
      if (!(await confirm(context, words.question(view.items.length)))) return Exit.failed;
    }
    await client.send({ type: "trust.accept", digest: view.digest });
    context.lines([words.accepted(view.items.length)]);
    return Exit.done;
  });

export const revokeTrust = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "trust.revoke" });
    context.lines([words.revoked]);
    return Exit.done;
  });
