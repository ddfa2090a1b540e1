// `/grants`: what has been allowed for longer than one call, and taking it back.
import type { SessionGrant } from "../../../protocol/approval.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";
import { hardWrap, wrap } from "../text/width.ts";
import { interactive as words } from "../words/interactive.ts";
import type { SlashHost } from "./slash-host.ts";

export async function grants({ client, console }: SlashHost, argument: string): Promise<void> {
  const drop = /^drop\s+(all|\d+)$/.exec(argument)?.[1];
  if (argument !== "" && drop === undefined) {
    console.print([words.usage("/grants [drop NUMBER | drop all]")]);
    return;
  }
  const rows = await client.read("session.grants", {});
  if (drop === undefined || rows.length === 0) {
    console.print(["", ...renderGrants(rows, console.look)]);
    return;
  }
  await client.send({ type: "grant.revoke", ...(drop !== "all" && { id: Number(drop) }) });
  console.print([words.grantsDropped(drop === "all" ? rows.length : 1)]);
}

function renderGrants(rows: readonly SessionGrant[], look: Look): string[] {
  const { style, width } = look;
  if (rows.length === 0) return wrap(words.noGrants, width);
  const lines = rows.flatMap(({ id, kind, text, within, file, agent, by }) => {
    const more = [
      words.grantKinds[kind],
      ...(within === undefined ? [] : [words.grantWithin(safeLine(within))]),
      ...(file === undefined ? [] : [words.grantFile(safeLine(file))]),
      ...(agent === undefined ? [] : [words.grantFor(safeLine(agent))]),
      safeLine(by),
    ];
    return [
      ...hardWrap(safeLine(text), width - 4).map(
        (line, at) => `${String(at === 0 ? id : "").padStart(2)}  ${style.bold(line)}`,
      ),
      ...wrap(more.join("; "), width - 4).map((line) => `    ${style.dim(line)}`),
    ];
  });
  return [...lines, ...wrap(style.dim(words.grantsHow), width)];
}
