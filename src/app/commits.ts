// What a command that commits would commit, as a diff by fettle's own git.
import { gitProgram, gitToplevel, runGit } from "../io/git.ts";
import type { GateCall } from "../protocol/action.ts";

/** More is not looked through; the sandbox and the person's review remain. */
const longest = 20_000_000;
const patience = 5000;

/** Commands that put more into a commit than what is staged already. */
const addsMore =
  /\bgit\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?){0,8}(?:add|stage|rm|mv)\b|\bcommit\b[^\n]*?\s(?:-[a-zA-Z]*[aio][a-zA-Z]*\b|--all|--only|--include|--\s)/;

/** Empty where there is no repository. What is not staged counts only where the command would stage it. */
export async function committedDiff(workspace: string, { action }: GateCall): Promise<string> {
  const cwd = gitToplevel(workspace);
  if (cwd === undefined || gitProgram() === undefined) return "";
  const command = action.kind === "shell" ? action.command : action.kind === "program" ? action.argv.join(" ") : "";
  const look = async (...args: string[]) => {
    const { code, out } = await runGit(args, { cwd, timeoutMs: patience });
    return code === 0 && out.length <= longest ? out.toString("utf8") : "";
  };
  const form = ["--no-color", "--unified=0", "--no-renames", "--diff-filter=d"];
  const staged = await look("diff", "--cached", ...form);
  if (!addsMore.test(command)) return staged;
  const changed = await look("diff", ...form);
  const fresh = (await look("ls-files", "--others", "--exclude-standard", "-z")).split("\0").filter(Boolean);
  const pieces = [staged, changed];
  for (const file of fresh.slice(0, 200)) {
    const { out } = await runGit(["diff", "--no-index", ...form, "--", "/dev/null", file], {
      cwd,
      timeoutMs: patience,
    });
    if (out.length <= longest) pieces.push(out.toString("utf8"));
  }
  return pieces.join("");
}
