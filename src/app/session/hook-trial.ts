// What a person sees of their hooks: which there are, what is wrong with them, and what they answer to a made-up call.
import { Fault } from "../../base/fault.ts";
import { assess } from "../../guard/assess/assess.ts";
import { decide } from "../../guard/decide.ts";
import { hookContext } from "../../guard/hooks/context.ts";
import type { Facts } from "../../guard/contract/ports.ts";
import { missingScript } from "../../io/config/hook-places.ts";
import { missingEvent, eventOf } from "../../io/config/hook-values.ts";
import type { HookSettings } from "../../io/config/setting-kinds.ts";
import { Exit } from "../../protocol/exit.ts";
import { textResult } from "../../protocol/outcome.ts";
import type { Check, HookRow, HookTrial, Queries } from "../../protocol/query.ts";
import { builtinTools } from "../../tools/builtin.ts";
import { createRegistry } from "../../tools/registry.ts";
import { openGate } from "./gate.ts";
import { SessionHooks } from "./hooks.ts";
import { SessionScope } from "./scope.ts";
import { Session } from "../../engine/session/session.ts";
import { factsOf, sandboxOf } from "../program/machine.ts";
import type { Program } from "../program/program.ts";
import { unkeptFacts } from "./unkept-facts.ts";
import { newContext } from "./new-context.ts";
import { temporaryFolder } from "../program/temporary.ts";

export function listHooks(program: Program): HookRow[] {
  const { hooks, settings, trust } = program.config();
  return [...hooks.user, ...hooks.project].map((hook) => ({
    ...{ name: hook.name, event: hook.event, command: hook.command, origin: hook.origin, place: hook.place },
    ...(hook.matcher !== undefined && { matcher: hook.matcher }),
    ...{ deciding: hook.deciding, timeoutSecs: hook.timeout_secs, homeRead: hook.home_read, hosts: hook.hosts },
    writtenFor: hook.dialect,
    used: settings.hooks.includes(hook),
    ...(hook.origin === "project" && { trust: trust.state }),
  }));
}

/** Nothing when there are none. */
export function checkHooks(program: Program): Omit<Check, "name">[] {
  const { settings, hooks } = program.config();
  const all = [...hooks.user, ...hooks.project];
  if (all.length === 0) return [];
  const facts = factsOf(program);
  const findings = settings.hooks.flatMap((hook) => problemsOf(hook, program, facts));
  const detail = `${settings.hooks.length} of ${all.length} used (fettle hooks list)`;
  return [{ status: "ok", detail }, ...findings];
}

function problemsOf(hook: HookSettings, program: Program, facts: Facts): Omit<Check, "name">[] {
  const { name, command, deciding, place } = hook;
  const meaning = deciding ? "so it denies every call that it would judge" : "so it does nothing";
  const finding = (why: string, remedy: string) => ({
    status: deciding ? ("error" as const) : ("warning" as const),
    detail: `The hook ${name} (${place}) ${why}, ${meaning}.`,
    remedy,
  });
  const missing = missingScript(command, { workspace: program.workspace, home: program.places.home });
  if (missing !== undefined) return [finding(`names ${missing}, which does not exist`, "Correct its command.")];
  const assessment = assess({ kind: "shell", command, background: false }, facts);
  const { verdict, text } = decide(assessment, hookContext(newContext(program), name));
  if (verdict !== "allow" && verdict !== "notify")
    return [
      finding(
        `is never run: ${text.replace(/\.$/, "")}`,
        "Put what it does into a script, and the script anywhere but in fettle's own folders.",
      ),
    ];
  if (hook.origin === "project" && sandboxOf(program).name === "none")
    return [finding("is a repository's, and there is no sandbox", "Install bubblewrap, or fettle trust revoke.")];
  return [];
}

/** Runs the hooks that match, once, as a session would; recorded like any of their runs. */
export async function tryHooks(program: Program, wanted: Queries["hooks.try"]): Promise<HookTrial[]> {
  const event = eventOf(wanted.event);
  if (!event) throw usage(`There is no event ${wanted.event}: ${missingEvent()}.`);
  if (!program.config().settings.hooks.some((hook) => hook.event === event)) return [];
  const rows: HookTrial[] = [];
  const { hooks, close } = openTrial(program, event, rows);
  try {
    await meet(program, hooks, { ...wanted, event });
    return rows;
  } finally {
    await close();
  }
}

const usage = (text: string): Fault => new Fault("hooks.trial", Exit.usage, text, "fettle hooks test --help says how.");

async function meet(
  program: Program,
  hooks: SessionHooks,
  { event, tool = "shell", input = { command: "ls" } }: Queries["hooks.try"] & { event: HookSettings["event"] },
): Promise<void> {
  const { signal } = new AbortController();
  if (event === "session_start") await hooks.opening(signal);
  else if (event === "before_compaction")
    await hooks.compacting({ trigger: "manual", custom_instructions: "" }, signal);
  else if (event !== "before_tool" && event !== "after_tool")
    await hooks.station.moment(event, { prompt: "This prompt was made up." }, signal);
  else {
    const registry = createRegistry(builtinTools);
    const read = (from: typeof input) => {
      const parsed = registry.parse(tool, from);
      if ("problem" in parsed) return parsed;
      return { call: { id: "trial", tool, action: parsed.action, origin: "person" as const } };
    };
    const first = read(input);
    if ("problem" in first) throw usage(first.problem);
    const facts = factsOf(program);
    const judge = ({ action }: { action: typeof first.call.action }) => assess(action, facts);
    if (event === "before_tool") await hooks.station.screen(first.call, { input, reparse: read, judge, signal });
    else {
      const result = textResult("This call was made up: fettle hooks test.");
      await hooks.station.finish(first.call, { result, assessment: judge(first.call), signal });
    }
  }
}

/** A session that is nowhere kept, whose hooks for this moment are the only ones. */
function openTrial(program: Program, event: HookSettings["event"], rows: HookTrial[]) {
  const temporary = temporaryFolder();
  const scope = SessionScope.open(program, Session.open("hooks-test", unkeptFacts()), temporary.path, {
    own: { system: "", tools: [] },
    openGate: (parts) =>
      openGate(parts, (own) => {
        const hooks = own.hooks.filter((hook) => hook.event === event);
        return new SessionHooks({ ...own, hooks, answered: (row) => rows.push(row) });
      }),
  });
  const { hooks } = scope;
  if (!hooks) throw new Error("a trial has hooks");
  const close = async () => {
    await scope.close();
    scope.parts.ledger.close();
    temporary.remove();
  };
  return { hooks, close };
}
