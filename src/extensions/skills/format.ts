// What SKILL.md says, held against the format of agentskills.io as its reference implementation checks it.
import type { Headed } from "../markdown/front-matter.ts";

export interface SkillHead {
  name: string;
  description: string;
  license?: string;
  compatibility?: string;
  hint?: string;
  forModel: boolean;
  forPerson: boolean;
}

export interface ReadHead {
  /** As far as it can be read. */
  head: SkillHead;
  /** All that the reference implementation would name, a clause each. */
  errors: string[];
  /** Of those, what makes it unusable here. */
  problem?: string;
  notes: string[];
}

/** Fields of the format, and those that agents have added. What has no effect here says why. */
export const skillFields: Readonly<Record<string, string | true>> = {
  name: true,
  description: true,
  license: true,
  compatibility: true,
  metadata: true,
  "allowed-tools": "nothing is allowed by a file: the gate judges each call",
  "argument-hint": true,
  "disable-model-invocation": true,
  "user-invocable": true,
  when_to_use: true,
  model: "a skill is read by the model that is at work",
  effort: "a skill is read by the model that is at work",
  context: "a skill is used in the conversation that asks for it",
  agent: "a skill is used in the conversation that asks for it",
  hooks: "hooks stand in settings, where they are listed and need trust",
  "disallowed-tools": "a skill takes no tool away",
  paths: "a skill is offered whatever files are worked on",
  shell: "scripts run by the shell of the machine",
  arguments: "arguments are handed on as they are typed",
  version: "no other version is looked for",
};
const ofFormat = ["name", "description", "license", "compatibility", "metadata", "allowed-tools"];

const most = { name: 64, description: 1024, compatibility: 500 };

/** `folder`: the name of the folder that it stands in. */
export function readHead({ head }: Headed, folder: string): ReadHead {
  const said = (key: string): string | undefined => {
    const value = head[key];
    return typeof value === "string" || typeof value === "number" || typeof value === "boolean"
      ? String(value).trim()
      : undefined;
  };
  const problems = [
    ...nameProblems(head["name"], said("name"), folder),
    ...textProblems("description", head["description"], said("description"), most.description),
    ...("compatibility" in head
      ? textProblems("compatibility", head["compatibility"], said("compatibility"), most.compatibility)
      : []),
    ...toolProblems(head["allowed-tools"]),
    ...metadataProblems(head["metadata"]),
  ];
  const unexpected = Object.keys(head).filter((key) => !ofFormat.includes(key));
  const errors = [...problems, ...unexpected.map((key) => `has the field ${key}, which the format does not know`)];
  const notes = Object.keys(head).flatMap((key) => noteOf(key));
  const [problem] = problems;
  const [license, compatibility, hint] = [said("license"), said("compatibility"), said("argument-hint")];
  const more = said("when_to_use");
  return {
    head: {
      name: (said("name") ?? folder).normalize("NFKC"),
      description: [said("description") ?? "", ...(more ? [more] : [])].join(" "),
      ...(license && { license }),
      ...(compatibility && { compatibility }),
      ...(hint && { hint }),
      forModel: said("disable-model-invocation") !== "true",
      forPerson: said("user-invocable") !== "false",
    },
    ...{ errors, notes },
    ...(problem !== undefined && { problem }),
  };
}

function noteOf(key: string): string[] {
  const effect = Object.hasOwn(skillFields, key) ? skillFields[key] : "fettle does not know it";
  return effect === true ? [] : [`${key} has no effect: ${effect}`];
}

function nameProblems(value: unknown, text: string | undefined, folder: string): string[] {
  if (value === undefined || value === null) return ["has no name in its front matter"];
  if (text === undefined || text === "") return ["has a name that is no text"];
  const name = text.normalize("NFKC");
  const shown = JSON.stringify(name.slice(0, 70));
  return [
    ...([...name].length > most.name ? [`has a name of more than ${most.name} characters`] : []),
    ...(name === name.toLowerCase() ? [] : [`has the name ${shown}, which must be lowercase`]),
    ...(/^-|-$/.test(name) ? [`has the name ${shown}, which must not begin or end with a hyphen`] : []),
    ...(name.includes("--") ? [`has the name ${shown}, with two hyphens in a row`] : []),
    ...(/^[\p{L}\p{N}-]*$/u.test(name) ? [] : [`has the name ${shown}: letters, digits and hyphens make one`]),
    ...(name === folder.normalize("NFKC")
      ? []
      : [`has the name ${shown}, and its folder is called ${JSON.stringify(folder.slice(0, 70))}`]),
  ];
}

function textProblems(field: string, value: unknown, text: string | undefined, longest: number): string[] {
  if (value === undefined || value === null) return [`has no ${field} in its front matter`];
  if (text === undefined) return [`has a ${field} that is no text`];
  if (text === "") return [`has an empty ${field}`];
  const length = [...text].length;
  return length > longest ? [`has a ${field} of ${length} characters; ${longest} are allowed`] : [];
}

function toolProblems(value: unknown): string[] {
  if (value === undefined || value === null || typeof value === "string") return [];
  if (!Array.isArray(value)) return ["has allowed-tools that are neither text nor a list"];
  return value.every((each) => typeof each === "string") ? [] : ["has allowed-tools with an entry that is no text"];
}

function metadataProblems(value: unknown): string[] {
  if (value === undefined || value === null) return [];
  const isMapping = typeof value === "object" && !Array.isArray(value);
  return isMapping ? [] : ["has metadata that is no mapping"];
}
