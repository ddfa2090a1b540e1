// Puts a skill into the person's own folder, where every project finds it.
import { existsSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import { readSkill } from "../../extensions/skills/library.ts";
import { copyFolder } from "../../io/folders/worktrees.ts";
import { Exit } from "../../protocol/exit.ts";
import type { Program } from "../program/program.ts";

/** Rejects with a Fault for what is no skill, or where there is one of that name. */
export async function addSkill({ places }: Program, wanted: string): Promise<void> {
  const skill = await readSkill({ place: wanted.replace(/\/skill\.md$/i, ""), origin: "user" });
  if (skill.problem !== undefined) {
    throw new Fault(
      "skill.broken",
      Exit.usage,
      `${wanted} is no skill that can be used: it ${skill.problem}.`,
      "See what is wrong with it: fettle skills test FOLDER",
    );
  }
  const folder = path.join(places.config, "skills", skill.name);
  if (existsSync(folder)) {
    throw new Fault("skill.known", Exit.usage, `There is a skill ${skill.name} already.`, `It lies in ${folder}.`);
  }
  await copyFolder(skill.folder, folder, `${folder}.part`);
}
