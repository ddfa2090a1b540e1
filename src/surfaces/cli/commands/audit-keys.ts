import { Exit } from "../../../protocol/exit.ts";
import type { Client } from "../../../protocol/client.ts";
import type { Context } from "../host/context.ts";
import { moment } from "../text/amounts.ts";
import { renderPairs } from "../text/table.ts";
import { reports } from "../words/reports.ts";

/** The key that signs; with `rotate`, a new one that the old one vouches for. */
export const showKey = (context: Context, rotate: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const before = rotate ? (await client.read("audit.key", {})).fingerprint : undefined;
    if (rotate) await client.send({ type: "audit.rotate" });
    const key = await client.read("audit.key", {});
    if (context.options.json) context.json({ ...key, ...(before !== undefined && { before }) });
    else {
      if (before !== undefined) context.lines([reports.keyRotated, ""]);
      const pairs: [string, string][] = [
        [reports.fingerprint, key.fingerprint],
        [reports.publicKey, key.publicKey],
        ...(before === undefined ? [] : ([[reports.keyBefore, before]] as [string, string][])),
      ];
      context.lines(renderPairs(pairs, context.look()));
    }
    return Exit.done;
  });

/** Signs what is there, and copies every signature to `to`. */
export const copyCheckpoints = (context: Context, to: string | undefined): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "audit.checkpoint", ...(to !== undefined && { to }) });
    await tell(context, client, to);
    return Exit.done;
  });

async function tell(context: Context, client: Client, to: string | undefined): Promise<void> {
  const view = await client.read("audit.checkpoint", {});
  if (!view) return;
  const place = to === undefined ? undefined : `${to}${to.startsWith("refs/") ? ":" : "/"}${view.copyName}`;
  if (context.options.json) {
    context.json({ ...view, ...(place !== undefined && { copiedTo: place }) });
    return;
  }
  const pairs: [string, string][] = [
    [reports.checkpoint, `${view.seq}, ${moment(view.at)}`],
    [reports.head, view.hash],
    [reports.signer, view.fingerprint],
    ...(place === undefined ? [] : ([[reports.copiedTo, place]] as [string, string][])),
  ];
  context.lines([
    ...renderPairs(pairs, context.look()),
    "",
    place === undefined ? reports.copyHint : reports.againstHint(to ?? ""),
  ]);
}
