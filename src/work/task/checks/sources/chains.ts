// The parts of a command that runs several others one after the other: behind one that is red, the others are not run.
import path from "node:path";
import { chainOf } from "../../../../guard/command-line/syntax/list-parts.ts";
import { scriptIn } from "../../stacks/suite.ts";
import { type CheckKind, kindOf, mends } from "./declared.ts";

interface Part {
  kind: CheckKind;
  command: string;
  /** What runs before it and is no check that could be run by itself: it may make the files that this one reads. */
  prepared?: string;
}

export interface Chain {
  parts: Part[];
  /** Commands that are not tried by themselves: they cannot be told apart, or mend what they find. */
  closed: string[];
  /** Its exit code does not say what came of each of them. */
  loose: boolean;
}

type Scripts = Readonly<Record<string, unknown>>;

const mostDeep = 6;
/** They make files, and check none. */
const arranges =
  /^(?:npx --no-install )?(?:rm|rimraf|mkdir|mkdirp|cp|cpx|copyfiles|mv|touch|echo|printf|true|:|sleep|chmod|shx)(?= |$)/;
const emits = /\btsc\b(?!.*--noEmit)/;
/** They run others in a way of their own. */
const gathers =
  /^(?:npx (?:--no-install )?)?(?:concurrently|lerna|nx|turbo|wireit|moon|wsrun)(?= |$)|(?:^| )--workspaces?(?= |$)/;

interface Leaf {
  command: string;
  /** The script that a package manager would run for it. */
  body: string;
}

interface Found {
  leaves: Leaf[];
  closed: string[];
  loose: boolean;
}

/** Undefined where it is one command, and nothing stands behind it. `lines` are run each by itself, up to the first that fails. */
export function chainIn(lines: readonly string[], scripts: Scripts, ofPackage: boolean): Chain | undefined {
  const found = flat(lines, { scripts, ofPackage, seen: [] });
  const { closed, loose } = found;
  if (found.leaves.length < 2 && closed.length === 0) return undefined;
  const parts: Part[] = [];
  const before: string[] = [];
  for (const { command, body } of found.leaves) {
    if (mends(command) || mends(body)) {
      closed.push(command);
      continue;
    }
    const kind = kindOf(command) ?? kindOf(body) ?? "other";
    const prepared = before.join("; ");
    if (!arranges.test(command)) parts.push({ kind, command, ...(prepared !== "" && { prepared }) });
    if (kind === "other" || kind === "build" || emits.test(body)) before.push(command);
  }
  return { parts, closed, loose };
}

interface Within {
  scripts: Scripts;
  /** The programs of the package are on the PATH. */
  ofPackage: boolean;
  seen: readonly string[];
}

function flat(lines: readonly string[], within: Within): Found {
  const found: Found = { leaves: [], closed: [], loose: false };
  for (const line of lines) {
    const chain = chainOf(line);
    if (!chain) {
      found.closed.push(line);
      continue;
    }
    found.loose ||= chain.loose;
    for (const { before, text } of chain.parts) {
      const inner = before.length === 0 ? calledBy(text, within) : undefined;
      if (inner) {
        found.leaves.push(...inner.leaves);
        found.closed.push(...inner.closed);
        found.loose ||= inner.loose;
      } else if (gathers.test(text)) found.closed.push(text);
      else {
        const plain = within.ofPackage ? installed(text) : text;
        found.leaves.push({ command: [...before, plain].join(" && "), body: bodyOf(text, within.scripts) });
      }
    }
  }
  return found;
}

const bodyOf = (text: string, scripts: Scripts): string => {
  const body = scripts[scriptIn(text) ?? ""];
  return typeof body === "string" ? body : text;
};

/** What a script of package.json runs, with what npm runs before and after it; undefined where that is one command. */
function calledBy(text: string, within: Within): Found | undefined {
  const { scripts, seen } = within;
  const listed = listedIn(text, scripts);
  if (listed)
    return flat(
      listed.map((name) => `npm run ${name}`),
      { ...within, seen: [...seen, text] },
    );
  const name = scriptIn(text);
  if (name === undefined || typeof scripts[name] !== "string" || seen.includes(name) || seen.length >= mostDeep)
    return undefined;
  const own = [`pre${name}`, name, `post${name}`].flatMap((each) => {
    const script = scripts[each];
    return typeof script === "string" ? [script] : [];
  });
  const found = flat(own, { ...within, ofPackage: true, seen: [...seen, name] });
  return found.leaves.length > 1 || found.closed.length > 0 ? found : undefined;
}

/** The scripts that npm-run-all and its kin run, by their names and patterns. */
function listedIn(text: string, scripts: Scripts): string[] | undefined {
  const [, words] =
    /^(?:npx (?:--no-install )?)?(?:run-[sp]|npm-run-all2?)((?: [\w:.*-]+| '[^']*'| "[^"]*")+)$/.exec(text) ?? [];
  if (words === undefined) return undefined;
  const names = words
    .trim()
    .split(/\s+/)
    .map((word) => word.replaceAll(/["']/g, ""))
    .filter((word) => !word.startsWith("-"));
  return names.flatMap((name) =>
    name.includes("*")
      ? Object.keys(scripts).filter((each) =>
          path.posix.matchesGlob(each.replaceAll(":", "/"), name.replaceAll(":", "/")),
        )
      : [name],
  );
}

/** Within a script the programs of the packages are on the PATH. */
export const installed = (command: string): string =>
  /^(?:node|npx|npm|pnpm|yarn|bun|\w+=\S+|\S*python[\d.]*|make|just|cargo|go|sh|bash|git|\.{0,2}\/\S*|!|\[|test|grep|diff|cat|ls|rm|cp|mv|mkdir|echo|printf|true|false|exit|touch|sleep|chmod|:)(?= |$)/.test(
    command,
  )
    ? command
    : `npx --no-install ${command}`;
