// What people ask about skills and custom commands.
import path from "node:path";
import { readSkill } from "../../../extensions/skills/library.ts";
import type { CommandFile, SkillFile } from "../../../protocol/extension.ts";
import type { Program } from "../../program/program.ts";
import { readSkills } from "../../extensions/skills.ts";
import { readCommands } from "../../extensions/slash.ts";

export const listSkills = async (program: Program): Promise<SkillFile[]> => (await readSkills(program))?.files ?? [];

export const listCommands = async (program: Program): Promise<CommandFile[]> =>
  (await readCommands(program))?.files ?? [];

/** A folder, or its SKILL.md. */
export async function checkSkill(program: Program, wanted: string): Promise<SkillFile> {
  const full = path.resolve(program.cwd, wanted).replace(/\/skill\.md$/i, "");
  const { body: _body, folder: _folder, ...file } = await readSkill({ place: full, origin: "user" });
  return file;
}
