// Several models do work that changes files, each in a copy of the workspace; what one of them made comes into it.
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Script } from "../support/model-server.ts";
import { finalAnswer, makeCompany, statsOf, told, whole } from "./company.ts";
import { call, messagesOf, type Scene, stopOf, those } from "./scene.ts";

const wrong = "export const sum = (a, b) => a - b;\n";
const right = "export const sum = (a, b) => a + b;\n";

/** Writes that as sum.mjs, then answers. */
const writes =
  (content: string, answer: string): Script =>
  (request) =>
    messagesOf(request).some(({ role }) => role === "tool")
      ? { say: answer }
      : { calls: [call("write", { path: "sum.mjs", content }, "w")] };

const files = {
  "sum.mjs": "export const sum = (a, b) => b;\n",
  "check.sh": 'grep -q "a + b" sum.mjs && test -f notes.txt && ! test -e .env\n',
  ".gitignore": ".env\n",
};

const copiesOf = (scene: Scene): string[] => {
  const root = path.join(scene.home.folder, ".local/share/fettle/copies");
  return existsSync(root) ? readdirSync(root).flatMap((name) => readdirSync(path.join(root, name))) : [];
};

test("of changes side by side the one that passes the check comes into the workspace, as one change that can be taken back", async () => {
  await using company = await makeCompany(
    {
      one: { script: writes(wrong, "It subtracts now."), price: 1 },
      two: { script: writes(right, "It adds now."), price: 1 },
      gone: { script: () => ({ status: 404, say: "gone" }), price: 1 },
    },
    'check_changes = "sh check.sh"',
    { git: true, files },
  );
  const { scene } = company;
  scene.put("notes.txt", "not committed\n");
  scene.put(".env", "TOKEN=abc\n");
  const { events, code, stderr } = await scene.tell([
    "--strategy",
    "ensemble",
    "--autonomy",
    "5",
    "fix the crash in sum.mjs",
  ]);
  console.log(
    JSON.stringify(those(events, "notice.given"), null, 1),
    stderr,
    JSON.stringify(those(events, "call.ended"), null, 1),
  );
  expect([code, stopOf(events)?.kind]).toEqual([0, "done"]);
  expect(finalAnswer(events)).toBe("It adds now.");
  expect(scene.text("sum.mjs")).toBe(right);
  expect(copiesOf(scene)).toEqual([]);
  console.log(JSON.stringify(await statsOf(scene)), told.length, whole.length);
}, 40_000);
