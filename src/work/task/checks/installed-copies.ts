// Suites that test a copy of the repository that was installed or built before: whatever is changed here, they say the same.
// It is found out by running them where the sources are broken, and a form is looked for in which they notice it.
import path from "node:path";
import { membersOf } from "../../../base/json-text.ts";
import { shellWord } from "../../../base/shell-word.ts";
import { isThere } from "../../../io/folders/worktrees.ts";
import type { OwnLink, RehearsedCheck } from "../../../protocol/rehearsal.ts";
import { readReport } from "../proof/report.ts";
import type { Look, ReportFormat } from "../stacks/profile.ts";
import { begunBy, eachOf, type Suite } from "../stacks/suite.ts";
import type { CommandRun } from "../world/commands.ts";
import type { WorkFolder } from "../world/world.ts";
import type { Work } from "../work/work.ts";
import { breakSources } from "./broken-copy.ts";
import { isTest } from "./definitions.ts";
import type { Runner } from "./rehearse.ts";
import { scriptsOf } from "./sources/package-scripts.ts";

/** A package that the repository holds, and where else it lies. */
interface Copy {
  name: string;
  at: string;
  link?: OwnLink;
}

interface Form {
  suite: Suite;
  links?: OwnLink[];
  /** What is said of it. */
  how: string;
}

export interface CopyGround {
  checks: readonly RehearsedCheck[];
  look: Look;
  lent: readonly string[];
  until: number;
  /** A run in this scratch worktree, and in another one that has these links. */
  run: Runner;
  linked<T>(links: readonly OwnLink[], act: (run: Runner, place: WorkFolder) => Promise<T>): Promise<T>;
}

const tells = "in a copy whose sources are broken on purpose, where the tests have to fail:";

/** Suites for which nothing is otherwise where the sources are broken; `noticed`: for which something is. */
export async function thatNoticeNothing(
  work: Work,
  place: WorkFolder,
  { checks, look, until, run }: CopyGround,
): Promise<{ blind: RehearsedCheck[]; noticed: RehearsedCheck[] }> {
  const blind: RehearsedCheck[] = [];
  const noticed: RehearsedCheck[] = [];
  for (const check of checks.filter(mayTestCopy)) {
    if (work.world.clock() >= until) break;
    work.tell(tells);
    const found = await notices(work, place, { check, suite: suiteOf(check), manifest: manifestOf(check, look), run });
    if (found !== undefined) (found ? noticed : blind).push(check);
  }
  return { blind, noticed };
}

/** Takes each of these suites in the form in which it tests the files here, or says that there is none. The links that it needs. */
export async function testWhatIsHere(
  work: Work,
  place: WorkFolder,
  blind: readonly RehearsedCheck[],
  ground: CopyGround,
): Promise<OwnLink[]> {
  const links: OwnLink[] = [];
  for (const check of blind.filter(({ result }) => result === "works" || result === "red"))
    links.push(...(await settle(work, place, check, ground)));
  return links;
}

/** Compiled languages build what they test. */
const mayTestCopy = ({ kind, result, format, green = [] }: RehearsedCheck): boolean =>
  kind === "test" &&
  (format === "any"
    ? result === "works"
    : (result === "works" || result === "red") &&
      green.length > 0 &&
      ["junit", "unittest", "tap", "vitest-json", "jest-json", "mocha-json"].includes(format));

const suiteOf = ({ run, format, one, named, coverage }: RehearsedCheck): Suite => ({
  ...{ command: run, format: format as ReportFormat },
  ...(one !== undefined && { one }),
  ...(named !== undefined && { named }),
  ...(coverage !== undefined && { coverage }),
});

const folderOf = ({ run }: Pick<RehearsedCheck, "run">): string => /^cd (\S+) && /.exec(run)?.[1] ?? "";

const manifestOf = (check: RehearsedCheck, { known }: Look): string | undefined =>
  known.get(path.posix.join(folderOf(check), "package.json"));

interface Trial {
  check: RehearsedCheck;
  suite: Suite;
  manifest: string | undefined;
  run: Runner;
}

