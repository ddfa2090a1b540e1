// The packages that a manifest names. Read forgivingly: what cannot be read names nothing.
import { jsonOf } from "../../base/json-text.ts";
import type { Ecosystem } from "./spelling.ts";

export interface Listed {
  ecosystem: Ecosystem;
  name: string;
}

const readers: readonly (readonly [RegExp, (text: string) => Listed[] | undefined])[] = [
  [/^package\.json$/, packageJson],
  [/^(?:.*[-_.])?requirements(?:[-_.].*)?\.(?:txt|in)$|^constraints\.txt$/, requirements],
  [/^pyproject\.toml$|^Pipfile$/, pyproject],
  [/^setup\.cfg$/, setupConfiguration],
  [/^Cargo\.toml$/, cargo],
  [/^go\.mod$/, goModule],
  [/^pom\.xml$/, pom],
  [/^build\.gradle(?:\.kts)?$/, gradle],
];

export const manifestNames = (name: string): boolean => readers.some(([pattern]) => pattern.test(name));

/** Each name once, in order. */
export function manifestPackages(name: string, text: string): Listed[] | { problem: string } {
  const reader = readers.find(([pattern]) => pattern.test(name))?.[1];
  if (!reader) return { problem: `${name} is no manifest that fettle reads` };
  const found = reader(text);
  if (!found) return { problem: `${name} cannot be read` };
  const seen = new Set<string>();
  return found.filter(({ name: one }) => !seen.has(one) && seen.add(one));
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function packageJson(text: string): Listed[] | undefined {
  const value = jsonOf(text);
  if (!isRecord(value)) return undefined;
  const found: Listed[] = [];
  for (const key of ["dependencies", "devDependencies", "optionalDependencies", "peerDependencies"]) {
    const list = value[key];
    if (!isRecord(list)) continue;
    for (const [name, range] of Object.entries(list)) found.push({ ecosystem: "npm", name: npmTarget(name, range) });
  }
  return found;
}

/** `"lodash": "npm:l0dash@1"` installs what stands behind the colon; paths and addresses are no names of a registry. */
function npmTarget(name: string, range: unknown): string {
  const alias = typeof range === "string" ? /^npm:(@?[^@]+)/.exec(range)?.[1] : undefined;
  return alias ?? name;
}

export const pythonName = (text: string): string | undefined =>
  /^\s*([A-Za-z0-9][A-Za-z0-9._-]*)(?:\s*\[[^\]]*\])?(?:$|\s|[<>=!~;@#,])/.exec(text)?.[1];

function requirements(text: string): Listed[] {
  return text.split("\n").flatMap((line) => {
    if (/^\s*(?:#|-|$)|:\/\//.test(line)) return [];
    const name = pythonName(line.trimEnd());
    return name === undefined ? [] : [{ ecosystem: "pypi" as const, name }];
  });
}

/** Quoted requirements in lists, and `name = "range"` below tables of dependencies. */
function pyproject(text: string): Listed[] {
  const found: Listed[] = [];
  let table = "";
  let inList = false;
  const add = (name: string | undefined) => {
    if (name !== undefined && name.toLowerCase() !== "python") found.push({ ecosystem: "pypi", name });
  };
  for (const line of text.split("\n")) {
    table = /^\s*\[+([^[\]]+)\]/.exec(line)?.[1] ?? table;
    const isTable = /(?:^|\.)(?:dev-)?(?:dependencies|packages)$|^(?:dev-)?packages$/.test(table);
    if (isTable && table !== "project.dependencies") add(/^\s*"?([A-Za-z0-9][\w.-]*)"?\s*=/.exec(line)?.[1]);
    const isGroup = /^project\.optional-dependencies$|^dependency-groups$/.test(table);
    if (/^\s*(?:dependencies|requires)\s*=\s*\[/.test(line) || (isGroup && /=\s*\[/.test(line))) inList = true;
    if (!inList) continue;
    for (const [, quoted = ""] of line.replace(/^[^=[]*=\s*\[/, "").matchAll(/["']([^"']+)["']/g))
      add(pythonName(quoted));
    if (/\]\s*(?:#.*)?$/.test(line)) inList = false;
  }
  return found;
}

function setupConfiguration(text: string): Listed[] {
  const block = /^install_requires\s*=([^\n]*(?:\n[ \t]+[^\n]*)*)/m.exec(text)?.[1] ?? "";
  return requirements(block.replace(/^[ \t]+/gm, ""));
}

function cargo(text: string): Listed[] {
  const found: Listed[] = [];
  let table = "";
  for (const line of text.split("\n")) {
    table = /^\s*\[+([^[\]]+)\]/.exec(line)?.[1] ?? table;
    const single = /(?:^|\.)(?:dev-|build-)?dependencies\.([\w-]+)$/.exec(table)?.[1];
    if (single !== undefined && line.trimStart().startsWith("[")) found.push({ ecosystem: "crates", name: single });
    if (!/(?:^|\.)(?:dev-|build-)?dependencies$/.test(table)) continue;
    const name = /^\s*"?([A-Za-z0-9][\w-]*)"?(?:\.\w+)?\s*=/.exec(line)?.[1];
    const real = /\bpackage\s*=\s*"([\w-]+)"/.exec(line)?.[1];
    if (name !== undefined) found.push({ ecosystem: "crates", name: real ?? name });
  }
  return found;
}

function goModule(text: string): Listed[] {
  const found: Listed[] = [];
  let inList = false;
  for (const line of text.split("\n")) {
    if (/^\s*require\s*\(/.test(line)) inList = true;
    else if (/^\s*\)/.test(line)) inList = false;
    const name = /^\s*(?:require\s+)?([a-z0-9][\w.-]*\.[a-z]{2,}\/[^\s]+)\s+v\d/.exec(line)?.[1];
    if (name !== undefined && (inList || /^\s*require\s/.test(line))) found.push({ ecosystem: "go", name });
    const replaced = /^[^=]*=>\s*([a-z0-9][\w.-]*\.[a-z]{2,}\/[^\s]+)\s+v\d/.exec(line)?.[1];
    if (replaced !== undefined) found.push({ ecosystem: "go", name: replaced });
  }
  return found;
}

const maven = (group: string | undefined, artifact: string | undefined): Listed[] =>
  group === undefined || artifact === undefined || `${group}${artifact}`.includes("$")
    ? []
    : [{ ecosystem: "maven", name: `${group}:${artifact}` }];

function pom(text: string): Listed[] {
  const [, ...pieces] = text.split(/<(?:dependency|plugin|parent)>/);
  return pieces.flatMap((piece) => {
    const [body = ""] = piece.slice(0, 2000).split(/<\/(?:dependency|plugin|parent)>/, 1);
    return maven(
      /<groupId>\s*([\w.$-]+)\s*<\/groupId>/.exec(body)?.[1],
      /<artifactId>\s*([\w.$-]+)\s*<\/artifactId>/.exec(body)?.[1],
    );
  });
}

function gradle(text: string): Listed[] {
  const coordinates = /["']([\w.-]+):([\w.-]+):[\w.$\-{}]+["']/g;
  return [...text.matchAll(coordinates)].flatMap(([, group, artifact]) => maven(group, artifact));
}
