// What is newer than the fettle that runs, as far as its own folder knows: no server is asked.
import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { runGit } from "../../../io/git/git.ts";
import { packageRoot } from "../../../io/installation.ts";
import type { NewerView } from "../../../protocol/newer.ts";
import type { Program } from "../../program/program.ts";

const mostShown = 20;

export async function newer({ version }: Program, folder: string = packageRoot()): Promise<NewerView> {
  if (!existsSync(path.join(folder, ".git"))) return { version, folder, kind: "package" };
  const git = async (...args: string[]) => {
    const { code, out } = await runGit(args, { cwd: folder });
    return code === 0 ? out.toString("utf8").trim() : undefined;
  };
  const upstream = await git("rev-parse", "--abbrev-ref", "@{upstream}");
  const count = upstream === undefined ? undefined : Number(await git("rev-list", "--count", "HEAD..@{upstream}"));
  if (upstream === undefined || count === undefined || Number.isNaN(count)) return { version, folder, kind: "clone" };
  const log = await git("log", "--format=%h %s", `--max-count=${mostShown}`, "HEAD..@{upstream}");
  const fetched = await git("rev-parse", "--path-format=absolute", "--git-path", "FETCH_HEAD");
  const fetchedAt = fetched && statSync(fetched, { throwIfNoEntry: false })?.mtimeMs;
  return {
    ...{ version, folder, kind: "clone", upstream, count },
    commits: log?.split("\n").filter((line) => line !== "") ?? [],
    ...(typeof fetchedAt === "number" && { fetchedAt: Math.round(fetchedAt) }),
  };
}
