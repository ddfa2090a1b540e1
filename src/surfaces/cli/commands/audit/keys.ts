import { Exit } from "../../../../protocol/exit.ts";
import type { Client } from "../../../../protocol/client.ts";
import type { Context } from "../../host/context.ts";
import { moment } from "../../text/amounts.ts";
import { renderPairs } from "../../text/table.ts";
import { phrases } from "../../../phrases/phrases.ts";

export const words = phrases("auditKeys", {
  againstHint: (place: string) => `Compare later with: fettle audit verify --against ${place}`,
  checkpoint: "checkpoint",
  copiedTo: "copied to",
  copyHint: "Copy it to another machine with --to: only then is the record safe from the owner of the key.",
  fingerprint: "fingerprint",
  head: "head",
  keyBefore: "before it",
  keyRotated: "A new key signs from now on; the old one has signed that it follows, and is forgotten.",
  publicKey: "public key",
  signer: "signer",
});

/** The key that signs; with `rotate`, a new one that the old one vouches for. */
export const showKey = (context: Context, rotate: boolean): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const before = rotate ? (await client.read("audit.key", {})).fingerprint : undefined;
    if (rotate) await client.send({ type: "audit.rotate" });
    const key = await client.read("audit.key", {});
    if (context.options.json) context.json({ ...key, ...(before !== undefined && { before }) });
    else {
      if (before !== undefined) context.lines([words.keyRotated, ""]);
      const pairs: [string, string][] = [
        [words.fingerprint, key.fingerprint],
        [words.publicKey, key.publicKey],
        ...(before === undefined ? [] : ([[words.keyBefore, before]] as [string, string][])),
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
    [words.checkpoint, `${view.seq}, ${moment(view.at)}`],
    [words.head, view.hash],
    [words.signer, view.fingerprint],
    ...(place === undefined ? [] : ([[words.copiedTo, place]] as [string, string][])),
  ];
  context.lines([
    ...renderPairs(pairs, context.look()),
    "",
    place === undefined ? words.copyHint : words.againstHint(to ?? ""),
  ]);
}
