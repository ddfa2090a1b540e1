// The supply-chain check of a plan: what it refuses outright, what it flags, and what is only ever made worse by a reviewer.
import { z } from "zod";
import { checkName } from "../../../guard/supply/names.ts";
import { type Ecosystem, ecosystemOf, ecosystems, looks } from "../../../guard/supply/spelling.ts";
import { type FlaggedDependency, opinions, type Plan } from "../../../protocol/plan.ts";
import { answerIn, readAnswer } from "../world/answers.ts";
import { plannedCommands } from "../machine/plan.ts";
import { profileOf } from "../stacks/list.ts";
import type { Work } from "../work/work.ts";
import type { Foreseen } from "../world/world.ts";

type Dependency = Plan["dependencies"][number];

/** `refused`: nobody may approve it. */
export interface Checked {
  refused?: string;
  flags: string[];
}

const names: Record<Ecosystem, RegExp> = {
  npm: /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~_-][\w.~-]*$/i,
  pypi: /^[a-z0-9](?:[\w.-]*[a-z0-9])?$/i,
  crates: /^[a-z][\w-]*$/i,
  go: /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/[\w.~-]+)*$/i,
  maven: /^[\w.-]+:[\w.-]+$/,
};

const address =
  /^(?:[a-z][a-z0-9+.-]*:\/\/|(?:file|link|portal|path|git|github|gitlab|bitbucket|gist):|git@|\/|~\/|\.\.?(?:\/|$))/i;
