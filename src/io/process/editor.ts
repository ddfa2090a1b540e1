// The person's own editor, which they ask for in the terminal that they sit at: it has their rights and their terminal.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** `editor` is what $VISUAL or $EDITOR says, with its arguments. Rejects when it does not end well; the text is then as before. */
export async function editOutside(text: string, editor: string): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-prompt-"));
  const file = path.join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await ended(editor, file);
    return readFileSync(file, "utf8").replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As git starts an editor: the words of the setting are the shell's, the file's name is not. */
function ended(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", `${editor} "$1"`, "sh", file], { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(`exit ${code ?? signal}`));
    });
  });
}
