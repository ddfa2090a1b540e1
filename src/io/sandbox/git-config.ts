// What a git control file may say without making git run a program or look elsewhere.
import path from "node:path";

/** Keys that name no program, file or protocol. */
const harmlessKeys =
  /^(core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)|remote\..*\.(url|pushurl|fetch|prune|tagopt)|branch\..*\.(remote|merge|rebase)|user\.(name|email)|extensions\.(objectformat|worktreeconfig)|init\.defaultbranch|submodule\..*\.(url|active))$/i;

/** Lines as `section.subsection.key=value`; what is not a plain line is kept whole, so that it matches nothing known. */
function configLines(text: string): string[] {
  let section = "?";
  return text.split(/\r?\n/).flatMap((line) => {
    const trimmed = line.trim();
    if (trimmed === "" || /^[#;]/.test(trimmed)) return [];
    const header = /^\[\s*([\w.-]+)(?:\s+"([^"\\]*)")?\s*\]$/.exec(trimmed);
    if (header) {
      section = header[2] === undefined ? (header[1] ?? "?") : `${header[1]}.${header[2]}`;
      return [];
    }
    const entry = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*))?$/.exec(trimmed);
    if (!entry || trimmed.endsWith("\\")) return [`?=${trimmed}`];
    return [`${section}.${entry[1]}=${entry[2] ?? ""}`];
  });
}

/** `ext::` and the like start programs, an option in the place of an address too. */
const plainAddress = (value: string): boolean => !value.includes("::") && !/^["']?-/.test(value);

function harmlessLine(line: string, folder: string, workspace: string): boolean {
  const cut = line.indexOf("=");
  const key = line.slice(0, cut);
  const value = line.slice(cut + 1);
  if (/^core\.worktree$/i.test(key)) {
    const place = path.resolve(folder, value);
    return place === workspace || place.startsWith(`${workspace}/`);
  }
  if (/url$/i.test(key) && !plainAddress(value)) return false;
  return harmlessKeys.test(key);
}

/** Whether a change of a control file can stay. `before` is undefined for a new file. */
export function acceptable(
  file: string,
  texts: { before: string | undefined; now: string },
  workspace: string,
): boolean {
  const { before, now } = texts;
  const name = path.basename(file);
  const folder = path.dirname(file);
  const place = path.basename(folder);
  if (place === "hooks") return before === undefined && name.endsWith(".sample");
  if (place === "info")
    return name === "refs" || name === "sparse-checkout" || (name === "exclude" && before === undefined);
  if (name === "config" || name === "config.worktree") {
    const old = new Set(configLines(before ?? ""));
    return configLines(now).every((line) => old.has(line) || harmlessLine(line, folder, workspace));
  }
  const newWorktree = before === undefined && path.basename(path.dirname(folder)) === "worktrees";
  return newWorktree && (name === "gitdir" || (name === "commondir" && now.trim() === "../.."));
}
