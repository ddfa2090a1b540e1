// The skills of a session: what the model is told of them at first, and what it reads when it uses one.
import path from "node:path";
import { nearest } from "../../base/fuzzy.ts";
import { outlineOf } from "../../base/outline.ts";
import { extensionDigest } from "../../io/config/extension-files.ts";
import { copyFolder } from "../../io/folders/worktrees.ts";
import type { Skill, SkillLibrary } from "../../extensions/skills/library.ts";
import type { SkillShelf } from "../../tools/skill.ts";
import { type ExtensionContext, extensionPlaces } from "./places.ts";

/** Loads nothing where there is no skill. */
export async function readSkills(context: ExtensionContext): Promise<SkillLibrary | undefined> {
  const places = extensionPlaces("skill", context);
  if (places.length === 0) return undefined;
  const { skillLibrary } = await import("../../extensions/skills/library.ts");
  return skillLibrary(places);
}

/** Bytes of the first request. */
export const outlineBytes = 1_600;

export const skillOutline = (skills: readonly { name: string; description: string }[]): string =>
  outlineOf(skills, outlineBytes, (names) => `${names.length} more: give words instead of a name to find them`);

/** What a skill says, once it is used. */
export type UsedSkill = { text: string } | { problem: string };

/**
 * A person's skill lies outside of the workspace, where no command sees it: its folder is copied to the session's temporary
 * folder when it is first used. A repository's is used where it lies, and only as long as it is what was accepted.
 */
export class SessionSkills {
  readonly #library: SkillLibrary;
  readonly #workspace: string;
  readonly #temporary: string;
  readonly #copies = new Map<string, Promise<void>>();

  constructor(library: SkillLibrary, { workspace, temporary }: { workspace: string; temporary: string }) {
    this.#library = library;
    this.#workspace = workspace;
    this.#temporary = temporary;
  }

  /** Undefined where there is none that a model may use by itself. */
  async shelf(): Promise<SkillShelf | undefined> {
    const offered = [...this.#library.usable.values()].filter(({ forModel }) => forModel);
    if (offered.length === 0) return undefined;
    return {
      outline: skillOutline(offered),
      use: async (name, file) => {
        const skill = offered.find((each) => each.name === name.toLowerCase());
        return skill ? this.use(skill, file) : { problem: searched(offered, name) };
      },
    };
  }

  /** That a person may use by its name. */
  find(name: string): Skill | undefined {
    const skill = this.#library.usable.get(name);
    return skill?.forPerson ? skill : undefined;
  }

  async use(skill: Skill, file?: string): Promise<UsedSkill> {
    const { trusted } = skill;
    if (skill.origin === "project" && trusted !== extensionDigest(skill.place))
      return {
        problem: `The skill ${skill.name} has changed since it was trusted, and is not used: fettle trust show.`,
      };
    const { skillMost, textIn } = await import("../../extensions/skills/folder.ts");
    if (file !== undefined) {
      const wanted = path.normalize(file).replace(/^\.\//, "");
      if (!skill.files.includes(wanted))
        return { problem: `The skill ${skill.name} has no file ${file}. It has: ${listed(skill.files)}.` };
      const text = await textIn(skill.folder, wanted, skillMost.fileBytes);
      return typeof text === "string" ? { text } : { problem: `The skill ${skill.name} ${text.problem}.` };
    }
    const place = await this.#placeOf(skill);
    const body = skill.body.replaceAll(/\$\{(?:CLAUDE_SKILL_DIR|SKILL_DIR)\}|\{baseDir\}/g, place);
    const files = skill.files.length === 0 ? "" : ` Its files, in ${place}: ${listed(skill.files)}.`;
    return { text: `Skill ${skill.name}.${files}\n\n${body}` };
  }

  async #placeOf(skill: Skill): Promise<string> {
    if (skill.origin === "project") return path.relative(this.#workspace, skill.folder);
    const copy = path.join(this.#temporary, "skills", skill.name);
    if (skill.files.length === 0) return copy;
    const copied = this.#copies.get(skill.name) ?? copyFolder(skill.folder, copy, `${copy}.part`);
    this.#copies.set(skill.name, copied);
    await copied;
    return copy;
  }
}

const mostListed = 40;

const listed = (files: readonly string[]): string =>
  files.length === 0
    ? "no file"
    : `${files.slice(0, mostListed).join(", ")}${files.length > mostListed ? ` and ${files.length - mostListed} more` : ""}`;

/** Words instead of a name find those whose description has them. */
function searched(skills: readonly Skill[], words: string): string {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const found = skills.filter(({ name, description }) =>
    wanted.some((word) => `${name} ${description}`.toLowerCase().includes(word)),
  );
  const near = found.length > 0 ? found : nearest(skills, words, ({ name }) => name, 5);
  const shown = near.slice(0, 10).map(({ name, description }) => `- ${name}: ${description.slice(0, 200)}`);
  return [
    `There is no skill ${JSON.stringify(words.slice(0, 80))}.`,
    ...(shown.length > 0 ? ["Near it:", ...shown] : []),
  ].join("\n");
}
