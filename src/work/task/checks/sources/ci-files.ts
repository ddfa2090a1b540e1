// The checks that a repository's CI runs: GitHub's workflows and GitLab's pipeline, with what they are given there.
import { jsonOf } from "../../../../base/json-text.ts";
import type { Look } from "../../stacks/profile.ts";
import { checksIn, type Declared, othersIn, under } from "./declared.ts";

const workflows = /^\.github\/workflows\/[^/]+\.ya?ml$/;
const gitlab = /^\.gitlab-ci\.ya?ml$/;
const mostFiles = 8;
const longest = 256 * 1024;

export interface CiChecks {
  checks: Declared[];
  untried: string[];
  /** What the CI varies: versions of a language, systems. */
  matrix: string[];
}

type Table = Record<string, unknown>;

const tableOf = (value: unknown): Table =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const textsOf = (value: unknown): string[] =>
  listOf(value).flatMap((each): string[] =>
    Array.isArray(each) ? textsOf(each) : typeof each === "string" ? [each] : [],
  );

/** A file that is no YAML says nothing. */
export async function ciChecks(look: Look): Promise<CiChecks> {
  const { files, text } = look;
  const found: CiChecks = { checks: [], untried: [], matrix: [] };
  const wanted = files.filter((file) => workflows.test(file) || gitlab.test(file)).slice(0, mostFiles);
  if (wanted.length === 0) return found;
  const { parse } = await import("yaml");
  for (const file of wanted) {
    const source = (await text(file)) ?? "";
    if (source.length > longest) continue;
    let content: Table = {};
    try {
      // Aliases are not followed without end; what comes out is plain data.
      content = tableOf(jsonOf(JSON.stringify(parse(source, { maxAliasCount: 50 }))));
    } catch {
      continue;
    }
    const one = workflows.test(file) ? ofGitHub(content, file, look) : ofGitLab(content, file, look);
    found.checks.push(...one.checks);
    found.untried.push(...one.untried);
    found.matrix.push(...one.matrix.filter((line) => !found.matrix.includes(line)));
  }
  return found;
}

function ofGitHub(content: Table, file: string, look: Look): CiChecks {
  const found: CiChecks = { checks: [], untried: [], matrix: [] };
  for (const job of Object.values(tableOf(content["jobs"])).map(tableOf)) {
    const matrix = tableOf(tableOf(job["strategy"])["matrix"]);
    found.matrix.push(...matrixLines(matrix, file));
    const services = Object.keys(tableOf(job["services"]));
    const start = workingFolder(job["defaults"]) ?? workingFolder(content["defaults"]) ?? "";
    for (const step of listOf(job["steps"]).map(tableOf)) {
      const run = chosen(step["run"], matrix);
      if (run === undefined) continue;
      const given = { ...tableOf(content["env"]), ...tableOf(job["env"]), ...tableOf(step["env"]) };
      const folder = chosen(step["working-directory"], matrix) ?? start;
      const others = othersIn(run, file, look, under("", folder));
      found.untried.push(...others.untried);
      for (const check of [...checksIn(run, file, under("", folder)), ...others.checks])
        found.checks.push({ ...check, ...surroundings(given, matrix, services) });
    }
  }
  return found;
}

const workingFolder = (defaults: unknown): string | undefined => {
  const folder = tableOf(tableOf(defaults)["run"])["working-directory"];
  return typeof folder === "string" && !folder.includes("${{") ? folder : undefined;
};

const keywords = new Set([
  "default",
  "include",
  "variables",
  "stages",
  "workflow",
  "image",
  "services",
  "cache",
  "pages",
]);

function ofGitLab(content: Table, file: string, look: Look): CiChecks {
  const found: CiChecks = { checks: [], untried: [], matrix: [] };
  const nameOf = (service: unknown) => (typeof service === "string" ? service : String(tableOf(service)["name"] ?? ""));
  for (const [name, value] of Object.entries(content)) {
    if (keywords.has(name)) continue;
    const job = tableOf(value);
    const matrices = listOf(tableOf(job["parallel"])["matrix"]).map(tableOf);
    for (const matrix of matrices) found.matrix.push(...matrixLines(matrix, file));
    const services = listOf(job["services"] ?? content["services"]).map(nameOf);
    const given = { ...tableOf(content["variables"]), ...tableOf(job["variables"]) };
    const script = [...textsOf(job["before_script"]), ...textsOf(job["script"])].join("\n");
    const others = othersIn(script, file, look);
    found.untried.push(...others.untried);
    for (const check of [...checksIn(script, file), ...others.checks])
      found.checks.push({ ...check, ...surroundings(given, {}, services.filter(Boolean)) });
  }
  return found;
}

const mostValues = 8;

function matrixLines(matrix: Table, file: string): string[] {
  return Object.entries(matrix)
    .filter(([name, value]) => name !== "include" && name !== "exclude" && Array.isArray(value))
    .map(([name, value]) => {
      const values = listOf(value).filter((each) => typeof each !== "object");
      return `${name} ${values.slice(0, mostValues).map(String).join(", ")} (${file})`;
    });
}

/** With the first value of each thing that varies; undefined where it holds anything else that only the CI knows. */
function chosen(value: unknown, matrix: Table): string | undefined {
  if (typeof value !== "string") return undefined;
  const lines = value
    .split("\n")
    .map((line) =>
      line.replaceAll(/\$\{\{\s*matrix\.([\w-]+)\s*\}\}/g, (whole, name: string) => {
        const [first] = listOf(matrix[name]);
        return typeof first === "string" || typeof first === "number" ? String(first) : whole;
      }),
    )
    .filter((line) => !line.includes("${{"));
  return lines.length === 0 ? undefined : lines.join("\n");
}

const mostVariables = 8;
const general =
  /^(?:CI|FORCE_COLOR|NO_COLOR|PIP_\w+|UV_\w+|NPM_\w+|CARGO_TERM_\w+|GITHUB_\w+|GOPROXY|GOFLAGS|RUSTFLAGS)$/;

function surroundings(given: Table, matrix: Table, services: readonly string[]): Pick<Declared, "env" | "needs"> {
  const words: string[] = [];
  const needs = services.map((name) => `${name}, a service of the CI`);
  for (const [name, value] of Object.entries(given)) {
    if (!/^[A-Za-z_]\w*$/.test(name) || general.test(name)) continue;
    const plain = ["string", "number", "boolean"].includes(typeof value) ? chosen(String(value), matrix) : undefined;
    if (plain === undefined) needs.push(`${name}, which the CI sets`);
    else if (/^[\w./:@,=+-]+$/.test(plain)) words.push(`${name}=${plain}`);
  }
  return {
    ...(words.length > 0 && { env: words.slice(0, mostVariables).join(" ") }),
    ...(needs.length > 0 && { needs }),
  };
}
