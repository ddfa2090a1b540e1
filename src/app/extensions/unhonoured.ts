// What of the files that people have for other agents has no effect here, told when it is new and not at each start.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { sha256 } from "../../base/digest.ts";
import { systemError, withFallback } from "../../base/fallback.ts";
import type { Session } from "../../engine/session/session.ts";
import type { AgentFile } from "../../protocol/agent.ts";
import type { Program } from "../program/program.ts";
import { readSkills } from "./skills.ts";
import { readCommands } from "./slash.ts";

const shown = 8;

/** Skills and commands are looked at only where there are any. */
export async function tellUnhonoured(program: Program, session: Session, agents: readonly AgentFile[]): Promise<void> {
  const [skills, commands] = await Promise.all([readSkills(program), readCommands(program)]);
  const files = [...(skills?.files ?? []), ...(commands?.files ?? []), ...agents];
  const { plugins } = program.config();
  if (files.length + plugins.length === 0) return;
  const { workspace, project } = program;
  // What is not trusted is told as that.
  const lines = files.flatMap(({ place, notes, problem }) => {
    const said = problem === undefined ? notes : [problem];
    return said.filter((each) => !each.includes("not trusted")).map((each) => `${nameOf(place, workspace)}: ${each}`);
  });
  for (const { name, notes, parts } of plugins) {
    const unused = parts.flatMap((part) => (part.problem === undefined ? [] : [`${part.name} ${part.problem}`]));
    lines.push(...[...notes, ...unused].map((each) => `plugin ${name}: ${each}`));
  }
  const file = path.join(project.root, "extensions-told");
  const digest = sha256(lines.join("\n"));
  const before = existsSync(file) ? withFallback("", systemError, () => readFileSync(file, "utf8")) : sha256("");
  if (before === digest) return;
  writeFileSync(file, digest, { mode: 0o600 });
  if (lines.length === 0) return;
  const more =
    lines.length > shown
      ? `; and ${lines.length - shown} more (fettle skills list, fettle agents list, fettle plugin list)`
      : "";
  const text = `Of what you have for other agents, this has no effect here: ${lines.slice(0, shown).join("; ")}${more}.`;
  session.append({ type: "notice.given", code: "extensions.unhonoured", level: "info", text });
}

const nameOf = (place: string, workspace: string): string =>
  place.startsWith(`${workspace}${path.sep}`) ? path.relative(workspace, place) : place;
