// `fettle mcp serve`: fettle's tools for another agent, over standard input and output.
import type { Identity } from "../../../../protocol/identity.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ServerHost } from "../../../mcp/host.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import { renderApproval } from "../../render/approval.ts";
import { resultText } from "../../render/call.ts";
import { safeText } from "../../text/safe-text.ts";
import { createStyle } from "../../text/style.ts";
import { words } from "./words.ts";

/** Whoever is served is one of the registered identities, or the person at this machine. */
async function identityFor(context: Context, given: string): Promise<Identity> {
  const rows = await context.with({ headless: true }, (client) => client.read("identity.list", {}));
  const row = rows.find(({ name }) => name === given || name === `local:${given}`);
  if (!row) throw usageFault(words.noIdentity(given), words.noIdentityRemedy);
  const { name, surface, role, approver } = row;
  return { name, surface, role, approver };
}

export async function serve(context: Context, { as }: { as?: string }): Promise<number> {
  const { host, interactive, err } = context;
  if (interactive || host.stdin.isTTY === true) throw usageFault(words.terminal, words.terminalRemedy);
  const { serveTools } = await import("../../../mcp/serve.ts");
  const identity = as === undefined ? undefined : await identityFor(context, as);
  const served = { headless: false, served: true, session: { kind: "new" as const } };
  const client = await context.open({ ...served, ...(identity && { identity }) });
  const end = new AbortController();
  let code: number = Exit.done;
  const leave = (by: number) => () => {
    code = by;
    end.abort();
  };
  const releases = [
    host.onSignal("SIGINT", leave(Exit.interrupted)),
    host.onSignal("SIGTERM", leave(Exit.terminated)),
    host.onSignal("SIGHUP", leave(Exit.terminated)),
  ];
  for (const event of ["end", "close", "error"]) host.stdin.on(event, () => end.abort());
  host.stdout.on("error", () => end.abort());
  const look = { style: createStyle({ colour: false, unicode: true }), width: 100 };
  await serveTools(
    {
      client,
      input: host.stdin as unknown as ServerHost["input"],
      output: host.stdout as unknown as ServerHost["output"],
      version: host.version,
      log: (line) => err.line(`fettle mcp serve: ${safeText(line)}`),
      words: {
        card: (request) => renderApproval(request, look, Date.now()),
        result: resultText,
        ...words.served,
      },
    },
    end.signal,
  );
  for (const release of releases) release();
  return code;
}
