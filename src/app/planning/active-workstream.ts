// Which workstream is worked on: what the environment says, else what the project has written down, else the main project.
import { existsSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { readBytes } from "../../io/files/bytes.ts";
import { FileProblem } from "../../io/files/problem.ts";
import { Exit } from "../../protocol/exit.ts";
import { activeFile, isStreamName } from "../../work/project/formats/workstream.ts";
import type { Program } from "../program/program.ts";

/** Throws a Fault where it names one that there is not: nothing is written to another one in its place. */
export async function activeStream({
  env,
  workspace,
}: Pick<Program, "env" | "workspace">): Promise<string | undefined> {
  const planning = path.join(workspace, ".planning");
  const said = env["FETTLE_WORKSTREAM"]?.trim();
  const name = said === undefined || said === "" ? await writtenDown(path.join(planning, activeFile)) : said;
  if (name === undefined) return undefined;
  if (isStreamName(name) && existsSync(path.join(planning, "workstreams", name))) return name;
  const written = said === undefined || said === "";
  const from = written ? `.planning/${activeFile}` : "FETTLE_WORKSTREAM";
  throw new Fault(
    "project.no-workstream",
    Exit.usage,
    `There is no workstream ${JSON.stringify(name)}, which ${from} names.`,
    written
      ? "Leave it: fettle project workstreams switch --main"
      : "Unset it (unset FETTLE_WORKSTREAM), or name a folder of .planning/workstreams.",
  );
}

async function writtenDown(file: string): Promise<string | undefined> {
  try {
    const text = new TextDecoder().decode((await readBytes(file, { limit: 200 })).bytes).trim();
    return text === "" ? undefined : text;
  } catch (error) {
    if (error instanceof FileProblem && error.code === "missing") return undefined;
    throw error;
  }
}
