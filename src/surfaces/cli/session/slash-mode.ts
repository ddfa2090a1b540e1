// `/mode`, `/role`, `/strategy` and `/effort`: what there is, with what is in force marked, or a change to another.
import { efforts } from "../../../protocol/efforts.ts";
import { strategyNames } from "../../../protocol/router.ts";
import { modeName, parseMode, parseRole } from "../host/flags.ts";
import type { Look } from "../text/style.ts";
import { padEnd, wrap } from "../text/width.ts";
import { interactive as words } from "../words/interactive.ts";
import { modes } from "../words/modes.ts";
import type { SlashHost } from "./slash-host.ts";

type Rows = readonly (readonly [name: string, what: string])[];

function list(rows: Rows, chosen: readonly string[], { style, width }: Look): string[] {
  const widest = Math.max(...rows.map(([name]) => name.length));
  return rows.flatMap(([name, what]) => {
    const is = chosen.includes(name);
    const mark = is ? style.green(style.symbols.done) : " ";
    return wrap(what, width - widest - 4).map((line, at) =>
      at === 0
        ? `${mark} ${(is ? style.bold : style.cyan)(padEnd(name, widest))}  ${style.dim(line)}`
        : `${" ".repeat(widest + 4)}${style.dim(line)}`,
    );
  });
}

export async function mode({ client, console, state }: SlashHost, argument: string): Promise<void> {
  if (argument === "") {
    const chosen = modeName(state.autonomy, state.ceiling).split(", ");
    console.print(["", ...list(modes.mode, chosen, console.look)]);
    return;
  }
  const wanted = parseMode(argument);
  if (!wanted) console.print([words.usage(`/mode ${words.modeUsage}`)]);
  else await client.send({ type: "mode.set", ...wanted });
}

export async function role({ client, console }: SlashHost, argument: string): Promise<void> {
  if (argument === "") {
    const { role: own } = await client.read("session.view", {});
    console.print(["", ...list(modes.role, [own], console.look)]);
    return;
  }
  const wanted = parseRole(argument);
  if (!wanted) console.print([words.usage(`/role ${words.roleUsage}`)]);
  else await client.send({ type: "mode.set", role: wanted });
}

export async function strategy({ client, console, state }: SlashHost, argument: string): Promise<void> {
  const named = strategyNames.find((name) => name === argument);
  if (argument === "") {
    const { strategy: own = "auto" } = await client.read("session.view", {});
    const pinned = state.model.includes("/") ? wrap(modes.pinned(state.model), console.look.width) : [];
    console.print(["", ...list(modes.strategy, [own], console.look), ...pinned.map(console.look.style.yellow)]);
  } else if (named || argument === "auto")
    await client.send({ type: "strategy.set", ...(named && { strategy: named }) });
  else console.print([words.usage(`/strategy ${[...strategyNames, "auto"].join(" | ")}`)]);
}

/** What is wanted is marked; a model that knows no such level is asked for the nearest one, and a line says so. */
export async function effort({ client, console }: SlashHost, argument: string): Promise<void> {
  const wanted = efforts.find((level) => level === argument.toLowerCase());
  if (argument === "") {
    const { effort: own } = await client.read("session.view", {});
    const { style, width } = console.look;
    const sent =
      own && own.sent !== undefined && own.sent !== own.wanted ? wrap(modes.effortSent(own.sent), width) : [];
    console.print(["", ...list(modes.effort, [own?.wanted ?? "auto"], console.look), ...sent.map(style.yellow)]);
  } else if (wanted || argument === "auto")
    await client.send({ type: "effort.set", ...(wanted && { effort: wanted }) });
  else console.print(wrap(words.badEffort(argument, [...efforts, "auto"]), console.look.width));
}
