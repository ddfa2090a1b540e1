// Order, merging, and what changes a call: with scripts as hooks where it is about running, by the pure part where it is about all cases.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { abstains, type HookAnswer } from "../../../src/guard/hooks/answer.ts";
import { screenCall } from "../../../src/guard/hooks/screen.ts";
import type { HookSettings } from "../../../src/io/config/setting-kinds.ts";
import type { GateCall } from "../../../src/protocol/action.ts";
import type { Json } from "../../../src/protocol/message.ts";
import { sandboxHere } from "../../support/sandbox.ts";
import { hookOf, openHooks } from "./world.ts";
import { textIn } from "../../../src/base/text-in.ts";

const changing = (command: string) => `echo '${JSON.stringify({ action: "transform", input: { command } })}'`;
const deniesWhat = (part: string) =>
  `if grep -q '"tool_input":{"command":"${part}' /dev/stdin; then echo '{"action":"deny","reason":"saw ${part}"}'; else echo '{"action":"abstain"}'; fi`;

const withHooks = async (
  hooks: HookSettings[],
  work: (set: ReturnType<typeof openHooks>) => Promise<void>,
): Promise<void> => {
  const set = openHooks(hooks);
  try {
    await work(set);
  } finally {
    await set.close();
  }
};
const ran = (set: ReturnType<typeof openHooks>) =>
  set.recorded
    .filter(({ kind }) => kind === "begin")
    .map(({ tool }) => tool)
    .filter((tool) => String(tool).startsWith("hook "));

describe.skipIf(!sandboxHere)("the gate", () => {
  test("judges what a hook made of a call: ls that became rm -rf is refused as that", () =>
    withHooks([hookOf(changing("rm -rf / --no-preserve-root"))], async (set) => {
      const { decision, result } = await set.send("ls");
      expect(decision).toMatchObject({ verdict: "deny", risk: "L3", rule: "risk.L3" });
      expect(result.status).toBe("refused");
    }));

  test("lets a hook lift nothing: neither an ask nor a limit", async () => {
    for (const answer of [
      { action: "allow" },
      { decision: "approve" },
      { hookSpecificOutput: { permissionDecision: "allow" } },
    ]) {
      await withHooks([hookOf(`echo '${JSON.stringify(answer)}'`)], async (set) => {
        expect((await set.send("rm notes.txt")).decision.verdict).toBe("ask");
        expect((await set.send("sudo reboot")).decision.verdict).toBe("deny");
      });
    }
  });

  test("runs them in order and none after a denial", () =>
    withHooks(
      [
        hookOf(`echo '{"action":"abstain"}'`, { name: "first" }),
        hookOf(`echo '{"action":"deny"}'`, { name: "second" }),
        hookOf(`echo '{"action":"abstain"}'`, { name: "third", origin: "project", files: {} }),
      ],
      async (set) => {
        expect((await set.send("ls")).decision.rule).toBe("hooks.second");
        expect(ran(set)).toEqual(["hook first", "hook second"]);
      },
    ));

  test("asks an earlier hook again for what a later one made of the call", () =>
    withHooks(
      [hookOf(deniesWhat("wc"), { name: "early" }), hookOf(changing("wc seen.txt"), { name: "late" })],
      async (set) => {
        expect((await set.send("ls")).decision).toMatchObject({
          rule: "hooks.early",
          text: expect.stringContaining("saw wc"),
        });
        expect(ran(set)).toEqual(["hook early", "hook late", "hook early"]);
      },
    ));

  test("asks the hooks of a call that nobody has shown them, and then nothing can change it", () =>
    withHooks([hookOf(changing("pwd"))], async (set) => {
      const call = set.shell("ls");
      const result = await set.road.pass(call, () => Promise.reject(new Error("it ran")), new AbortController().signal);
      expect(result).toMatchObject({ status: "refused", params: { rule: "hooks.one" } });
    }));

  test("asks them of the same call once, and of a copy anew", () =>
    withHooks([hookOf(`echo '{"action":"abstain"}'`)], async (set) => {
      const { call } = await set.send("ls");
      expect(ran(set)).toHaveLength(1);
      await set.road.pass({ ...call }, async () => ({ status: "done", parts: [] }), new AbortController().signal);
      expect(ran(set)).toHaveLength(2);
    }));

  test("keeps to what hooks said when it is tightened", () =>
    withHooks([hookOf(`echo '{"action":"deny"}'`)], async (set) => {
      const tighter = set.road.tighten({ name: "more", judge: () => "pass" });
      const result = await tighter.pass(
        set.shell("ls"),
        () => Promise.reject(new Error("it ran")),
        new AbortController().signal,
      );
      expect(result.status).toBe("refused");
    }));

  test("denies where the ledger cannot record the hook's run", () =>
    withHooks([hookOf(`echo '{"action":"abstain"}'`)], async (set) => {
      const { LedgerFault } = await import("../../../src/guard/ledger/ledger.ts");
      (set.ledger as { begin: unknown }).begin = () => {
        throw new LedgerFault("ledger.unwritable", 7, "the disk is full", undefined);
      };
      expect((await set.send("ls")).decision).toMatchObject({
        verdict: "deny",
        text: expect.stringContaining("the disk is full"),
      });
    }));

  test("stops a hook with its call", () =>
    withHooks([hookOf("sleep 60")], async (set) => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 300);
      const { result } = await set.send("ls", controller.signal);
      expect(result).toMatchObject({ code: "stopped" });
    }));

  test("shows a hook that follows the result, as the model gets it", () =>
    withHooks(
      [
        hookOf(
          `python3 -c 'import json,sys; c=json.load(sys.stdin); print(json.dumps({"context": c["tool_response"]["text"]}))'`,
          { event: "after_tool", deciding: false },
        ),
      ],
      async (set) => {
        const { result } = await set.send("ls");
        const text = textIn(result.parts, "\n");
        expect(text.match(/ran \{/g)).toHaveLength(2);
        expect(text).toMatch(/<data\S* source="hook:one">/);
        expect(ran(set)).toEqual(["hook one"]);
      },
    ));
});

