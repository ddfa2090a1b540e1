// What a session hands down to a copy of its workspace and to a subagent, through the constructors that fettle itself uses.
import { cpSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openProgram, type Program } from "../../src/app/program/program.ts";
import { createSession } from "../../src/app/record/sessions.ts";
import { SessionScope } from "../../src/app/session/scope.ts";
import { type SeenSession, subagentFacts } from "../../src/app/session/session-facts.ts";
import { Session } from "../../src/engine/session/session.ts";
import type { Gate } from "../../src/guard/gate.ts";
import { Jobs } from "../../src/io/process/jobs.ts";
import type { Verdict } from "../../src/protocol/decision.ts";
import { draws } from "../support/draws.ts";
import { makeHome } from "../support/program.ts";

const strictness: Record<Verdict, number> = { allow: 0, notify: 1, ask: 2, deny: 3 };
const commands = [
  ...["ls -la", "cat .env", "npm test", "node scripts/build.js", "rm -rf src", "mv src lib", "echo a > src/new.js"],
  ...["git status", "git commit -qam x", "git push", "curl -s https://example.org", "npm install left-pad"],
  ...["cat ../outside.txt", "sudo id", "python3 -c 'print(1)'", "rm -rf /", "sed -i s/a/b/ package.json"],
];

interface Step {
  to: "copy" | "subagent";
  autonomy: 0 | 1 | 2 | 3 | 4 | 5;
  ceiling: "none" | "plan" | "deny";
  role: "read-only" | "standard" | "privileged" | "admin";
}
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    to: fc.constantFrom("copy", "subagent"),
    autonomy: fc.constantFrom(0, 1, 2, 3, 4, 5),
    ceiling: fc.constantFrom("none", "plan", "deny"),
    role: fc.constantFrom("read-only", "standard", "privileged", "admin"),
  }),
  { minLength: 1, maxLength: 3 },
);

interface Place {
  scope: SessionScope;
  seen: SeenSession;
  session: Session;
  gate: Gate;
  program: Program;
}

function openPlace() {
  const home = makeHome();
  const workspace = realpathSync(home.project);
  mkdirSync(path.join(workspace, "src"));
  mkdirSync(path.join(workspace, "scripts"));
  const scripts = { test: "node --test", build: "node scripts/build.js" };
  writeFileSync(path.join(workspace, "package.json"), JSON.stringify({ name: "a", scripts }));
  writeFileSync(path.join(workspace, "scripts/build.js"), "");
  writeFileSync(path.join(workspace, "src/a.js"), "");
  writeFileSync(path.join(workspace, ".env"), "API_TOKEN=0123456789abcdef\n");
  const program = openProgram({ headless: true, cwd: workspace }, home.env, "test");
  const session = createSession(program, "openai/scripted", Date.now());
  const temporary = mkdtempSync(path.join(home.folder, "tmp", "session-"));
  const port = () => Promise.resolve([]);
  const own = { system: "", tools: [] };
  const scope = SessionScope.open(program, session, temporary, { own, agents: { port, reads: () => false } });
  onTestFinished(async () => {
    await scope.close();
    scope.parts.ledger.close();
    program.close();
    home.remove();
  });
  return { home, scope, session, program };
}

let made = 0;

function copied(place: Place, base: string): SessionScope {
  const folder = path.join(base, `copy-${made++}`);
  cpSync(place.program.workspace, folder, { recursive: true });
  return place.scope.inCopy({
    program: { ...place.program, workspace: folder, cwd: folder },
    temporary: mkdtempSync(path.join(base, "tmp", "copy-")),
    lent: [],
    snapshots: () => Promise.resolve({ unavailable: "not in this test" }),
  });
}

function subagentOf({ program, session, seen }: Place, { autonomy, ceiling, role }: Step) {
  const id = `subagent-${made++}`;
  const { workspace, cwd } = program;
  program.store().createSession({ id, workspace, cwd, at: Date.now(), model: "openai/scripted", parent: session.id });
  const own = Session.open(id, program.store());
  own.append({ type: "session.created", workspace, cwd, version: "test", parent: session.id, agent: "a" });
  own.append({ type: "mode.set", autonomy, ceiling, role });
  return { session: own, seen: subagentFacts(own, "a", seen) };
}

async function below(place: Place, step: Step, base: string): Promise<Place> {
  if (step.to === "copy") {
    const { session, seen } = place;
    const scope = copied(place, base);
    // Only the first agent of a session opens copies; a subagent is started in one.
    const led = seen === scope.parts.seen;
    const gate = led ? await scope.gate() : await scope.gateFor({ session, seen, jobs: new Jobs(), agents: undefined });
    return { scope, session, seen, gate, program: scope.parts.program };
  }
  const { session, seen } = subagentOf(place, step);
  const gate = await place.scope.gateFor({ session, seen, jobs: new Jobs(), agents: undefined });
  return { ...place, session, seen, gate };
}

const verdictOf = (gate: Gate, command: string): number => {
  const action = { kind: "shell" as const, command, background: false };
  return strictness[gate.prepare({ id: "c", tool: "shell", action, origin: "model" }).decision.verdict];
};

test("property: a copy or a subagent, of whatever and however deep, judges nothing more loosely than its parent", async () => {
  const { home, scope, session, program } = openPlace();
  const first: Place = { scope, session, program, seen: scope.parts.seen, gate: await scope.gate() };
  await fc.assert(
    fc.asyncProperty(steps, fc.subarray(commands, { minLength: 4, maxLength: 8 }), async (way, asked) => {
      let place = first;
      for (const step of way) {
        const child = await below(place, step, home.folder);
        for (const command of asked)
          expect(verdictOf(child.gate, command), command).toBeGreaterThanOrEqual(verdictOf(place.gate, command));
        place = child;
      }
    }),
    { numRuns: draws(40) },
  );
});

test("a copy shares what binds the session, hides what it hides, and has neither its network nor its subagents", () => {
  const { home, scope, session, program } = openPlace();
  const place = { scope, session, program, seen: scope.parts.seen } as Place;
  const inner = copied(place, home.folder);
  const again = copied({ ...place, scope: inner, program: inner.parts.program }, home.folder);
  for (const [child, parent] of [
    [inner, scope],
    [again, inner],
  ] as const) {
    const { terms, people, ledger, requester, sandbox, own, seen } = parent.parts;
    expect(child.parts).toMatchObject({ agents: undefined, changes: undefined, room: undefined });
    for (const [name, part] of Object.entries({ terms, people, ledger, requester, sandbox, own, seen }))
      expect(child.parts[name as keyof typeof child.parts]).toBe(part);
    const hidden = child.parts.masked().map(({ path: file }) => file);
    expect(hidden).toEqual(expect.arrayContaining(parent.parts.masked().map(({ path: file }) => file)));
    expect(hidden).toContain(path.join(child.parts.program.workspace, ".env"));
    expect(child.parts.firewall.redact("0123456789abcdef").text).not.toContain("0123456789abcdef");
    expect(child.parts.layered.layers()).toBeUndefined();
    expect(child.refused).toBe(scope.refused);
    expect(child.jobsBelow).toBe(scope.jobsBelow);
  }
});
