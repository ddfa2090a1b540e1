// Where fettle works: the git toplevel of the folder it is started in, else that folder.
import { realpathSync } from "node:fs";
import os from "node:os";
import { Fault } from "../../base/fault.ts";
import { Exit } from "../../protocol/exit.ts";
import { gitToplevel } from "../git/git.ts";

/**
 * Real path of the workspace. The file system's root and the home folder are too much to work on unasked: they are
 * refused unless a flag named the folder (`explicit`), and a repository that is the home folder does not swallow the
 * folders below it.
 */
export function findWorkspace(cwd: string, explicit: boolean, home: string = os.homedir()): string {
  const here = real(cwd);
  const tooWide = new Set(["/", real(home, home)]);
  const top = gitToplevel(here);
  const workspace = top === undefined || tooWide.has(real(top)) ? here : real(top);
  if (!tooWide.has(workspace) || explicit) return workspace;
  throw new Fault(
    "workspace.wide",
    Exit.usage,
    `${workspace} is ${workspace === "/" ? "the whole file system" : "your home folder"}, which is more than fettle works on unasked.`,
    `Change into a project, or name the folder: \`fettle --cwd ${workspace} …\`.`,
  );
}

function real(folder: string, fallback?: string): string {
  try {
    return realpathSync(folder);
  } catch (error) {
    if (fallback !== undefined) return fallback;
    const why = error instanceof Error && "code" in error ? String(error.code) : String(error);
    throw new Fault(
      "workspace.missing",
      Exit.usage,
      `${folder} is not a folder that can be opened (${why}).`,
      "Change into a folder that is there, or name one: fettle --cwd FOLDER …",
    );
  }
}
