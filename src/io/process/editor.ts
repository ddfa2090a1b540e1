// The person's own editor, which they ask for in the terminal that they sit at: it has their rights and their terminal.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** Where none is named, the first of these that there is. */
const usual = 'for e in sensible-editor vi nano; do command -v "$e" >/dev/null 2>&1 && exec "$e" "$1"; done; exit 127';

/**
 * `editor` is what $VISUAL or $EDITOR says, with its arguments; without one it is one of the usual. Rejects when it does not end well;
 * the text is then as before.
 */
export async function editOutside(text: string, editor: string | undefined): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "fettle-prompt-"));
  const file = path.join(folder, "prompt.md");
  try {
    writeFileSync(file, text, { mode: 0o600 });
    await ended(editor ? `${editor} "$1"` : usual, file);
    return readFileSync(file, "utf8").replace(/\n$/, "");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** As git starts an editor: the words of the setting are the shell's, the file's name is not. */
function ended(line: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/sh", ["-c", line, "sh", file], { stdio: "inherit" });
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      if (code === 0) resolve();
      else reject(new Error(line === usual && code === 127 ? "none was found" : `exit ${code ?? signal}`));
    });
  });
}
