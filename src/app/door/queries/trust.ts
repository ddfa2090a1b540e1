// What a repository brings, with what each part says of itself, would start and reach: what a person sees before they trust it.
import path from "node:path";
import { suspicions } from "../../../guard/firewall/data.ts";
import { projectExtensions } from "../../../io/config/extension-files.ts";
import type { HookSettings } from "../../../io/config/setting-kinds.ts";
import type { TrustNote, TrustRow, TrustView } from "../../../protocol/trust.ts";
import type { Program } from "../../program/program.ts";
import { trustView } from "../../program/trust.ts";

export async function brought(program: Program): Promise<TrustView> {
  const view = trustView(program);
  const items = await Promise.all(view.items.map(async (row) => ({ ...row, notes: await notesOf(row, program) })));
  return { ...view, items };
}

async function notesOf(row: TrustRow, { workspace }: Program): Promise<TrustNote[]> {
  const [kind = ""] = row.what.split(" ", 1);
  const full = path.join(workspace, row.place);
  if (kind === "hook") return hookNotes(row.value as unknown as HookSettings);
  if (kind === "skill") return skillNotes(full);
  if (kind === "command") {
    const root = projectExtensions("command", workspace).find((each) => each.place === full)?.root;
    return commandNotes(full, root ?? path.dirname(full));
  }
  return kind === "agent" ? agentNotes(full) : [];
}

export const note = (kind: TrustNote["kind"], text: string | undefined): TrustNote[] =>
  text === undefined || text === "" ? [] : [{ kind, text }];

const hookNotes = ({ command, event, hosts, home_read: home }: HookSettings): TrustNote[] => [
  ...note("runs", `${command} (${event})`),
  ...note("reaches", hosts.join(", ")),
  ...note("reads", home ? "~" : ""),
];

export async function skillNotes(folder: string): Promise<TrustNote[]> {
  const { readSkill } = await import("../../../extensions/skills/library.ts");
  const skill = await readSkill({ place: folder, origin: "project", trusted: "shown" });
  const text = `${skill.name}\n${skill.description}\n${skill.body}`;
  return [
    ...note("says", skill.description),
    ...note("runs", skill.scripts.join(", ")),
    ...(skill.errors.length > 0 ? note("warns", skill.errors.join("; ")) : []),
    ...(await warnings(skill.name, text)),
  ];
}

export async function commandNotes(place: string, root: string): Promise<TrustNote[]> {
  const { readCommandFile } = await import("../../../extensions/commands/library.ts");
  const command = await readCommandFile({ place, root, origin: "project" });
  const { name, description, problem, runs, reads, text } = command;
  return [
    ...note("says", description),
    ...note("runs", runs.join("; ")),
    ...note("reads", reads.join(", ")),
    ...note("warns", problem),
    ...(await warnings(name, `${name}\n${description}\n${text ?? ""}`)),
  ];
}

export async function agentNotes(place: string): Promise<TrustNote[]> {
  const { readDefinition } = await import("../../agents/library.ts");
  const { name, definition, problem } = await readDefinition(place, "project");
  const { description, tools, prompt } = definition ?? {};
  return [
    ...note("says", description),
    ...note("runs", tools?.join(", ")),
    ...note("warns", problem),
    ...(await warnings(name, `${name}\n${description}\n${prompt}`)),
  ];
}

const unseen = /[\p{Cf}\p{Co}\p{Cn}\u{e0000}-\u{e007f}]/u;
const scripts = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

/** What a reader does not see, or takes for something else. */
async function warnings(name: string, text: string): Promise<TrustNote[]> {
  const found = await suspicions(text);
  const mixed = scripts.filter((script) => script.test(name)).length > 1;
  return [
    ...(found.length > 0 ? note("warns", found.join(", ")) : []),
    ...(unseen.test(text) ? note("warns", "characters that nobody sees") : []),
    ...(mixed ? note("warns", "a name with letters of several scripts that look alike") : []),
  ];
}
