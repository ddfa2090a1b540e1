// Two turns of a scripted model that change files, to go back to.
import { existsSync } from "node:fs";
import { expect } from "vitest";
import { edit, messagesOf, type Scene, shell } from "./scene.ts";
import { type ModelServerRequest } from "../support/model-server.ts";
import type { ScriptedCall } from "../support/wire/step.ts";

const turns: Record<string, ScriptedCall[]> = {
  one: [
    edit("a.txt", "zero", "one"),
    // Changes that only the shell knows of: a new file, a deleted one, a changed mode, a folder.
    shell("printf 'made\\n' > made.txt && rm gone.txt && mkdir -p deep/er && printf x > deep/er/x"),
  ],
  two: [edit("a.txt", "one", "two"), shell("rm -r deep")],
  three: [],
};

export const spoken = (request: ModelServerRequest) =>
  messagesOf(request)
    .slice(1)
    .filter(({ role }) => role === "user")
    .map(({ content }) => String(content));

export function model(request: ModelServerRequest) {
  const calls = turns[spoken(request).at(-1) ?? ""] ?? [];
  const answered = messagesOf(request).at(-1)?.role === "tool";
  return answered || calls.length === 0 ? { say: `Did ${spoken(request).at(-1)}.` } : { calls };
}

export const files = { "a.txt": "zero\n", "gone.txt": "gone\n", "other.txt": "other\n" };

export const look = (scene: Scene) =>
  ["a.txt", "made.txt", "gone.txt", "deep/er/x", "other.txt"].map((name) =>
    existsSync(scene.at(name)) ? scene.text(name).trim() : "-",
  );

export const before = ["zero", "-", "gone", "-", "other"];

export const afterTwo = ["two", "made", "-", "-", "other"];

export async function work(scene: Scene): Promise<void> {
  for (const [index, prompt] of ["one", "two"].entries()) {
    const more = index === 0 ? [] : ["--continue"];
    const ran = await scene.run(["-p", "--autonomy", "5", ...more, prompt]);
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: `Did ${prompt}.\n` });
  }
  expect(look(scene)).toEqual(afterTwo);
}
