// The scripts of a package.json: which there are, and which a command stands for.
import { membersOf } from "../../../../base/json-text.ts";

const mostScripts = 20;

const options = String.raw`(?:(?:--prefix|-C|--dir|--cwd|--filter|-F|-w|--workspace)\s+\S+\s+|--?\S+\s+)*`;
const scriptCall = new RegExp(
  String.raw`\b(?:npm|pnpm|yarn|bun)\s+${options}(?:run(?:-script)?\s+)?${options}([\w:.-]+)`,
  "g",
);

/** The commands with the scripts of package.json that they stand for, and those that npm runs before and after. */
export function withScripts(commands: readonly string[], manifest: string | undefined): string[] {
  const scripts = scriptsOf(manifest);
  const found = new Set(commands);
  for (const command of found) {
    if (found.size > commands.length + mostScripts) break;
    for (const [, name = ""] of command.matchAll(scriptCall)) {
      const own = [scripts[`pre${name}`], scripts[name], scripts[`post${name}`]];
      for (const script of own) if (typeof script === "string") found.add(script);
    }
  }
  return [...found];
}

export function scriptsOf(manifest: string | undefined): Record<string, unknown> {
  const { scripts } = membersOf(manifest ?? "");
  return typeof scripts === "object" && scripts !== null ? { ...scripts } : {};
}
