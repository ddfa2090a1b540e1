// Whether a planned command can be what it promises: it exists in this repository, ends by itself, and can fail.

/** What the repository declares; undefined where it has no such file. */
export interface DeclaredCommands {
  /** Of package.json. */
  scripts?: ReadonlySet<string>;
  /** Of the Makefile, and of the justfile. */
  targets?: ReadonlySet<string>;
  recipes?: ReadonlySet<string>;
}

export type CommandProblem = "empty" | "cannotFail" | "watches" | "noScript" | "noTarget" | "prose";

const runners: ReadonlySet<string> = new Set(["npm", "pnpm", "yarn", "bun"]);
const ownOfRunner =
  /^(?:install|i|ci|add|exec|dlx|x|create|init|audit|outdated|pack|why|ls|list|view|info|help|t|tst)$/;

/** The first thing that is wrong with it, and the name that is missing. */
export function commandProblem(
  command: string,
  declared: DeclaredCommands,
): { problem: CommandProblem; name?: string } | undefined {
  const line = command.trim();
  if (line === "") return { problem: "empty" };
  if (cannotFail(line)) return { problem: "cannotFail" };
  // A sentence: it begins with a capital letter that is followed by small ones, as no command does.
  if (/^[A-Z][a-z]+ +[a-z]+ /.test(line) && !/[|&;=/$<>`-]/.test(line)) return { problem: "prose" };
  for (const part of partsOf(line)) {
    if (
      /(?:^|\s)(?:--watch(?:All)?(?:=true)?|-w)(?=\s|$)|\bwatch(?=\s*$)|^(?:npx )?nodemon\b/.test(part) &&
      !/--watch(?:All)?=false/.test(part)
    )
      return { problem: "watches" };
    const missing = missingIn(part, declared);
    if (missing) return missing;
  }
  return undefined;
}

/** Cut at what joins commands; quoted text that holds one is cut, too, which finds less, never more. */
const partsOf = (line: string): string[] =>
  line
    .split(/&&|\|\||;|\|/)
    .map((part) => part.trim().replace(/^(?:\w+=\S*\s+)+/, ""))
    .filter((part) => part !== "");

/** Whose exit code says nothing of what they read from a pipe. */
const filters =
  /^(?:tail|head|cat|tee|sort|uniq|wc|cut|tr|nl|column|less|more|sed|grep\s(?:.*\s)?(?:-[A-Za-z]*c[A-Za-z]*|--count))(?=\s|$)/;
const harmless = /^(?:true|:|exit 0|echo\b.*|printf\b.*|sleep \S+)$/;

/** As a shell computes the exit code of the line, with what is quoted or substituted left out. */
function cannotFail(line: string): boolean {
  const bare = blanked(line);
  const careful = /(?:^|[;&\s])set -[a-z]*e/.test(bare);
  const pipefail = /\bpipefail\b/.test(bare);
  const lists = bare.split(careful ? /\n{2,}/ : /[;\n]/).map((list) => list.trim());
  const last = lists.findLast((list) => list !== "") ?? "";
  const [first = "", ...rest] = last.split(careful ? /(&&|\|\||;|\n)/ : /(&&|\|\|)/);
  let never = pipelineCannotFail(first, pipefail);
  for (let at = 0; at + 1 < rest.length; at += 2) {
    const next = pipelineCannotFail(rest[at + 1] ?? "", pipefail);
    never = rest[at] === "||" ? never || next : never && next;
  }
  return never;
}

function pipelineCannotFail(pipeline: string, pipefail: boolean): boolean {
  const parts = pipeline.split(/\|&?/).map((part) =>
    part
      .trim()
      .replace(/^[({]\s*/, "")
      .replace(/\s*[)}]$/, "")
      .replace(/^(?:\w+=\S*\s+)+/, ""),
  );
  const never = parts.map(
    (part, at) => part === "" || /^set [-+]/.test(part) || harmless.test(part) || (at > 0 && filters.test(part)),
  );
  return pipefail ? never.every(Boolean) : never.at(-1) === true;
}

function blanked(line: string): string {
  let bare = line.replace(/\\./g, "_").replace(/'[^']*'|"[^"]*"|`[^`]*`/g, "_");
  for (let before = ""; before !== bare; ) {
    before = bare;
    bare = bare.replace(/\$\([^()]*\)/g, "_");
  }
  return bare;
}

function missingIn(
  part: string,
  { scripts, targets, recipes }: DeclaredCommands,
): { problem: CommandProblem; name: string } | undefined {
  const [program = "", ...rest] = part.split(/\s+/);
  const words = rest.filter((word) => !word.startsWith("-"));
  if (runners.has(program) && scripts && !/\s(?:--prefix|-C|--cwd|--dir|-w|--workspace)\b/.test(part)) {
    const [first = "", second = ""] = words;
    const said = /^(?:run|run-script)$/.test(first)
      ? second
      : /^(?:test|start)$/.test(first)
        ? first
        : program === "npm" || ownOfRunner.test(first)
          ? ""
          : first;
    if (said !== "" && /^[\w:.-]+$/.test(said) && !scripts.has(said) && (program === "npm" || /^run/.test(first)))
      return { problem: "noScript", name: said };
  }
  const [target = ""] = words;
  const known = program === "make" ? targets : program === "just" ? recipes : undefined;
  if (known && /^[\w.-]+$/.test(target) && !known.has(target) && !/\s-[fC]/.test(part))
    return { problem: "noTarget", name: target };
  return undefined;
}

/** From the texts of the files at the top of the repository. A broken package.json declares nothing that could be missed. */
export function declaredCommands(texts: {
  packageJson?: string;
  makefile?: string;
  justfile?: string;
}): DeclaredCommands {
  const scripts = texts.packageJson === undefined ? undefined : scriptsIn(texts.packageJson);
  const names = (text: string) =>
    new Set([...text.matchAll(/^([A-Za-z][\w.-]*)[^\n:=]*:(?!=)/gm)].map(([, name = ""]) => name));
  // What a pattern rule or an included file makes is not seen here.
  const open = (text: string) => /^(?:-?include|%)|^[^\n]*%[^\n]*:/m.test(text);
  return {
    ...(scripts && { scripts }),
    ...(texts.makefile !== undefined && !open(texts.makefile) && { targets: names(texts.makefile) }),
    ...(texts.justfile !== undefined &&
      !/^(?:import|mod)\b/m.test(texts.justfile) && { recipes: names(texts.justfile) }),
  };
}

function scriptsIn(text: string): Set<string> | undefined {
  try {
    const manifest: unknown = JSON.parse(text);
    const scripts: unknown =
      typeof manifest === "object" && manifest !== null ? Reflect.get(manifest, "scripts") : undefined;
    return new Set(typeof scripts === "object" && scripts !== null ? Object.keys(scripts) : []);
  } catch {
    return undefined;
  }
}
