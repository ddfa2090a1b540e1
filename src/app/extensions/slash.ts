// `/NAME …` in a prompt: a custom command or a skill, which the model then reads as what the person wants.
import { existsSync } from "node:fs";
import path from "node:path";
import { Fault } from "../../base/fault.ts";
import type { CommandCall, CommandOpening } from "../../engine/command-calls.ts";
import type { Session } from "../../engine/session/session.ts";
import type { CommandLibrary } from "../../extensions/commands/library.ts";
import type { AgentOrigin } from "../../protocol/agent.ts";
import { Exit } from "../../protocol/exit.ts";
import type { SlashRow } from "../../protocol/extension.ts";
import type { Part } from "../../protocol/message.ts";
import type { Program } from "../program/program.ts";
import { type ExtensionContext, extensionPlaces } from "./places.ts";
import { routineOpening } from "./routines.ts";
import { mentionedResources, namedPrompt, promptRows } from "./server-calls.ts";
import { readSkills, type SessionSkills } from "./skills.ts";

export async function readCommands(context: ExtensionContext): Promise<CommandLibrary | undefined> {
  const places = extensionPlaces("command", context);
  if (places.length === 0) return undefined;
  const { commandLibrary } = await import("../../extensions/commands/library.ts");
  return commandLibrary(places);
}

/** A command goes before a skill of the same name. */
export async function slashRows(context: Program): Promise<SlashRow[]> {
  const [commands, skills] = await Promise.all([readCommands(context), readSkills(context)]);
  const rows = new Map<string, SlashRow>(promptRows(context).map((row) => [row.name, row]));
  for (const { name, origin, description, hint, forPerson } of skills?.usable.values() ?? [])
    if (forPerson) rows.set(name, { kind: "skill", name, origin, description, ...(hint && { hint }) });
  for (const { name, origin, description, hint } of commands?.usable.values() ?? [])
    rows.set(name, { kind: "command", name, origin, description, ...(hint && { hint }) });
  return [...rows.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}

/** The name and what follows it, where a prompt begins with a slash and a name. */
export function namedIn(prompt: readonly Part[]): { name: string; argument: string } | undefined {
  const [first] = prompt;
  if (first?.type !== "text" || first.source !== undefined) return undefined;
  const [, name, argument = ""] =
    /^\/([\p{L}\p{N}_][\p{L}\p{N}_:.-]*)(?:\s+([\s\S]*))?$/u.exec(first.text.trim()) ?? [];
  return name === undefined ? undefined : { name: name.normalize("NFKC").toLowerCase(), argument: argument.trim() };
}

interface SlashContext {
  program: Program;
  session: Session;
  /** Of the session; absent where there are none. */
  skills: SessionSkills | undefined;
  /** The model that a command names, as far as that may choose. */
  modelOf(command: { name: string; model: string; origin: AgentOrigin }): Promise<string>;
}

/** Undefined for a prompt that names nothing of the kind. Throws a Fault for what was changed since it was trusted. */
export async function openingOf(prompt: readonly Part[], context: SlashContext): Promise<CommandOpening | undefined> {
  const slashed = await slashedOpening(prompt, context);
  const resources = mentionedResources(prompt, context.program);
  if (resources.length === 0) return slashed;
  const { text, calls } = slashed ?? { text: "What the person names with @ stands below.", calls: [] };
  return { ...slashed, text, calls: [...calls, ...resources] };
}

async function slashedOpening(prompt: readonly Part[], context: SlashContext): Promise<CommandOpening | undefined> {
  const named = namedIn(prompt);
  if (!named) return undefined;
  const commands = await readCommands(context.program);
  const command = commands?.usable.get(named.name);
  if (!command)
    return (
      routineOpening(context.program, context.session, named) ??
      (await skillOpening(named, context)) ??
      promptOpening(named, context)
    );
  const { expand } = await import("../../extensions/commands/template.ts");
  const { text, runs, reads } = expand(command.template, named.argument);
  const { workspace } = context.program;
  const { model, origin, name } = command;
  return {
    text: `The person uses the command /${name}. It says:\n\n${text}`,
    calls: [
      ...runs.map((line): CommandCall => ({ tool: "shell", input: { command: line }, label: `Output of \`${line}\`` })),
      ...reads
        .filter((file) => existsSync(path.resolve(workspace, file)))
        .map((file): CommandCall => ({ tool: "read", input: { path: file }, label: `File ${file}` })),
    ],
    ...(model !== undefined && { model: await context.modelOf({ name, model, origin }) }),
  };
}

/** What a server says stays data: the person's own word is that it be done. */
function promptOpening(
  { name, argument }: { name: string; argument: string },
  { program }: SlashContext,
): CommandOpening | undefined {
  const call = namedPrompt(name, argument, program);
  return (
    call && {
      text: `The person uses /${name}, a prompt of an MCP server. What it says stands below; do what it asks for, as far as a prompt of that name would.`,
      calls: [call],
    }
  );
}

async function skillOpening(
  { name, argument }: { name: string; argument: string },
  { skills }: SlashContext,
): Promise<CommandOpening | undefined> {
  const skill = skills?.find(name);
  if (!skills || !skill) return undefined;
  const used = await skills.use(skill);
  if ("problem" in used) throw new Fault("skill.unusable", Exit.usage, used.problem, "Look at it: fettle skills list");
  const rest = argument === "" ? "" : `\n\nArguments: ${argument}`;
  return { text: `The person uses the skill ${name}.\n\n${used.text}${rest}`, calls: [] };
}
