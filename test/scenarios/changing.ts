// Models that change files, each in a copy of the workspace.
import path from "node:path";
import { existsSync, readdirSync } from "node:fs";
import { type Script } from "../support/model-server.ts";
import { type call, messagesOf, type Scene, write } from "./scene.ts";

export const wrong = "export const sum = (a, b) => a - b;\n";

export const right = "export const sum = (a, b) => a + b;\n";

export const before = "export const sum = (a, b) => b;\n";

type Call = ReturnType<typeof call>;

export type Work = Exclude<Script, readonly unknown[]>;

/** Makes these calls, one after the other, then answers. */
export const works =
  (answer: string, ...calls: Call[]): Work =>
  (request) => {
    const done = messagesOf(request).filter(({ role }) => role === "tool").length;
    const next = calls[done];
    return next ? { calls: [next] } : { say: answer };
  };

export const writes = (content: string, answer: string): Work => works(answer, write("sum.mjs", content, "w"));

export const copiesOf = (scene: Scene): string[] => {
  const root = path.join(scene.home.folder, ".local/share/fettle/copies");
  return existsSync(root) ? readdirSync(root).flatMap((name) => readdirSync(path.join(root, name))) : [];
};

export const sideBySide = ["--strategy", "ensemble", "--autonomy", "5", "fix the crash in sum.mjs"];
