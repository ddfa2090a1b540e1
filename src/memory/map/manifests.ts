// What the manifests of a project say: its dependencies, its commands, its runtimes. Read by the look of their lines, never run.
import { withFallback } from "../../base/fallback.ts";

export interface Dependency {
  name: string;
  version: string;
  /** Needed to build or to test only. */
  isDevelopment: boolean;
  manifest: string;
  line: number;
}

export interface Command {
  name: string;
  command: string;
  manifest: string;
  line: number;
}

export interface Manifests {
  dependencies: Dependency[];
  commands: Command[];
  runtimes: { name: string; version: string; manifest: string; line: number }[];
}

const lineOf = (text: string, part: string): number => {
  const at = text.indexOf(part);
  return at < 0 ? 1 : text.slice(0, at).split("\n").length;
};

export function readManifests(settings: ReadonlyMap<string, string>): Manifests {
  const found: Manifests = { dependencies: [], commands: [], runtimes: [] };
  for (const [path, text] of [...settings].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const name = path.split("/").at(-1) ?? "";
    readers.find(([pattern]) => pattern.test(name))?.[1](path, text, found);
  }
  return found;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isSyntax = (error: unknown): error is SyntaxError => error instanceof SyntaxError;

function packageJson(manifest: string, text: string, found: Manifests): void {
  const json: unknown = withFallback(undefined, isSyntax, () => JSON.parse(text) as unknown);
  if (!isRecord(json)) return;
  for (const key of ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"])
    for (const [name, version] of Object.entries(isRecord(json[key]) ? json[key] : {})) {
      const line = lineOf(text, `"${name}"`);
      const isDevelopment = key === "devDependencies";
      found.dependencies.push({ name, version: String(version), isDevelopment, manifest, line });
    }
  for (const [name, command] of Object.entries(isRecord(json["scripts"]) ? json["scripts"] : {}))
    found.commands.push({
      name: `npm run ${name}`,
      command: String(command),
      manifest,
      line: lineOf(text, `"${name}":`),
    });
  for (const [name, version] of Object.entries(isRecord(json["engines"]) ? json["engines"] : {}))
    found.runtimes.push({ name, version: String(version), manifest, line: lineOf(text, `"engines"`) });
}

/** Sections of TOML, their rows and the lines of these. */
function* tomlRows(text: string): Generator<{ section: string; key: string; value: string; line: number }> {
  let section = "";
  for (const [at, line] of text.split("\n").entries()) {
    const head = /^\s*\[+([^\]]+)\]+/.exec(line)?.[1];
    if (head !== undefined) section = head.trim();
    const [, key, value = ""] = /^\s*([\w."-]+)\s*=\s*(.+?)\s*(?:#.*)?$/.exec(line) ?? [];
    if (key !== undefined) yield { section, key: key.replace(/"/g, ""), value, line: at + 1 };
  }
}

const bare = (value: string): string =>
  (/version\s*=\s*"([^"]*)"/.exec(value)?.[1] ?? value).replace(/^["'{]|["'}]$/g, "");

function cargo(manifest: string, text: string, found: Manifests): void {
  for (const { section, key, value, line } of tomlRows(text)) {
    if (/(?:^|\.)(?:dev-|build-)?dependencies$/.test(section)) {
      const isDevelopment = /(?:dev|build)-dependencies$/.test(section);
      found.dependencies.push({ name: key, version: bare(value), isDevelopment, manifest, line });
    }
    if (section === "package" && key === "rust-version")
      found.runtimes.push({ name: "rust", version: bare(value), manifest, line });
  }
}

const requirement = /^\s*["']?([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])?\s*((?:[<>=!~]=?|@)[^"';#]*)?/;

function pyproject(manifest: string, text: string, found: Manifests): void {
  for (const { section, key, value, line } of tomlRows(text)) {
    if (section === "project" && key === "requires-python")
      found.runtimes.push({ name: "python", version: bare(value), manifest, line });
    if (/^tool\.poetry(?:\.group\.\w+)?\.(?:dev-)?dependencies$/.test(section) && key !== "python")
      found.dependencies.push({
        ...{ name: key, version: bare(value), manifest, line },
        isDevelopment: /dev|group/.test(section),
      });
    if (section === "project.scripts") found.commands.push({ name: key, command: bare(value), manifest, line });
  }
  const list = /^([\w-]+)\s*=\s*\[((?:[^\]"']|"[^"\n]*"|'[^'\n]*')*)\]/gm;
  for (const match of text.matchAll(list)) {
    const before = text.slice(0, match.index);
    const section = [...before.matchAll(/^\[([^\]]+)\]/gm)].at(-1)?.[1] ?? "";
    const isMain = section === "project" && match[1] === "dependencies";
    if (!isMain && !/optional-dependencies|dependency-groups/.test(section)) continue;
    for (const each of (match[2] ?? "").matchAll(/["']([^"']+)["']/g)) {
      const [, name = "", version = ""] = requirement.exec(each[1] ?? "") ?? [];
      const line = before.split("\n").length + (match[0].slice(0, match[0].indexOf(each[0])).split("\n").length - 1);
      if (name !== "")
        found.dependencies.push({ name, version: version.trim(), isDevelopment: !isMain, manifest, line });
    }
  }
}

function requirements(manifest: string, text: string, found: Manifests): void {
  for (const [at, line] of text.split("\n").entries()) {
    if (/^\s*(?:#|-|$)/.test(line)) continue;
    const [, name = "", version = ""] = requirement.exec(line) ?? [];
    const isDevelopment = /dev|test|lint|doc/.test(manifest);
    if (name !== "") found.dependencies.push({ name, version: version.trim(), isDevelopment, manifest, line: at + 1 });
  }
}

function goMod(manifest: string, text: string, found: Manifests): void {
  for (const [at, line] of text.split("\n").entries()) {
    const [, name, version = ""] =
      /^\s*(?:require\s+)?([\w.-]+\.[\w./-]+)\s+(v\S+)(?!.*\/\/ indirect)/.exec(line) ?? [];
    if (name !== undefined) found.dependencies.push({ name, version, isDevelopment: false, manifest, line: at + 1 });
    const go = /^go\s+(\S+)/.exec(line)?.[1];
    if (go !== undefined) found.runtimes.push({ name: "go", version: go, manifest, line: at + 1 });
  }
}

function makefile(manifest: string, text: string, found: Manifests): void {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    const name = /^([A-Za-z][\w.-]*)\s*:(?![=:])/.exec(line)?.[1];
    if (name === undefined) continue;
    const command = (lines[at + 1] ?? "").startsWith("\t") ? (lines[at + 1] ?? "").trim() : "";
    found.commands.push({ name: `make ${name}`, command, manifest, line: at + 1 });
  }
}

const version =
  (name: string) =>
  (manifest: string, text: string, found: Manifests): void => {
    const first = text.trim().split("\n", 1)[0] ?? "";
    if (first !== "") found.runtimes.push({ name, version: first, manifest, line: 1 });
  };

function dockerfile(manifest: string, text: string, found: Manifests): void {
  for (const [at, line] of text.split("\n").entries()) {
    const image = /^FROM\s+(?:--\S+\s+)*(\S+)/i.exec(line)?.[1];
    if (image !== undefined) found.runtimes.push({ name: "image", version: image, manifest, line: at + 1 });
  }
}

function ofLines(pattern: RegExp) {
  return (manifest: string, text: string, found: Manifests): void => {
    for (const match of text.matchAll(pattern)) {
      const line = text.slice(0, match.index).split("\n").length;
      found.dependencies.push({
        ...{ name: match[1] ?? "", version: match[2] ?? "" },
        isDevelopment: false,
        manifest,
        line,
      });
    }
  };
}

const readers: readonly (readonly [RegExp, (manifest: string, text: string, found: Manifests) => void])[] = [
  [/^package\.json$/, packageJson],
  [/^pyproject\.toml$/, pyproject],
  [/^requirements.*\.txt$/, requirements],
  [/^Cargo\.toml$/, cargo],
  [/^go\.mod$/, goMod],
  [/^Makefile$/, makefile],
  [/^\.nvmrc$|^\.node-version$/, version("node")],
  [/^\.python-version$/, version("python")],
  [/^Dockerfile$/, dockerfile],
  [/^Gemfile$/, ofLines(/^\s*gem\s+["']([^"']+)["'](?:,\s*["']([^"']+)["'])?/gm)],
  [/^composer\.json$/, ofLines(/^\s*"([\w.-]+\/[\w.-]+)"\s*:\s*"([^"]+)"/gm)],
  [/^pom\.xml$/, ofLines(/<dependency>[^]*?<artifactId>([^<]+)<\/artifactId>(?:\s*<version>([^<]+)<)?/g)],
  [
    /^build\.gradle/,
    ofLines(/^\s*(?:api|implementation|testImplementation)[\s(]+["']([^"':]+:[^"':]+):?([^"']*)["']/gm),
  ],
  [/\.csproj$/, ofLines(/<PackageReference\s+Include="([^"]+)"(?:\s+Version="([^"]+)")?/g)],
];
