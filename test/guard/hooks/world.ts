// Real hooks behind the real gate: scripts in a folder of their own, a ledger in memory that says what was recorded.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { SessionHooks } from "../../../src/app/session/hooks.ts";
import { createGate } from "../../../src/guard/gate.ts";
import { fixedContext } from "../../../src/guard/explain.ts";
import type { FenceWorld } from "../../../src/guard/fence/fence.ts";
import type { SessionFacts } from "../../../src/guard/contract/ports.ts";
import type { HookSettings } from "../../../src/io/config/setting-kinds.ts";
import { detectSandbox } from "../../../src/io/sandbox/sandbox.ts";
import { Jobs } from "../../../src/io/process/jobs.ts";
import type { GateCall } from "../../../src/protocol/action.ts";
import type { Fact } from "../../../src/protocol/event.ts";
import type { Json } from "../../../src/protocol/message.ts";
import { textResult } from "../../../src/protocol/outcome.ts";
import { openWorld } from "../world.ts";

export const hookOf = (command: string, more: Partial<HookSettings> = {}): HookSettings => ({
  ...{ name: "one", event: "before_tool", command, timeout_secs: 10, home_read: false, hosts: [] },
  ...{ deciding: true, dialect: "fettle", origin: "user", place: "test" },
  ...more,
});

export function openHooks(
  hooks: HookSettings[],
  options: { sandboxEnabled?: boolean; network?: FenceWorld["network"] } = {},
) {
  const world = openWorld({ sandboxEnabled: options.sandboxEnabled ?? true });
  const { sandboxEnabled: enabled = true } = options;
  const sandbox = detectSandbox({ enabled, cacheFolder: path.join(world.root, "cache"), home: world.home });
  const facts: Fact[] = [];
  const recorded: { kind: string; [key: string]: unknown }[] = [];
  let seq = 0;
  const entry = (kind: string, act: object) => {
    recorded.push({ kind, ...act });
    seq += 1;
    return { seq, hash: String(seq) };
  };
  const gate = {
    facts: world.facts,
    firewall: world.firewall,
    ledger: {
      begin: (act: object) => entry("begin", act),
      end: (of: object, outcome: object) => void entry("end", { of, ...outcome }),
      deny: (act: object) => void entry("deny", act),
      note: (name: string, data: object) => void entry("note", { name, data }),
      receipt: () => ({ seq: 0, hash: "" }),
    } as never,
    clock: Date.now,
    approvalTimeoutMs: () => 1000,
    preview: () => Promise.resolve(undefined),
    random: () => "0011223344556677",
  };
  const fenceWorld: FenceWorld = {
    ...{ workspace: world.workspace, temporary: world.temporary, own: [world.own], sandbox },
    ...{ jobs: new Jobs(), spills: path.join(world.root, "spills"), firewall: world.firewall, masked: () => [] },
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: world.home },
    limits: { commandMs: () => 10_000, head: 1000, tail: 1000, spillBytes: 1000 },
    ...(options.network && { network: options.network }),
    fetch: () => Promise.reject(new Error("no network here")),
  };
  const session: SessionFacts = {
    session: "s",
    append: (fact) => void facts.push(fact),
    turn: () => 1,
    context: () => ({ ...fixedContext, autonomy: 2, sandboxed: world.sandbox.name !== "none" }),
  };
  const sessionHooks = new SessionHooks({
    ...{ hooks, world: fenceWorld, gate, session, cwd: world.workspace, home: world.home, resumed: false },
    tell: (fact) => void facts.push(fact),
    note: (name, data) => void entry("note", { name, data }),
  });
  const road = createGate({
    ...gate,
    ...{ fence: world.fence, session, hooks: sessionHooks.station },
    approver: { ask: () => Promise.resolve({ kind: "unanswered", why: "headless" }) },
  });
  const shell = (command: string): GateCall => ({
    ...{ id: "c", tool: "shell", origin: "model" },
    action: { kind: "shell", command, background: false },
  });
  return {
    ...{ world, facts, recorded, road, hooks: sessionHooks, shell, ledger: gate.ledger as object },
    script(name: string, text: string): string {
      const folder = path.join(world.home, "scripts");
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, name), text, { mode: 0o755 });
      return path.join(folder, name);
    },
    /** A shell call as the engine sends it on its way. */
    async send(command: string, signal: AbortSignal = new AbortController().signal) {
      const reparse = (input: Json) => ({ call: shell(String((input as { command: string }).command)) });
      const { call } = await road.screen(shell(command), { input: { command }, reparse }, signal);
      const prepared = road.prepare(call);
      const result = await road.perform(prepared, async () => textResult(`ran ${JSON.stringify(call.action)}`), signal);
      return { decision: prepared.decision, result, call };
    },
    close: () => world.close(),
  };
}
