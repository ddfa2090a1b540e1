// fettle's own git: runs nothing that a repository, the person's configuration or the environment names.
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import path from "node:path";
import { hasCode, systemError, withFallback } from "../../base/fallback.ts";
import { endAwaitedPipes } from "../files/awaited-pipes.ts";
import { regularText } from "../files/regular.ts";
import { Fault } from "../../base/fault.ts";
import { shellWord } from "../../base/shell-word.ts";
import { Exit } from "../../protocol/exit.ts";

export interface GitOptions {
  cwd: string;
  /** Without it the repository is the one around `cwd`, named outright so that git discovers nothing by itself. */
  gitDir?: string;
  workTree?: string;
  indexFile?: string;
  input?: string | Uint8Array;
  /** A second command that runs when the first has ended well, in one start: each costs the whole program some milliseconds. */
  next?: string[];
  /** Default 120,000; then the exit code is 124. */
  timeoutMs?: number;
  env?: Record<string, string>;
}

export interface GitExit {
  code: number;
  out: Buffer;
  err: string;
}

const usualFolders = ["/usr/bin", "/usr/local/bin", "/bin", "/opt/homebrew/bin"];

let program: string | undefined;

/** Path of git in a folder of the system; undefined when it is not installed. */
export function gitProgram(): string | undefined {
  program ??= usualFolders.map((folder) => path.join(folder, "git")).find(executable);
  return program;
}

/** Rejects with the Fault `git.missing`; whatever git itself does is in the answer. */
export async function runGit(args: string[], options: GitOptions): Promise<GitExit> {
  const file = gitProgram();
  if (!file) {
    throw new Fault("git.missing", Exit.usage, "git is not installed.", "Install it, for example: apt-get install git");
  }
  const env = environment(options);
  const planted = env["GIT_COMMON_DIR"] && path.join(env["GIT_COMMON_DIR"], "commondir");
  if (planted && textOf(planted) !== "") {
    // Only a linked worktree's folder has such a file; anywhere else it puts foreign refs and settings in place.
    return { code: 128, out: Buffer.alloc(0), err: `fatal: ${planted} does not belong there; delete it` };
  }
  const repository = env["GIT_DIR"];
  const drivers = repository ? await driverOverrides(file, env, repository, options.cwd) : [];
  const more = { ...options, env: { ...env, ...configEnvironment([...settings, ...drivers]) } };
  if (!options.next) return execute(file, hardened(args), more);
  const [first, second] = [args, options.next].map((each) => [file, ...hardened(each)].map(shellWord).join(" "));
  return execute("/bin/sh", ["-c", `${first} && exec ${second}`], more);
}

/**
 * What a reading command prints, waited for here: a judgement is synchronous. Undefined where it fails, takes longer, or a
 * driver of the repository could run.
 */
export function gitNow(args: string[], cwd: string, timeoutMs: number): string | undefined {
  const file = gitProgram();
  const env = environment({ cwd });
  const { GIT_DIR: repository, GIT_COMMON_DIR: common } = env;
  const planted = common !== undefined && textOf(path.join(common, "commondir")) !== "";
  if (!file || repository === undefined || planted || mayDefineDrivers(repository)) return undefined;
  const run = spawnSync(file, hardened(args), {
    ...{ cwd, env: { ...env, ...configEnvironment(settings) }, timeout: timeoutMs, killSignal: "SIGKILL" },
    ...{ maxBuffer: 1024 * 1024, stdio: ["ignore", "pipe", "ignore"], encoding: "utf8" },
  });
  return run.status === 0 && run.error === undefined ? run.stdout : undefined;
}

/** The nearest folder from `cwd` upwards that holds a git repository or names one; starts no process. */
export function gitToplevel(cwd: string): string | undefined {
  for (let folder = path.resolve(cwd); ; folder = path.dirname(folder)) {
    if (holdsRepository(path.join(folder, ".git"))) return folder;
    if (folder === path.dirname(folder)) return undefined;
  }
}

/** They win over every configuration file. An empty command counts as none. */
const settings: [string, string][] = [
  ["core.hooksPath", "/dev/null"],
  ["core.fsmonitor", "false"],
  ["core.untrackedCache", "false"],
  ["core.attributesFile", "/dev/null"],
  ["core.pager", "cat"],
  ["core.editor", "false"],
  ["core.askPass", ""],
  ["core.sshCommand", "false"],
  ["core.gitProxy", ""],
  ["core.alternateRefsCommand", "true"],
  ["credential.helper", ""],
  ["commit.gpgSign", "false"],
  ["tag.gpgSign", "false"],
  ["log.showSignature", "false"],
  ["gpg.program", "false"],
  ["gc.auto", "0"],
  ["maintenance.auto", "false"],
  ["submodule.recurse", "false"],
  ["diff.ignoreSubmodules", "all"],
  ["protocol.allow", "never"],
  ["advice.detachedHead", "false"],
];

/** Subcommands that would otherwise run `diff.external` and `diff.NAME.textconv`. */
const differs = new Set([
  "diff",
  "log",
  "show",
  "diff-tree",
  "diff-index",
  "diff-files",
  "format-patch",
  "whatchanged",
]);

function hardened(args: string[]): string[] {
  const [subcommand = "", ...rest] = args;
  if (differs.has(subcommand)) return [subcommand, "--no-ext-diff", "--no-textconv", ...rest];
  if (subcommand === "blame" || subcommand === "grep") return [subcommand, "--no-textconv", ...rest];
  return args;
}

