// The last line of a session that was asked to end.
import type { SessionView } from "../../../protocol/query.ts";
import type { Context } from "../host/context.ts";
import { general } from "../words/general.ts";

export function tellKept({ err }: Context, { id, incognito }: SessionView): void {
  if (!incognito) err.line(general.kept(`fettle --resume ${id}`));
}
