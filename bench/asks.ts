// How much of ordinary development is asked at autonomy 2, and why, on commands that were drawn and not written.
import { readFileSync } from "node:fs";
import path from "node:path";
import { assess } from "../src/guard/assess/assess.ts";
import { decide } from "../src/guard/decide.ts";
import { fixedContext, fixedFacts, layeredContext } from "../src/guard/explain.ts";
import { unknownKind } from "../src/guard/rules/unknown-reasons.ts";
import type { Assessment } from "../src/protocol/effect.ts";

/** What a question is about; the first that fits names it. */
const abouts: readonly [string, RegExp][] = [
  ["publishes, pushes", /publish|push|says-so/],
  ["installs", /install|npx|^package\./],
  ["network", /network|registry|container|code\.content/],
  ["deletes, moves", /delete|move/],
  ["git writes", /git|commit/],
  ["leaves the workspace", /outside|temporary/],
  ["run later, secrets", /run-later|environment-file|key|secret|config/],
  ["overwrites, modes, links", /overwrite|mode|link/],
  ["cannot be parsed", /unparseable|too-/],
];

function aboutOf({ reasons, effects, tags }: Assessment): string {
  const known = reasons.filter(({ risk, code }) => risk === "L2" && unknownKind(code) === undefined);
  const codes = known.map(({ code }) => code);
  const found = abouts.find(([, pattern]) => codes.some((code) => pattern.test(code)));
  if (found) return found[0];
  if (effects.some(({ kind }) => kind === "vcs")) return "git writes";
  if (tags.includes("network") || tags.includes("install")) return "network";
  return codes.length === 0 ? "only unknown" : "other";
}

interface Counted {
  commands: number;
  bare: number;
  asked: number;
  /** Asked in a checkout with what it depends on and what was built in it. */
  lived: number;
  refused: number;
  about: Map<string, number>;
}

/** fettle's own: `node_modules`, `dist`, a repository. */
const livedIn = fixedFacts(path.join(import.meta.dirname, ".."));

function count(commands: readonly string[], folder: string): Counted {
  const facts = fixedFacts(folder);
  const found: Counted = { commands: commands.length, bare: 0, asked: 0, lived: 0, refused: 0, about: new Map() };
  for (const command of commands) {
    const action = { kind: "shell" as const, command, background: false };
    const assessment = assess(action, facts);
    if (decide(assess(action, livedIn), layeredContext).verdict === "ask") found.lived += 1;
    if (decide(assessment, fixedContext).verdict === "ask") found.bare += 1;
    const { verdict } = decide(assessment, layeredContext);
    if (verdict === "deny") found.refused += 1;
    if (verdict !== "ask") continue;
    found.asked += 1;
    const about = aboutOf(assessment);
    found.about.set(about, (found.about.get(about) ?? 0) + 1);
  }
  return found;
}

const share = (part: number, whole: number): string => ((100 * part) / whole).toFixed(1).padStart(5);

function linesOf(name: string, { commands, bare, asked, lived, refused, about }: Counted): string {
  const reasons = [...about]
    .toSorted((left, right) => right[1] - left[1])
    .map(([reason, times]) => `${reason} ${share(times, commands).trim()}`);
  return `${name.padEnd(16)} ${String(commands).padStart(5)} ${share(bare, commands)} ${share(asked, commands)} ${share(lived, commands)} ${share(about.get("only unknown") ?? 0, commands)} ${share(refused, commands)}  ${reasons.join(", ")}`;
}

/** Of each hundred: asked without layers, asked with them, also in a checkout that was worked in, asked only because unknown, refused; then by reason. */
export function asksBench(folder: string): string {
  const lines = ["asks             count  bare layers lived unkn. refused  by reason (of 100)"];
  for (const half of ["tune", "held"]) {
    const drawn = readFileSync(path.join(import.meta.dirname, "asks", `${half}.tsv`), "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => line.split("\t"));
    for (const stratum of ["manifest", "ci", "document", ""]) {
      const commands = drawn.filter(([kind]) => stratum === "" || kind === stratum).map(([, command = ""]) => command);
      lines.push(linesOf(`${half} ${stratum || "all"}`, count(commands, folder)));
    }
  }
  return lines.join("\n");
}