function environment(options: GitOptions): Record<string, string> {
  const top = options.gitDir ? undefined : gitToplevel(options.workTree ?? options.cwd);
  const gitDir = options.gitDir ?? (top && path.join(top, ".git"));
  const workTree = options.workTree ?? top;
  return {
    PATH: "/usr/local/bin:/usr/bin:/bin",
    // For the person's own ignore file; configuration files there are not read.
    HOME: process.env["HOME"] ?? "/nonexistent",
    ...(process.env["XDG_CONFIG_HOME"] && { XDG_CONFIG_HOME: process.env["XDG_CONFIG_HOME"] }),
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_EDITOR: "false",
    GIT_PAGER: "cat",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOW_PROTOCOL: "none",
    GIT_PROTOCOL_FROM_USER: "0",
    ...(gitDir && { GIT_DIR: gitDir }),
    // A planted `commondir` would bring another configuration and other hooks; a linked worktree's own is needed.
    ...(gitDir && isFolder(gitDir) && { GIT_COMMON_DIR: gitDir }),
    ...(workTree && { GIT_WORK_TREE: workTree }),
    ...(options.indexFile && { GIT_INDEX_FILE: options.indexFile }),
    ...options.env,
  };
}

function configEnvironment(pairs: [string, string][]): Record<string, string> {
  const entries = pairs.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(pairs.length), ...Object.fromEntries(entries) };
}

/** Drivers have names that a repository chooses: those that its configuration defines are switched off one by one. */
async function driverOverrides(
  file: string,
  env: Record<string, string>,
  gitDir: string,
  cwd: string,
): Promise<[string, string][]> {
  if (!mayDefineDrivers(gitDir)) return [];
  const list = ["config", "--name-only", "-z", "--get-regexp", "^(filter|diff|merge)\\..*\\."];
  const { out } = await execute(file, list, { cwd, env: { ...env, ...configEnvironment(settings) } });
  const names = new Set<string>();
  for (const key of out.toString("utf8").split("\0")) {
    const parts = /^(filter|diff|merge)\.(.*)\.[^.]+$/s.exec(key);
    if (parts) names.add(`${parts[1]}\0${parts[2]}`);
  }
  return [...names].flatMap((each) => {
    const [kind = "", name = ""] = each.split("\0");
    return (driverSettings[kind] ?? []).map(([key, value]): [string, string] => [`${kind}.${name}.${key}`, value]);
  });
}

const driverSettings: Record<string, [string, string][]> = {
  filter: [
    ["clean", ""],
    ["smudge", ""],
    ["process", ""],
    ["required", "false"],
  ],
  diff: [
    ["command", ""],
    ["textconv", ""],
  ],
  merge: [["driver", "false"]],
};

/** By the text of its files: a word too many costs one process, none is missed. */
function mayDefineDrivers(gitDir: string): boolean {
  const folders = repositoryFolders(gitDir);
  if (!folders) return true;
  return folders.some((folder) =>
    ["config", "config.worktree"].some((name) =>
      /\[(filter|diff|merge|include)/i.test(textOf(path.join(folder, name))),
    ),
  );
}

/** Where git looks for settings; a linked worktree has a file in place of the folder. Undefined: not to be told. */
export function repositoryFolders(gitDir: string): string[] | undefined {
  if (isFolder(gitDir)) return [gitDir];
  const linked = /^gitdir: (.+?)\n*$/.exec(textOf(gitDir))?.[1];
  const own = linked && path.resolve(path.dirname(gitDir), linked);
  if (!own || !isFolder(own)) return undefined;
  const common = textOf(path.join(own, "commondir")).trimEnd();
  const shared = common && path.resolve(own, common);
  return shared && isFolder(shared) ? [own, shared] : undefined;
}

function execute(
  file: string,
  args: string[],
  options: Pick<GitOptions, "cwd" | "input" | "timeoutMs"> & { env: Record<string, string> },
): Promise<GitExit> {
  const { cwd, env, input, timeoutMs = 120_000 } = options;
  return new Promise((resolve) => {
    const child = spawn(file, args, { cwd, env, stdio: [input === undefined ? "ignore" : "pipe", "pipe", "pipe"] });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    let late = false;
    const noWaiting = endAwaitedPipes(env["GIT_WORK_TREE"] ?? cwd);
    const timer = setTimeout(() => {
      late = true;
      endAll(child);
    }, timeoutMs);
    child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
    // git may end without reading all of its input; how it ended tells why.
    child.stdin?.on("error", (error) => err.push(Buffer.from(error.message)));
    child.stdin?.end(input);
    const finish = (code: number, note = "") => {
      clearTimeout(timer);
      noWaiting();
      resolve({ code, out: Buffer.concat(out), err: Buffer.concat(err).toString("utf8") + note });
    };
    child.on("error", (error) => finish(127, error.message));
    child.on("close", (code) => (late ? finish(124, `git took longer than ${timeoutMs} ms`) : finish(code ?? 128)));
  });
}

/** With what it has started. It is in the terminal's group, which a Ctrl-C ends, so there is no group to name. */
function endAll(child: ChildProcess): void {
  const started = textOf(`/proc/${child.pid}/task/${child.pid}/children`);
  for (const pid of started.split(" ").filter(Boolean)) endNow(Number(pid));
  child.kill("SIGKILL");
}

function endNow(pid: number): void {
  withFallback(undefined, hasCode("ESRCH"), () => process.kill(pid, "SIGKILL"));
}

/** Not there, or not for us to see: the same for a search. */
const executable = (file: string): boolean =>
  withFallback(false, systemError, () => {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  });

const isFolder = (file: string): boolean => withFallback(false, systemError, () => statSync(file).isDirectory());

function holdsRepository(file: string): boolean {
  return isFolder(file) ? textOf(path.join(file, "HEAD")) !== "" : textOf(file).startsWith("gitdir:");
}

/** Empty for what is not there, or not for us to see. */
export const textOf = (file: string): string => regularText(file) ?? "";