/** How npm spells a repository of its favourite host. */
const shorthand = /^[\w.-]+\/[\w.-]+(?:#.*)?$/;
const plain = /^(?:git\+)?https:\/\//i;
const loose = /^(?:latest|next|\*|x|>=?.*|)$/i;

/** `pinned`: a lockfile says which version it is. */
export function checkDependency({ ecosystem, name, version = "" }: Dependency, pinned: boolean): Checked {
  const known = ecosystemOf(ecosystem);
  const source = [name, version].find((text) => address.test(text) || (known === "npm" && shorthand.test(text)));
  if (source !== undefined) return checkSource(source);
  if (!known) return { flags: [`fettle does not know the packages of ${ecosystem}`] };
  // "npm:lodash@4" in place of a version installs what it names.
  const real = /^npm:(@?[^@]+)/.exec(version)?.[1] ?? name;
  if (!names[known].test(real)) return { refused: `${real} is no name of a package of ${known}`, flags: [] };
  const named = checkNamed(known, real);
  const unpinned = loose.test(version.trim()) && !pinned ? ["no version is named, and no lockfile holds one"] : [];
  return { ...named, flags: [...named.flags, ...unpinned] };
}

function checkSource(source: string): Checked {
  if (plain.test(source)) return { flags: [`it comes from ${source}, not from a registry`] };
  return { refused: `${source} is neither a package of a registry nor an https address`, flags: [] };
}

function checkNamed(ecosystem: Ecosystem, name: string): Checked {
  const { flagged, why, near } = checkName(ecosystem, name);
  if (flagged && looks(name) === looks(near))
    return { refused: `${name} only looks like the well-known ${near}`, flags: [] };
  if (flagged) return { flags: [`it resembles the well-known ${near}`] };
  if (why !== "unknown") return { flags: [] };
  const other = ecosystems.find((each) => each !== ecosystem && checkName(each, name).why === "");
  if (other) return { flags: [`it is known in ${other}, not in ${ecosystem}`] };
  return { flags: ["it is not among the names that fettle knows"] };
}

/** A reviewer can make it worse; nothing that a reviewer says makes it better. */
export function withOpinion(checked: Checked, opinion: FlaggedDependency["opinion"]): Checked {
  if (checked.refused !== undefined || opinion.verdict !== "DANGEROUS") return checked;
  return { ...checked, refused: `the reviewer calls it dangerous: ${opinion.reason}` };
}

/** Packages that its commands fetch and its list does not name, in a sentence. */
export function unlistedPackage(plan: Plan, foreseen: readonly (Foreseen & { text: string })[]): string | undefined {
  const key = (ecosystem: string, name: string) => `${ecosystemOf(ecosystem) ?? ecosystem} ${name.toLowerCase()}`;
  const listed = new Set(
    plan.dependencies.flatMap(({ ecosystem, name, version }) => [
      key(ecosystem, name),
      ...(version === undefined ? [] : [key(ecosystem, version)]),
    ]),
  );
  for (const { text, packages } of foreseen) {
    for (const { ecosystem, name, from, executes } of packages) {
      const own = from === "address" && /^\.(?:\/(?!.*\.\.)|$)/.test(name);
      const offline = executes && plan.hosts.length === 0;
      const host = /^https?:\/\/([^/]+)/.exec(name)?.[1];
      const granted = from === "index" && host !== undefined && plan.hosts.includes(host);
      if (own || offline || granted || listed.has(key(ecosystem, name))) continue;
      return `"${text}" fetches ${name} (${ecosystem}), which is not among the dependencies`;
    }
  }
  return undefined;
}

/** The lockfile at the top, which an install of something new rewrites. */
export function unlistedLockfile(
  { dependencies, commands, files }: Plan,
  all: ReadonlySet<string>,
): string | undefined {
  if (commands.install === undefined) return undefined;
  const planned = new Set(files.map(({ path }) => path));
  const locks = new Set(dependencies.flatMap(({ ecosystem }) => lockfilesFor(ecosystem)));
  const open = [...locks].find((path) => all.has(path) && !planned.has(path));
  return open && `the install changes ${open}, so it has to be among the files`;
}

const lockfilesFor = (ecosystem: string): readonly string[] => {
  const known = ecosystemOf(ecosystem);
  return (known && profileOf(profileNames[known])?.lockfiles) ?? [];
};

/** What is wrong with the plan, for who made it; else its flagged dependencies, each with a second opinion. */
export async function reviewDependencies(
  work: Work,
  plan: Plan,
  files: ReadonlySet<string>,
): Promise<{ problem: string } | { flagged: FlaggedDependency[] }> {
  const foreseen = await Promise.all(
    plannedCommands(plan).map(async ({ text }) => ({ text, ...(await work.world.foresee(text)) })),
  );
  const never = foreseen.find(({ refused }) => refused !== undefined);
  if (never) return { problem: `"${never.text}" is never allowed: ${never.refused}` };
  const unlisted = unlistedPackage(plan, foreseen) ?? unlistedLockfile(plan, files);
  if (unlisted !== undefined) return { problem: unlisted };
  const checked = plan.dependencies.map((each) => ({ each, ...checkDependency(each, isPinned(each, plan, files)) }));
  const refused = checked.find((one) => one.refused !== undefined);
  if (refused) return { problem: `the dependency ${refused.each.name} is refused: ${refused.refused}` };
  const suspicious = checked.filter(({ flags }) => flags.length > 0);
  if (suspicious.length === 0) return { flagged: [] };
  return judged(work, plan, suspicious);
}

function isPinned({ ecosystem }: Dependency, plan: Plan, files: ReadonlySet<string>): boolean {
  const locks = lockfilesFor(ecosystem);
  const planned = plan.files.filter(({ action }) => action !== "delete").map(({ path }) => path);
  return [...files, ...planned].some((path) => locks.includes(path.split("/").at(-1) ?? ""));
}

export const profileNames: Record<Ecosystem, string> = {
  npm: "node",
  pypi: "python",
  crates: "rust",
  go: "go",
  maven: "java",
};

const Opinions = z.object({
  opinions: z.array(z.object({ name: z.string(), verdict: z.enum(opinions), reason: z.string().min(1).max(1000) })),
});

async function judged(work: Work, plan: Plan, suspicious: readonly ({ each: Dependency } & Checked)[]) {
  const found = await opinionsOn(work, plan, suspicious);
  const flagged = suspicious.map(({ each: { ecosystem, name }, flags }) => ({
    ...{ ecosystem, name, flags },
    opinion: found.get(name) ?? { verdict: "SUSPICIOUS" as const, reason: "the reviewer gave no opinion" },
  }));
  for (const { name, flags, opinion } of flagged) {
    work.tell(`${name}: ${flags.join("; ")}; second opinion ${opinion.verdict}: ${opinion.reason}`, false);
    const { refused } = withOpinion({ flags }, opinion);
    if (refused !== undefined) return { problem: `the dependency ${name} is refused: ${refused}` };
  }
  return { flagged };
}

async function opinionsOn(
  work: Work,
  plan: Plan,
  suspicious: readonly ({ each: Dependency } & Checked)[],
): Promise<ReadonlyMap<string, FlaggedDependency["opinion"]>> {
  const lines = suspicious.map(
    ({ each: { ecosystem, name, version }, flags }) => `${ecosystem} ${name} ${version ?? ""}: ${flags.join("; ")}`,
  );
  const end = await work.send({
    mission: "reviewer",
    text: `A plan wants these packages, and the check of their names flags them. Give one opinion on each.\n${JSON.stringify({ plan: plan.summary, stack: plan.stack, packages: lines })}`,
    answer: Opinions,
  });
  if (end.stop.kind !== "done") return new Map();
  const read = readAnswer(Opinions, answerIn(end.text));
  if ("problems" in read) return new Map();
  // Where it says two things of one package, the graver counts.
  const graver = read.value.opinions.toSorted(
    (one, other) => opinions.indexOf(one.verdict) - opinions.indexOf(other.verdict),
  );
  return new Map(graver.map(({ name, verdict, reason }) => [name, { verdict, reason }]));
}
