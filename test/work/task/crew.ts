// A scripted crew: what each mission answers, by its name and by how far it is.
import type { ModelServerRequest, Step } from "../../support/model-server.ts";
import { call, messagesOf } from "../../scenarios/scene.ts";

export type MissionScript = (about: {
  said: number;
  prompt: string;
  last: string;
  visit: number;
  users: string[];
}) => Step;

const nameOf = (request: ModelServerRequest): string =>
  /Mission: (\w+)\./.exec(JSON.stringify(messagesOf(request)[0]?.content ?? ""))?.[1] ?? "none";

const textOf = (content: unknown): string => (typeof content === "string" ? content : JSON.stringify(content));

/** Where the newest prompt of the mission stands: at the beginning, or behind an answer with which a turn has ended. */
function promptAt(messages: ReturnType<typeof messagesOf>): number {
  return messages.findLastIndex(({ role }, at) => {
    const before = messages[at - 1];
    const ended = before?.role === "assistant" && (before as { tool_calls?: unknown[] }).tool_calls === undefined;
    return role === "user" && (ended || before === undefined || before.role === "system");
  });
}

/** `visit` counts how often a mission of that name was sent, also to go on with its conversation. */
export function crew(missions: Record<string, MissionScript>): (request: ModelServerRequest) => Step {
  const visits = new Map<string, number>();
  return (request) => {
    const name = nameOf(request);
    const messages = messagesOf(request);
    const users = messages.filter(({ role }) => role === "user").map(({ content }) => textOf(content));
    const begun = Math.max(0, promptAt(messages));
    const said = messages.slice(begun).filter(({ role }) => role === "assistant").length;
    const prompt = textOf(messages[begun]?.content);
    if (said === 0) visits.set(name, (visits.get(name) ?? 0) + 1);
    const visit = Math.max(1, visits.get(name) ?? 0);
    const script = missions[name];
    if (!script) return { status: 400, say: `no script for ${name}` };
    return script({ users, said, prompt, last: textOf(messages.at(-1)?.content), visit });
  };
}

export const write = (path: string, content: string): Step => ({ calls: [call("write", { path, content })] });
export const say = (value: unknown): Step => ({ say: typeof value === "string" ? value : JSON.stringify(value) });

export const nodeFiles: Record<string, string> = {
  "package.json": `${JSON.stringify({ name: "sample", type: "module", scripts: { test: "node --test", lint: "node --check src/round.js" } }, undefined, 2)}\n`,
  "src/round.js": "export const round = (value) => Math.floor(value);\n",
  "test/old.test.js":
    'import test from "node:test";\nimport assert from "node:assert";\nimport { round } from "../src/round.js";\ntest("whole numbers stay", () => assert.equal(round(2), 2));\n',
  ".gitignore": "node_modules/\n",
};

export const test1 =
  'import test from "node:test";\nimport assert from "node:assert";\nimport { round } from "../src/round.js";\ntest("a half is rounded up", () => assert.equal(round(1.5), 2));\n';

export const plan = (more: Record<string, unknown> = {}) => ({
  summary: "Round halves up",
  stack: "node",
  files: [
    { path: "test/round.test.js", action: "create", intent: "shows that halves are rounded up" },
    { path: "src/round.js", action: "modify", intent: "round instead of floor" },
  ],
  test: { path: "test/round.test.js", subject: ["src/round.js"] },
  commands: { lint: "npm run lint", test: "npm test" },
  risks: ["callers may rely on floor"],
  acceptance: [{ claim: "1.5 becomes 2", command: "node --test test/round.test.js" }],
  ...more,
});

export const fixed = "export const round = (value) => Math.floor(value + 0.5);\n";

/** Everything goes well. */
export const goodCrew: Record<string, MissionScript> = {
  auditor: () => say({ constraints: [{ constraint: "1.5 becomes 2", kept: true, why: "the test shows it" }] }),
  architect: () => say(plan()),
  verifier: ({ said }) =>
    said === 0 ? write("test/round.test.js", test1) : say("The test shows that halves are rounded up."),
  coder: ({ said }) =>
    said === 0
      ? { calls: [call("read", { path: "src/round.js" })] }
      : said === 1
        ? { ...write("src/round.js", fixed), say: "round floors; half is added." }
        : say("Done."),
};

/** The same, with as few programs as will do. */
export const quickPlan = (more: Record<string, unknown> = {}) => plan({ commands: { test: "node --test" }, ...more });
export const quickCrew: Record<string, MissionScript> = { ...goodCrew, architect: () => say(quickPlan()) };

/** Documents only: no test first, and hardly a program. */
export const docsWords = "fix a typo in the readme: roudn should be round";
export const docsFiles: Record<string, string> = { "README.md": "# sample\n\nIt does roudn.\n" };
export const docsPlan = {
  summary: "Mend a typo in the readme",
  stack: "generic",
  files: [{ path: "README.md", action: "modify", intent: "spell round" }],
  commands: {},
  acceptance: [{ claim: "the typo is gone", command: "grep -q round README.md" }],
};
export const docsCrew: Record<string, MissionScript> = {
  auditor: goodCrew["auditor"] as MissionScript,
  architect: () => say(docsPlan),
  coder: ({ said }) => (said === 0 ? write("README.md", "# sample\n\nIt does round.\n") : say("Done.")),
};

export const added = (name: string, more: Record<string, unknown> = {}) =>
  quickPlan({
    files: [...plan().files, { path: "package.json", action: "modify", intent: "takes it in" }],
    dependencies: [{ ecosystem: "npm", name, version: "1.0.0" }],
    commands: { test: "node --test", install: `npm install ${name}@1.0.0` },
    ...more,
  });

export const shell = (command: string): Step => ({ calls: [call("shell", { command })] });

export const architect = (more: Record<string, unknown>) => ({ ...quickCrew, architect: () => say(quickPlan(more)) });
