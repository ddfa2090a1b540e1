// Turns for the scripted client: what a real one would tell, written by hand.
import type { ApprovalRequest } from "../../../src/protocol/approval.ts";
import type { Fact } from "../../../src/protocol/event.ts";
import type { AssistantContent } from "../../../src/protocol/message.ts";
import type { Diff } from "../../../src/protocol/result.ts";
import { type Scene, session, type Stage } from "./scripted-client.ts";

export const usage = { input: 4200, output: 380, cacheRead: 3100, cacheWrite: 0, reasoning: 0 };

export const cartDiff: Diff = {
  files: [
    {
      path: "src/cart.js",
      change: "modified",
      added: 2,
      removed: 1,
      patch:
        "@@ -10,4 +10,5 @@ export function total(items) {\n   let sum = 0;\n-  for (const item of items) sum += item.price;\n+  // Prices are per piece.\n+  for (const item of items) sum += item.price * item.count;\n   return sum;\n }\n",
    },
    {
      path: "package.json",
      change: "modified",
      added: 1,
      removed: 0,
      runLater: true,
      patch: '@@ -3,1 +3,2 @@\n   "name": "shop",\n+  "type": "module",\n',
    },
  ],
};

export const approval = (more: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  nonce: "n-1",
  session,
  call: "c3",
  tool: "shell",
  origin: "model",
  action: { kind: "shell", command: "npm install left-pad", background: false },
  claim: "the tests need it",
  effects: [
    { kind: "execute", target: "npm", undo: "irreversible", part: "npm install left-pad" },
    { kind: "network", target: "registry.example", undo: "irreversible" },
  ],
  risk: "L2",
  undo: "irreversible",
  reasons: [{ code: "shell.install", risk: "L2", text: "installs packages", part: "npm install left-pad" }],
  approver: "senior",
  sandboxed: true,
  sessionScope: "npm install left-pad",
  digest: "d".repeat(64),
  askedAt: Date.now(),
  expiresAt: Date.now() + 300_000,
  ...more,
});

export function round(stage: Stage, content: AssistantContent[], number = 1): void {
  stage.fact({
    type: "round.ended",
    turn: stage.turn,
    round: number,
    model: "recorded/demo",
    vendor: "recorded",
    content,
    finish: "stop",
    usage,
    cost: 4300,
  });
}

export const text = (content: string): AssistantContent[] => [{ type: "text", text: content }];

export function end(stage: Stage, more: Partial<Extract<Fact, { type: "turn.ended" }>> = {}): void {
  stage.fact({ type: "turn.ended", turn: stage.turn, stop: { kind: "done", text: "" }, usage, cost: 4300, ...more });
}

/** Streams an answer and ends. */
export const answers =
  (answer: string): Scene =>
  async (stage) => {
    stage.fact({ type: "round.started", turn: stage.turn, round: 1, model: "recorded/demo" });
    await stage.text(answer);
    round(stage, text(answer));
    end(stage);
  };

const explanation = `The total ignores how many of each item there are. \`total\` adds the **price** once:

1. read \`src/cart.js\`
2. multiply by \`count\`
   - and keep the sum a number
3. run the tests

| file | lines |
|---|---:|
| src/cart.js | 42 |
| test/cart.test.js | 18 |

\`\`\`js
for (const item of items) sum += item.price * item.count;
\`\`\`

> Prices are per piece, see the [guide](https://example.test/guide).
`;

/** Everything that a turn can hold: text, reading, an edit, an approval, a test that prints. */
export const mending: Scene = async (stage) => {
  const { turn } = stage;
  stage.fact({ type: "round.started", turn, round: 1, model: "recorded/demo" });
  for (const thought of ["The test fails at line 12, ", "so the count is ignored. ", "Let me read the cart."]) {
    stage.delta({ type: "reasoning.delta", turn, text: thought });
    await stage.pause(120);
  }
  await stage.text(explanation);
  round(stage, text(explanation));
  decided(stage, "c1", "read", { kind: "read", path: "src/cart.js" }, "L0", "allow");
  stage.fact({
    type: "call.ended",
    turn,
    call: "c1",
    tool: "read",
    result: { status: "done", parts: [{ type: "text", text: "a\nb\nc" }] },
    ms: 2,
  });
  decided(
    stage,
    "c2",
    "edit",
    { kind: "change", changes: [{ op: "edit", path: "src/cart.js", edits: [{ old: "a", new: "b" }] }] },
    "L1",
    "notify",
  );
  stage.fact({
    type: "call.ended",
    turn,
    call: "c2",
    tool: "edit",
    result: { status: "done", parts: [{ type: "text", text: "ok" }], diff: { files: cartDiff.files.slice(0, 1) } },
    ms: 4,
  });
  await askForInstall(stage);
  decided(stage, "c4", "shell", { kind: "shell", command: "npm test", background: false }, "L1", "notify");
  stage.fact({ type: "effect.begun", turn, call: "c4", tool: "shell", risk: "L1" });
  const printed = Array.from({ length: 30 }, (_, at) => `ok ${at + 1} - adds item ${at + 1}`);
  for (const line of printed) {
    stage.delta({ type: "output.delta", call: "c4", text: `${line}\n` });
    await stage.pause(40);
  }
  stage.fact({
    type: "call.ended",
    turn,
    call: "c4",
    tool: "shell",
    result: { status: "done", params: { exit: 0 }, parts: [{ type: "text", text: printed.join("\n") }] },
    ms: 1234,
  });
  const last = "The tests are **green** now.";
  stage.fact({ type: "round.started", turn, round: 2, model: "recorded/demo" });
  await stage.text(last);
  round(stage, text(last), 2);
  end(stage, { diff: cartDiff });
};

export async function askForInstall(stage: Stage, more: Partial<ApprovalRequest> = {}): Promise<void> {
  const request = approval(more);
  const { turn } = stage;
  decided(stage, request.call, request.tool, request.action, request.risk, "ask");
  stage.fact({ type: "approval.asked", request });
  const { answer } = await stage.waitFor("approval.answer");
  stage.fact({
    type: "approval.answered",
    nonce: request.nonce,
    call: request.call,
    outcome: { ...answer, by: "local:ada" },
  });
  const ran = answer.kind !== "deny";
  const result = ran
    ? ({ status: "done", params: { exit: 0 }, parts: [{ type: "text", text: "added 1 package" }] } as const)
    : ({ status: "refused", parts: [{ type: "text", text: "refused" }] } as const);
  stage.fact({
    type: "call.ended",
    turn,
    call: request.call,
    tool: request.tool,
    result: { ...result, parts: [...result.parts] },
    ms: 800,
  });
}

export function decided(
  stage: Stage,
  call: string,
  tool: string,
  ...[action, risk, verdict]: [
    Extract<Fact, { type: "call.decided" }>["action"],
    "L0" | "L1" | "L2" | "L3",
    "allow" | "notify" | "ask" | "deny",
  ]
): void {
  stage.fact({
    type: "call.decided",
    turn: stage.turn,
    call,
    tool,
    origin: "model",
    ...(action ? { action } : {}),
    decision: {
      verdict,
      risk,
      rule: verdict === "deny" ? `risk.${risk}` : "autonomy.2",
      text: verdict === "deny" ? "Destroys files outside the workspace." : "as the mode allows",
    },
  });
}
