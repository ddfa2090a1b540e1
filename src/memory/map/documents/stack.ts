import type { Codebase } from "../codebase.ts";
import type { Dependency, Manifests } from "../manifests.ts";
import { bullets, code, counted, document, number, place } from "../markdown.ts";

const scripts = new Set(["sh", "bash", "ps1", "sql"]);

/** Languages, runtimes, dependencies and what they are set up with. */
export function stack(codebase: Codebase, { dependencies, runtimes, commands }: Manifests): string {
  const programs = new Set(
    codebase.files
      .filter(({ kind, exports, lines }) => kind === "source" && lines > 0 && exports.length > 0)
      .map((each) => each.language),
  );
  const written = codebase.files.filter(
    ({ kind, language }) => kind !== "generated" && (programs.has(language) || scripts.has(language)),
  );
  const languages = counted(written, ({ lines, language }) => (lines > 0 ? language : undefined)).map(
    ([name, files]) => {
      const lines = files.reduce((sum, file) => sum + file.lines, 0);
      return {
        lines,
        text: `${name}: ${number(lines, "line")} in ${number(files.length, "file")}, as ${code(largest(files))}`,
      };
    },
  );
  const settings = [...codebase.settings.keys()].filter((path) => !/(?:^|\/)package\.json$/.test(path)).toSorted();
  return document("Technology Stack", "Read off the manifests and sources of this project.", [
    {
      title: "Languages",
      lines: bullets(
        languages.toSorted((a, b) => b.lines - a.lines).map(({ text }) => text),
        15,
      ),
    },
    {
      title: "Runtime",
      lines: bullets(
        runtimes.map(
          (each) => `${each.name} ${code(each.version)} (${place({ path: each.manifest, line: each.line })})`,
        ),
      ),
    },
    {
      title: "Key Dependencies",
      lines: bullets(
        used(
          codebase,
          dependencies.filter((each) => !each.isDevelopment),
        ),
        60,
      ),
    },
    {
      title: "Development Dependencies",
      lines: bullets(
        used(
          codebase,
          dependencies.filter((each) => each.isDevelopment),
        ),
        60,
      ),
    },
    {
      title: "Commands",
      lines: bullets(
        commands.map(
          ({ name, command, manifest: path, line }) => `${code(name)}: ${code(command)} (${place({ path, line })})`,
        ),
        40,
      ),
    },
    { title: "Configuration", lines: bullets(settings.map(code), 40) },
  ]);
}

const largest = (files: readonly { path: string; lines: number }[]): string =>
  files.toSorted((a, b) => b.lines - a.lines || (a.path < b.path ? -1 : 1))[0]?.path ?? "";

const plain = (name: string): string => name.toLowerCase().replace(/[_.]/g, "-");

/** Those that most files import come first. */
function used({ files }: Codebase, dependencies: readonly Dependency[]): string[] {
  const uses = new Map<string, string[]>();
  for (const { path, packages } of files)
    for (const name of packages) {
      const key = plain(name);
      const found = uses.get(key);
      if (found) found.push(path);
      else uses.set(key, [path]);
    }
  return dependencies
    .map((each) => ({ each, paths: uses.get(plain(each.name)) ?? [] }))
    .toSorted((a, b) => b.paths.length - a.paths.length || (a.each.name < b.each.name ? -1 : 1))
    .map(({ each: { name, version, manifest, line }, paths }) => {
      const [first] = paths;
      const where =
        first === undefined ? "no import found" : `imported by ${number(paths.length, "file")}, as ${code(first)}`;
      return `${code(version === "" ? name : `${name} ${version}`)}: ${where} (${place({ path: manifest, line })})`;
    });
}
