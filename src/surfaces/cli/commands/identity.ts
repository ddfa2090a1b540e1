// `fettle identity`: who can answer besides you.
import { ApproverRole, Role } from "../../../protocol/decision.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { Context } from "../host/context.ts";
import { usageFault } from "../host/failure.ts";
import { safeLine } from "../text/safe-text.ts";
import { renderTable } from "../text/table.ts";
import { phrases } from "../../phrases/phrases.ts";
import { type Define, teach } from "../host/grammar.ts";

export const words = phrases("identity", {
  help: {
    role: "as caller: read-only, standard, privileged, admin",
    approver: "may approve as developer, senior, architect, admin",
    list: "everybody who may ask or answer",
    add: "make a key for an identity: bob, token:ci, telegram:42",
    remove: "remove an identity and its key",
  },
  lesson: {
    examples: [
      ["fettle identity list", "who may run and approve what, and whose key is here"],
      ["fettle identity add bob --approver senior", "bob may approve what needs a senior"],
      ["fettle approve 3f2a --as bob", "in his name, with his key"],
      ["fettle identity remove token:ci", "and its key"],
    ],
    exits: [
      ["0", "shown; done"],
      ["2", "no such identity, or no such role"],
    ],
  },
  identity: "identity",
  surface: "from",
  runs: "as caller",
  approves: "may approve as",
  key: "key",
  you: "you",
  noKey: "no key here",
  added: (name: string) => `${name} can answer now: fettle approve ID --as ${name}`,
  removed: (name: string) => `${name} is removed; its answers count no more.`,
  badRole: (value: string, roles: readonly string[]) => `'${value}' is no role; use ${roles.join(", ")}.`,
});

export const define: Define = (command, start) => {
  teach(command, words.lesson);
  start(command.command("list").description(words.help.list), listIdentities);
  start<{ role?: string; approver?: string }>(
    command
      .command("add <name>")
      .description(words.help.add)
      .option("--role <role>", words.help.role)
      .option("--approver <role>", words.help.approver),
    (context, [name = ""], { role, approver }) => addIdentity(context, { name, role, approver }),
  );
  start(command.command("remove <name>").description(words.help.remove), (context, [name = ""]) =>
    removeIdentity(context, name),
  );
};

const listIdentities = (context: Context): Promise<number> =>
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

function addIdentity(
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

const removeIdentity = (context: Context, name: string): Promise<number> =>
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
