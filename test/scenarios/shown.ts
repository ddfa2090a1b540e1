// A session in a real terminal, as a person sees it.
import { onTestFinished } from "vitest";
import { type ModelServerRequest } from "../support/model-server.ts";
import { type TerminalProgram } from "../support/terminal.ts";
import { edit, eventsOf, messagesOf, type Scene } from "./scene.ts";

export const source = "export const add = (a, b) => a - b;\n";

export const files = { "src/add.js": source, "README.md": "# sample\n" };

interface OpenOptions {
  args?: string[];
  env?: Record<string, string>;
  columns?: number;
  rows?: number;
}

/** A terminal of the scene's folder; it ends with the test. */
export function open(
  scene: Scene,
  { args = [], env = {}, columns = 90, rows = 60 }: OpenOptions = {},
): TerminalProgram {
  const terminal = scene.terminal(args, env, { columns, rows });
  onTestFinished(async () => {
    terminal.kill("SIGKILL");
    await terminal.exited;
  });
  return terminal;
}

export const ready = /openai\/scripted · standard · \$0/;

export async function factsOf(scene: Scene) {
  const [row] = JSON.parse((await scene.run(["sessions", "list", "--json"])).stdout) as { id: string }[];
  return eventsOf((await scene.run(["sessions", "export", row?.id ?? ""])).stdout);
}

export const mend = edit("src/add.js", "a - b", "a + b", "mend");

/** Mends the file with every prompt. */
export const mending = (request: ModelServerRequest) =>
  messagesOf(request).at(-1)?.role === "tool" ? { say: "Mended." } : { calls: [mend] };
