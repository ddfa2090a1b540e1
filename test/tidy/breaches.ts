// Holds the files of a tree against the rules; a breach is one line that a person can act on.
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { effectfulGlobals, type Row, rows } from "./effects.ts";
import { readSource, type SourceFacts } from "./source.ts";

export interface Waiver {
  file: string;
  rule: "file-length" | "function-length" | "parameters";
  why: string;
}

export const most = { fileLines: 400, functionLines: 80, parameters: 4 } as const;

/** Every source file below `folder`, relative to `root`. */
export function sourceFiles(root: string, folder: string): string[] {
  return readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(ts|mjs|cjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => !/(^|\/)(fixtures|recordings)\//.test(file))
    .sort();
}

const rowsOf = (file: string): Row[] => rows.filter(({ room }) => file === room || file.startsWith(`${room}/`));

/** What a file of src uses and its room may not. */
export function effectBreaches(root: string, files: readonly string[]): string[] {
  return files.flatMap((file) => {
    const facts = readSource(readFileSync(path.join(root, file), "utf8"));
    return [...moduleBreaches(file, facts), ...globalBreaches(file, facts)];
  });
}

function moduleBreaches(file: string, { imports }: SourceFacts): string[] {
  const allowed = new Set(rowsOf(file).flatMap((row) => row.modules ?? []));
  const refused = imports.filter(({ module, typeOnly }) => {
    if (typeOnly) return false;
    if (module === undefined) return true;
    if (module.startsWith(".")) return false;
    return !allowed.has(module) && !(module.startsWith("node:") && allowed.has("node:*"));
  });
  return refused.map(({ module, line }) =>
    module === undefined
      ? `${file}:${line} imports a computed name`
      : `${file}:${line} imports ${module}, which its room may not use`,
  );
}

function globalBreaches(file: string, { globals }: SourceFacts): string[] {
  const allowed = new Set(rowsOf(file).flatMap((row) => row.globals ?? []));
  return globals
    .filter(({ name, member }) => {
      if (!effectfulGlobals.has(name)) return false;
      return !allowed.has(`${name}.*`) && !allowed.has(`${name}.${member ?? ""}`);
    })
    .map(
      ({ name, member, line }) =>
        `${file}:${line} uses ${member ? `${name}.${member}` : name}, which its room may not use`,
    );
}

const unfinished = new RegExp(`\\b(${["TO" + "DO", "FIX" + "ME", "XX" + "X", "HA" + "CK"].join("|")})\\b`);
const silenced = new RegExp(`@ts-(ignore|${"expect-error"}|nocheck)|(oxlint|eslint|biome)-(disable|ignore)`);
const mocked = new RegExp(`\\bvi\\.(mock|doMock|stubGlobal)\\(`);

/** Size and taste. Waived breaches are left out; a waiver that nothing needs is a breach itself. */
export function shapeBreaches(root: string, files: readonly string[], waivers: readonly Waiver[]): string[] {
  const used = new Set<Waiver>();
  const waived = (file: string, rule: Waiver["rule"]): boolean => {
    const found = waivers.find((waiver) => waiver.file === file && waiver.rule === rule);
    if (found) used.add(found);
    return found !== undefined;
  };
  const breaches = files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    return [...sizeBreaches(file, text, waived), ...tasteBreaches(file, text)];
  });
  const idle = waivers.filter((waiver) => !used.has(waiver) && files.includes(waiver.file));
  return [...breaches, ...idle.map((waiver) => `${waiver.file} no longer needs its waiver for ${waiver.rule}`)];
}

function sizeBreaches(file: string, text: string, waived: (file: string, rule: Waiver["rule"]) => boolean): string[] {
  const lines = text.trimEnd().split("\n").length;
  const found = lines > most.fileLines && !waived(file, "file-length") ? [`${file} has ${lines} lines`] : [];
  for (const one of readSource(text).functions) {
    const place = `${file}:${one.line} ${one.name}`;
    if (file.startsWith("src/") && one.lines > most.functionLines && !waived(file, "function-length")) {
      found.push(`${place} has ${one.lines} lines`);
    }
    if (one.parameters > most.parameters && !waived(file, "parameters"))
      found.push(`${place} has ${one.parameters} parameters`);
  }
  return found;
}

function tasteBreaches(file: string, text: string): string[] {
  const { emptyCatches, anyTypes } = readSource(text);
  const matching = (pattern: RegExp, what: string) =>
    text.split("\n").flatMap((line, at) => (pattern.test(line) ? [`${file}:${at + 1} ${what}`] : []));
  return [
    ...emptyCatches.map((line) => `${file}:${line} has an empty catch`),
    ...anyTypes.map((line) => `${file}:${line} says any`),
    ...matching(unfinished, "has an unfinished marker"),
    ...matching(silenced, "silences a checker"),
    ...matching(mocked, "replaces a module or global"),
  ];
}

/** Paths of this repository that a text names in backticks or links, and that do not exist. */
export function missingPaths(root: string, file: string, exists: (path: string) => boolean): string[] {
  const text = readFileSync(path.join(root, file), "utf8").replace(/^(```|~~~)[\s\S]*?^\1/gm, "");
  const named = [...text.matchAll(/`([^`\s]+)`|\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, code, link]) => {
    if (link && !/^[a-z]+:/.test(link)) return [path.join(path.dirname(file), link)];
    return code && /^(src|test|docs|samples|scripts|bench|bin|assets|\.ci)\/[\w./-]*$/.test(code) ? [code] : [];
  });
  return named
    .filter((name) => !exists(path.join(root, name)))
    .map((name) => `${file} names ${name}, which does not exist`);
}
