// Makes the demonstration of projects ready: a repository, a forge on this machine, and a home beside them, so that nothing of it
// reaches the person's configuration.
import { randomBytes } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { serveForge } from "../../io/forge/local-forge.ts";
import { runGit } from "../../io/git/git.ts";
import { packageRoot, runtimeFolder } from "../../io/installation.ts";
import type { ProjectDemoPlan } from "../../protocol/demo.ts";
import { Exit } from "../../protocol/exit.ts";

const repository = "demo/degrees";

/** What it makes stays, for the person to look at. Rejects with a Fault (exit 2) without git. */
export async function prepareProject(program: string, note: string | undefined): Promise<ProjectDemoPlan> {
  const bundled = path.join(packageRoot(), "assets", "demo-project");
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), "fettle-demo-")));
  const workspace = path.join(folder, "degrees");
  cpSync(path.join(bundled, "project"), workspace, { recursive: true });
  renameSync(path.join(workspace, "gitignore"), path.join(workspace, ".gitignore"));
  const root = path.join(folder, "forge");
  const bare = path.join(root, `${repository}.git`);
  const author = ["-c", "user.name=fettle demo", "-c", "user.email=demo@localhost"];
  await git(workspace, ["init", "--quiet", "--initial-branch=main"]);
  await git(workspace, ["add", "--all"]);
  await git(workspace, [...author, "commit", "--quiet", "--message=Import the sample"]);
  cpSync(path.join(workspace, ".git"), bare, { recursive: true });
  await git(bare, ["config", "core.bare", "true"]);
  await git(bare, ["config", "http.receivepack", "true"]);
  const token = randomBytes(12).toString("hex");
  const forge = await serveForge({ root, repository, token });
  await git(workspace, ["remote", "add", "origin", forge.url]);
  const home = (name: string) => path.join(folder, "home", name);
  const env = {
    ...Object.fromEntries(
      ["config", "state", "data", "cache"].map((name) => [`XDG_${name.toUpperCase()}_HOME`, home(name)]),
    ),
    GITHUB_TOKEN: token,
  };
  mkdirSync(path.join(home("config"), "fettle"), { recursive: true });
  writeFileSync(path.join(home("config"), "fettle", "config.toml"), "");
  const commitAt = async (cwd: string, name: string) => (await runGit(["rev-parse", name], { cwd })).out.toString();
  const holds = async (branch: string) =>
    (await commitAt(bare, `refs/heads/${branch}`)) === (await commitAt(workspace, "HEAD"));
  return {
    ...{ folder, workspace, env, program, forge: { folder: bare, pulls: () => forge.pulls, holds } },
    idea: readFileSync(path.join(bundled, "idea.md"), "utf8").trim(),
    testCommand: "npm test",
    flags: {
      cwd: workspace,
      model: "scripted/demo",
      autonomy: 2,
      headless: false,
      programs: runtimeFolder(),
      settings: {
        "providers.scripted.type": "recorded",
        "providers.scripted.recording": path.join(bundled, "recording.jsonl"),
        "forge.github_api": forge.api,
      },
    },
    ...(note !== undefined && { note }),
    close: () => forge.close(),
  };
}

async function git(cwd: string, args: string[]): Promise<void> {
  const { code, err } = await runGit(args, { cwd });
  if (code !== 0)
    throw new Fault(
      "demo.git",
      Exit.usage,
      `git ${args[0] ?? ""} failed: ${err.trim()}`,
      "A project needs git; `git --version` says whether it is there.",
    );
}
