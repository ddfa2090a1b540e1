// `fettle trust`: what this repository brings that only you can allow.
import { Exit } from "../../../protocol/exit.ts";
import type { Json } from "../../../protocol/message.ts";
import type { TrustItem, TrustView } from "../../../protocol/query.ts";
import { confirm } from "../host/ask.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { moment } from "../text/amounts.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { phrases } from "../../phrases/phrases.ts";
import { type Define, teach } from "../host/grammar.ts";
import { option } from "../host/options.ts";
import { plural } from "../text/amounts.ts";

export const words = phrases("trust", {
  help: {
    show: "list it, and what has changed since you trusted it",
    accept: "allow exactly what is shown, until it changes",
    revoke: "take the trust back",
  },
  lesson: {
    examples: [
      ["fettle trust", "what the repository brings, and what has changed since you trusted it"],
      ["fettle trust show --json | jq -r .state", "none, new, changed or trusted"],
      ["fettle trust accept", "after a question, exactly what is shown"],
      ["fettle trust revoke", "none of it is in force any more"],
    ],
    exits: [
      ["0", "shown; done"],
      ["1", "accept: you said no"],
      ["2", "accept: nobody there to say yes"],
    ],
  },
  none: "This repository brings nothing that needs trust.",
  state: {
    new: "This repository brings settings that do more than tighten. They are not applied.",
    changed: "What this repository brings has changed since it was trusted. None of it is applied.",
    trusted: "What this repository brings is trusted, and applied.",
  },
  before: (by: string, at: string) => `Trusted before by ${by}, ${at}.`,
  hint: "Accept exactly this with fettle trust accept; any later change asks again.",
  already: "What this repository brings is trusted already.",
  question: (count: number) => `Trust ${plural(count, "item")} of this repository?`,
  needsYes: "Trusting a repository needs a yes.",
  needsYesRemedy: "Give --yes where nobody can answer.",
  accepted: (count: number) => `${plural(count, "item")} trusted. A later change of any of them asks again.`,
  revoked: "What this repository brings is no longer trusted.",
});

export const define: Define = (command, start) => {
  teach(command, words.lesson);
  start(command.command("show").description(words.help.show), showTrust);
  start<{ yes?: true }>(
    command.command("accept").description(words.help.accept).option("-y, --yes", option.yes),
    (context, _words, { yes }) => acceptTrust(context, yes === true),
  );
  start(command.command("revoke").description(words.help.revoke), revokeTrust);
};

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

const showTrust = (context: Context): Promise<number> =>
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
const acceptTrust = (context: Context, yes: boolean): Promise<number> =>
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

const revokeTrust = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "trust.revoke" });
    context.lines([words.revoked]);
    return Exit.done;
  });