/** Whether anything that was green is not where the sources are broken; undefined where there are none. */
async function notices(
  work: Work,
  place: WorkFolder,
  { check, suite, manifest, run }: Trial,
): Promise<boolean | undefined> {
  const something = await breakSources(place.folder, check.command, manifest);
  place.forget();
  const ran = something ? await run(suite.command) : undefined;
  await work.git.act({ op: "reset", words: ["--hard"], folder: place.folder }, async (git) => {
    await git.run(["reset", "--hard", "--quiet"]);
  });
  return ran && !saysTheSame(check, ran);
}

function saysTheSame({ format, green = [] }: RehearsedCheck, { ended, exit, output }: CommandRun): boolean {
  if (ended !== "exited") return false;
  if (format === "any") return exit === 0;
  const { cases } = readReport(format as ReportFormat, output, undefined, exit);
  const passed = new Set(cases.filter(({ outcome }) => outcome === "passed").map(({ name }) => name));
  return green.every((name) => passed.has(name));
}

/** The first form in which all that was green is, and in which broken sources are noticed. */
async function settle(work: Work, place: WorkFolder, check: RehearsedCheck, ground: CopyGround): Promise<OwnLink[]> {
  const manifest = manifestOf(check, ground.look);
  const copies = await copiesOf(work, check, ground);
  const what = copiesText(copies);
  for (const form of formsOf(check, { manifest, ground, copies })) {
    if (work.world.clock() >= ground.until) break;
    if ((await work.world.foresee(form.suite.command, place)).asks !== undefined) continue;
    const trial = async (run: Runner, where: WorkFolder): Promise<boolean> => {
      where.forget();
      const same = saysTheSame(check, await run(form.suite.command));
      return same && (await notices(work, where, { check, suite: form.suite, manifest, run })) === true;
    };
    const { links = [] } = form;
    if (!(links.length > 0 ? await ground.linked(links, trial) : await trial(ground.run, place))) continue;
    const { command, format: _, whole: __, ...parts } = form.suite;
    const copy = `${check.command} tests ${what}, and not the files here: ${form.how}`;
    Object.assign(check, { run: command, ...parts, copy });
    return links;
  }
  // Nothing but tests may be in it, where no copy is found.
  if (copies.length === 0)
    check.copy = `${check.command} passes also where all sources are broken: it shows nothing of them`;
  else {
    const said = `it tests ${what}, and not the files here: take it out there, or name a command that takes these files`;
    Object.assign(check, { result: "installed copy", said });
  }
  return [];
}

const copiesText = (copies: readonly Copy[]): string =>
  copies.length === 0
    ? "a copy that was built before"
    : `the copy of ${copies.map(({ name, at }) => `${name} in ${at}`).join(", and of ")}`;

function formsOf(
  check: RehearsedCheck,
  { manifest, ground: { look }, copies }: { manifest: string | undefined; ground: CopyGround; copies: readonly Copy[] },
): Form[] {
  const suite = suiteOf(check);
  const by = (change: (text: string) => string, how: string): Form[] => {
    const changed = eachOf(suite, change);
    return changed.command === suite.command ? [] : [{ suite: changed, how }];
  };
  if (/\b(?:tox|nox)\b/.test(check.run) && check.format === "any")
    return [
      ...by((text) => text.replaceAll(/ (?:--skip-pkg-install|--installpkg[= ]\S+)(?= |$)/g, ""), "it packs them anew"),
      ...by(
        (text) => text.replace(/\btox\b/, "tox --develop").replaceAll(" --skip-pkg-install", ""),
        "tox takes them as they are by --develop",
      ),
    ];
  const roots = pythonRoots(check, look.files);
  const links = copies.flatMap(({ link }) => link ?? []);
  const build = scriptsOf(manifest)["build"];
  return [
    ...(roots === "" ? [] : [{ suite: withPath(suite, roots), how: `it is run with PYTHONPATH=${roots}` }]),
    ...(links.length === 0 ? [] : [{ suite, links, how: "what is here stands in its place" }]),
    ...(typeof build === "string"
      ? [{ suite: begunBy(suite, "npm run build &&"), how: "it is built anew before each run" }]
      : []),
  ];
}

function withPath(suite: Suite, roots: string): Suite {
  const known = /\bPYTHONPATH=(\S+)/;
  return known.test(suite.command)
    ? eachOf(suite, (text) => text.replace(known, (_, before: string) => `PYTHONPATH=${roots}:${before}`))
    : begunBy(suite, `PYTHONPATH=${roots}`);
}

