import { ApproverRole, Role } from "../../../protocol/decision.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { safeLine } from "../text/safe-text.ts";
import { renderTable } from "../text/table.ts";
import { approvals as words } from "../words/approvals.ts";

export const listIdentities = (context: Context): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const rows = await client.read("identity.list", {});
    if (context.options.json) context.json(rows);
    else {
      const head = [words.identity, words.surface, words.runs, words.approves, words.key].map((title) => ({ title }));
      const cells = rows.map((row) => [
        safeLine(row.name) + (row.local ? ` (${words.you})` : ""),
        row.surface,
        row.role,
        row.approver,
        row.here ? row.fingerprint || "-" : words.noKey,
      ]);
      context.lines(renderTable(head, cells, context.look()));
    }
    return Exit.done;
  });

export function addIdentity(
  context: Context,
  given: { name: string; role: string | undefined; approver: string | undefined },
): Promise<number> {
  const role = oneOf(Role.options, given.role);
  const approver = oneOf(ApproverRole.options, given.approver);
  return context.with({ headless: true }, async (client) => {
    await client.send({ type: "identity.add", name: given.name, ...(role && { role }), ...(approver && { approver }) });
    if (context.options.json) context.json(await client.read("identity.list", {}));
    else context.out.line(words.added(safeLine(given.name)));
    return Exit.done;
  });
}

export const removeIdentity = (context: Context, name: string): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    await client.send({ type: "identity.remove", name });
    if (context.options.json) context.json(await client.read("identity.list", {}));
    else context.out.line(words.removed(safeLine(name)));
    return Exit.done;
  });

function oneOf<T extends string>(values: readonly T[], given: string | undefined): T | undefined {
  if (given === undefined) return undefined;
  const found = values.find((value) => value === given);
  if (!found) throw usageFault(words.badRole(given, values));
  return found;
}