// The pure part: answers of every kind, in every order.
const answer: fc.Arbitrary<HookAnswer> = fc.oneof(
  fc.constant(abstains),
  fc.constant<HookAnswer>({ verdict: "deny", reason: "no" }),
  fc.constant<HookAnswer>({ verdict: "ask", reason: "sure?" }),
  fc.constantFrom("a", "b", "c").map((command): HookAnswer => ({ ...abstains, input: { command } })),
);
const shellCall = (command: string): GateCall => ({
  ...{ id: "c", tool: "shell", origin: "model" },
  action: { kind: "shell", command, background: false },
});

test("every hook has judged the call as it is in the end, or it is denied; any denial wins", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(answer, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
      async (scripts) => {
        const hooks = scripts.map((_, at) => hookOf("x", { name: `h${at}` }));
        const last = new Map<string, { saw: Json; said: HookAnswer }>();
        const turn = new Map<string, number>();
        const found = await screenCall(
          shellCall("start"),
          { command: "start" },
          {
            hooks,
            workspace: "/w",
            reparse: (input) => ({ call: shellCall((input as { command: string }).command) }),
            ask(hook, _call, view) {
              const at = turn.get(hook.name) ?? 0;
              turn.set(hook.name, at + 1);
              const said = scripts[hooks.indexOf(hook)]?.[at] ?? abstains;
              last.set(hook.name, { saw: view.input, said });
              return Promise.resolve(said);
            },
          },
        );
        const denied = found.verdicts.some((verdict) => "deny" in verdict);
        const refused = [...last.values()].some(({ said }) => said.verdict === "deny");
        if (refused) expect(denied).toBe(true);
        if (denied) return;
        expect(found.call.action).toMatchObject({ command: (found.input as { command: string }).command });
        for (const hook of hooks) {
          const { saw, said } = last.get(hook.name) ?? { saw: null, said: abstains };
          expect([JSON.stringify(saw), JSON.stringify(said.input)]).toContain(JSON.stringify(found.input));
        }
      },
    ),
  );
});