const notPackages =
  /^(?:setup|conftest|noxfile|tasks|fabfile|manage|docs?|examples?|scripts?|tools|build|dist|benchmarks?)$/;

/** Packages and modules, each with the folder from which it is imported, as seen from where the check is run. */
function pythonPackages({ run }: RehearsedCheck, files: readonly string[]): { name: string; root: string }[] {
  const folder = folderOf({ run });
  const there = new Set(files);
  const found = files.flatMap((file) => {
    const [, parent = "", name = ""] =
      /^(?:(.*)\/)?(\w+)\/__init__\.py$/.exec(file) ?? /^(?:(src|lib)\/)?(\w+)\.py$/.exec(file) ?? [];
    const within = folder === "" || parent === folder || parent.startsWith(`${folder}/`);
    const nested = there.has(parent === "" ? "__init__.py" : `${parent}/__init__.py`);
    return name === "" || !within || nested || isTest(file) || notPackages.test(name) ? [] : [{ name, root: parent }];
  });
  return found.map(({ name, root }) => ({ name, root: path.posix.relative(folder, root) || "." }));
}

/** Undefined where nothing of the repository can be imported. */
function pythonRoots(check: RehearsedCheck, files: readonly string[]): string {
  if (!/\bpython|pytest|py\.test|unittest/.test(check.run)) return "";
  const roots = [...new Set(pythonPackages(check, files).map(({ root }) => root))];
  return roots.slice(0, 4).map(shellWord).join(":");
}

async function copiesOf(work: Work, check: RehearsedCheck, ground: CopyGround): Promise<Copy[]> {
  const python = /\.py$/;
  return /pytest|unittest|python|\btox\b|\bnox\b/.test(check.run) && ground.look.files.some((file) => python.test(file))
    ? pythonCopies(work, check, ground)
    : nodeCopies(work, ground);
}

/** Asked of the interpreter that runs the suite, as far as its words say which that is. */
async function pythonCopies(work: Work, check: RehearsedCheck, { look, run }: CopyGround): Promise<Copy[]> {
  const found: Copy[] = [];
  const named = /(\S*python[\d.]*)(?= -m )/.exec(check.run)?.[1] ?? "python3";
  const programs = /\b(?:tox|nox)\b/.test(check.run) ? ".tox/*/bin/python .nox/*/bin/python" : named;
  for (const { name } of pythonPackages(check, look.files).slice(0, 4)) {
    const code = `import importlib.util as u, sys; sys.path[:] = [p for p in sys.path if p]; s = u.find_spec("${name}"); print("found", s.origin or list(s.submodule_search_locations)[0]) if s else None`;
    const command = `for p in ${programs}; do "$p" -c '${code}'; done`;
    if ((await work.world.foresee(command)).asks !== undefined) continue;
    const { output } = await run(command);
    const at = [...output.matchAll(/^found (\S.*)$/gm)].map(([, file = ""]) => file).find(isElsewhere);
    if (at !== undefined) found.push({ name, at: path.posix.dirname(at) });
  }
  return found;
}

/** A path of the scratch worktree is told without it. */
const isElsewhere = (file: string): boolean => file.startsWith("/") || /\/(?:site|dist)-packages\//.test(file);

async function nodeCopies({ repository }: Work, { look, lent }: CopyGround): Promise<Copy[]> {
  const own = [...look.known].flatMap(([file, text]) => {
    const name = path.posix.basename(file) === "package.json" ? membersOf(text)["name"] : undefined;
    return typeof name === "string" && /^(?:@[\w.-]+\/)?[\w.-]+$/.test(name)
      ? [{ name, folder: path.posix.dirname(file) }]
      : [];
  });
  return own.flatMap(({ name, folder }) =>
    lent
      .filter((each) => path.posix.basename(each) === "node_modules")
      .map((each) => path.posix.join(each, name))
      .filter((at) => isThere(path.join(repository.folder, at)))
      .map((at) => ({ name, at, link: { at, to: path.posix.relative(path.posix.dirname(at), folder) || "." } })),
  );
}
