// The repository's own hooks of commits, merges and pushes, run as what they are: programs, in the sandbox, that the plan lists.
import path from "node:path";
import { Fault } from "../../../base/fault.ts";
import { sha256 } from "../../../base/digest.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { readBytes, writeAtomic } from "../../../io/files/bytes.ts";
import { gitFolders, settingsMention } from "../../../io/git/git-tips.ts";
import { isProgram } from "../../../io/folders/worktrees.ts";
import { Exit } from "../../../protocol/exit.ts";
import type { CommitHook, TaskRemote } from "../../../protocol/task.ts";
import { type CommandRun, endText, succeeded } from "../world/commands.ts";
import type { Repository } from "../world/git.ts";
import { allowedPaths } from "../machine/envelope.ts";
import type { Work } from "../work/work.ts";

/** What each is given, as git does; the files lie in the session's private folder. */
const messageFile = "COMMIT_EDITMSG";
const pushFile = "PRE_PUSH";
const inputs = {
  "pre-commit": [""],
  "prepare-commit-msg": [` "$TMPDIR/${messageFile}" message`, ` "$TMPDIR/${messageFile}" merge`],
  "commit-msg": [` "$TMPDIR/${messageFile}"`],
  "post-commit": [""],
  "pre-merge-commit": [""],
  "pre-push": [],
} as const;
type HookName = keyof typeof inputs;

const pushed = ({ name, url = "" }: TaskRemote): string =>
  ` ${shellWord(name)} ${shellWord(url)} < "$TMPDIR/${pushFile}"`;

/** Those that there are, each with the lines that run it. `remote`: where the work is pushed to. */
export async function hooksOf(repository: Repository, remote: TaskRemote | undefined): Promise<CommitHook[]> {
  const folder =
    gitFolders(repository.folder)?.shared ??
    (await repository.line("rev-parse", "--path-format=absolute", "--git-common-dir")) ??
    "";
  const configured = settingsMention(repository.folder, /hookspath/i)
    ? await repository.line("config", "--file", path.join(folder, "config"), "--get", "core.hooksPath")
    : undefined;
  const named = configured ?? path.join(folder, "hooks");
  const place = path.isAbsolute(named) ? named : path.join(repository.folder, named);
  const found: CommitHook[] = [];
  for (const [name, usual] of Object.entries(inputs)) {
    const lines = name === "pre-push" && remote ? [pushed(remote)] : usual;
    if (lines.length === 0) continue;
    const file = path.join(place, name);
    if (!isProgram(file)) continue;
    const { bytes } = await readBytes(file);
    const own = await trackedPath(repository, file);
    const program = own === undefined ? shellWord(file) : `./${shellWord(own)}`;
    for (const line of lines)
      found.push({ name, command: `${program}${line}`, path: own ?? file, digest: sha256(bytes) });
  }
  return found;
}

/** One of the project's own files is run as it is in the worktree; what git ignores is only in the person's checkout. */
async function trackedPath(repository: Repository, file: string): Promise<string | undefined> {
  const inside = path.relative(repository.folder, file);
  if (inside.startsWith("..") || inside.startsWith(".git/")) return undefined;
  return (await repository.line("ls-files", "--error-unmatch", "--", inside)) === undefined ? undefined : inside;
}

/** Lines of the hooks that look at a commit before it is made; the others need a message, or a commit. */
export const preCommit = ({ task }: Work): string[] =>
  (task.envelope?.hooks ?? []).filter(({ name }) => name === "pre-commit").map(({ command }) => command);

/** Undefined: there is no such hook, or it agreed. */
export async function runHook(work: Work, name: HookName, which = 0): Promise<{ refused: string } | undefined> {
  const hooks = (work.task.envelope?.hooks ?? []).filter((hook) => hook.name === name);
  const hook = hooks[which] ?? hooks[0];
  if (!hook) return undefined;
  const changed = await changedHook(work, hook);
  if (changed !== undefined) return { refused: changed };
  const run = await work.run(hook.command);
  return succeeded(run) ? undefined : { refused: refusalText(name, run) };
}

/** What was approved is what is run, but for a hook that the plan itself changes. */
async function changedHook({ place, task }: Work, { name, path: at, digest }: CommitHook): Promise<string | undefined> {
  const file = path.resolve(place.folder, at);
  if (!isProgram(file)) return `the hook ${name} is gone`;
  const { bytes } = await readBytes(file);
  const planned = allowedPaths(task).includes(at);
  return planned || sha256(bytes) === digest ? undefined : `the hook ${name} is not what it was when the plan was made`;
}

const shown = 1500;

function refusalText(name: HookName, run: CommandRun): string {
  const said = run.output.trim().slice(-shown);
  const late = run.ended === "timeout" ? "; hooks have as long as any other command (tools.timeout_secs.other)" : "";
  const network =
    /network is unreachable|could ?n[o']t resolve|EAI_AGAIN|ENOTFOUND|ECONNREFUSED|connection refused|name resolution/i;
  const hint = network.test(said) ? "; hooks get no network here" : gitHint(said);
  return `the hook ${name} refused (${endText(run)}${late}${hint})${said === "" ? "" : `:\n${said}`}`;
}

const gitHint = (said: string): string =>
  /index\.lock|read-only file system/i.test(said) ? "; hooks cannot write what git keeps: fettle stages for them" : "";

/** The message as the repository's hooks leave it. Throws a Fault with what they said when they refuse it. */
export async function hookedMessage(work: Work, message: string, merge: boolean): Promise<string> {
  const hooks = work.task.envelope?.hooks ?? [];
  if (!hooks.some(({ name }) => name === "commit-msg" || name === "prepare-commit-msg")) return message;
  const file = path.join(work.place.temporary, messageFile);
  await writeAtomic(file, message, { root: work.place.temporary });
  const refused = (await runHook(work, "prepare-commit-msg", merge ? 1 : 0)) ?? (await runHook(work, "commit-msg"));
  if (refused)
    throw new Fault(
      "task.hook",
      Exit.failed,
      `The commit was not made: ${refused.refused}`,
      "Mend what the hook names, or the hook.",
    );
  const { bytes } = await readBytes(file);
  return new TextDecoder().decode(bytes);
}

interface Pushed {
  branch: string;
  commit: string;
  /** Where the branch was there; undefined: it is new. */
  before?: string;
}

export async function beforePush(work: Work, push: Pushed): Promise<{ refused: string } | undefined> {
  if (!work.task.envelope?.hooks?.some(({ name }) => name === "pre-push")) return undefined;
  const root = work.place.temporary;
  const { name, text } = pushInput(push);
  await writeAtomic(path.join(root, name), text, { root });
  return runHook(work, "pre-push");
}

/** What a pre-push hook reads, and the name of the file that it lies in. */
export function pushInput({ branch, commit, before }: Pushed): { name: string; text: string } {
  const reference = `refs/heads/${branch}`;
  const text = `${reference} ${commit} ${reference} ${before ?? "0".repeat(commit.length)}\n`;
  return { name: pushFile, text };
}
