// Names of packages, as the gate sees them when something installs them.
import path from "node:path";
import { manifestNames, manifestPackages } from "../../../guard/supply/manifests.ts";
import { checkName } from "../../../guard/supply/names.ts";
import { type Ecosystem, ecosystemOf } from "../../../guard/supply/spelling.ts";
import { readBytes } from "../../../io/files/bytes.ts";
import { FileProblem } from "../../../io/files/problem.ts";
import { findFiles } from "../../../io/files/search.ts";
import type { PackageAnswer, PackageItem, ScannedManifest } from "../../../protocol/query.ts";
import type { Program } from "../../program/program.ts";

export function names(items: readonly PackageItem[]): PackageAnswer[] {
  return items.map(({ id, ecosystem, name }) => {
    const { flagged, why, near } = checkName(ecosystemOf(ecosystem), name);
    return { id, flagged, why, near };
  });
}

const longest = 5_000_000;

/** Without names: every manifest of the workspace that a search sees. */
export async function manifests(program: Program, paths: string[]): Promise<ScannedManifest[]> {
  const given = paths.length > 0 ? paths.map((one) => path.resolve(program.cwd, one)) : await found(program);
  return Promise.all(given.map((file) => scanned(file, path.relative(program.cwd, file))));
}

async function found({ cwd, workspace }: Program): Promise<string[]> {
  const { paths } = await findFiles(workspace, { path: cwd, limit: 50_000 }, () => false);
  return paths.filter((file) => manifestNames(path.basename(file))).map((file) => path.resolve(workspace, file));
}

async function scanned(file: string, shown: string): Promise<ScannedManifest> {
  try {
    const { bytes } = await readBytes(file, { limit: longest });
    const listed = manifestPackages(path.basename(file), new TextDecoder().decode(bytes));
    if ("problem" in listed) return { path: shown, packages: [], problem: listed.problem };
    return { path: shown, packages: listed.map(({ ecosystem, name }) => looked(ecosystem, name)) };
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error;
    return { path: shown, packages: [], problem: error.message };
  }
}

function looked(ecosystem: Ecosystem, name: string) {
  const { flagged, why, near } = checkName(ecosystem, name);
  return { ecosystem, name, flagged, why, near };
}
