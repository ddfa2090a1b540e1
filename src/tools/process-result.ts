// What a model is told of a process that ended: its output, and only what it needs to know besides.
import { someOf } from "../base/some-of.ts";
import type { WriteReport } from "../io/layers/spec.ts";
import type { ProcessExit } from "../io/process/spec.ts";
import { failure, notedParts } from "../protocol/outcome.ts";
import type { Result } from "../protocol/result.ts";
import { plural, sizeText } from "./sizes.ts";

/** No durations and no paths, so that the same run gives the same bytes. A command that ran is `done` whatever its exit code. */
export function processResult(exit: ProcessExit): Result {
  if (exit.ended === "unstartable") {
    return failure(
      "process.unstartable",
      `The command could not be started: ${exit.output.trim() || "unknown reason"}`,
    );
  }
  const wrote = exit.written?.contents ?? [];
  const more = { ...(exit.spill !== undefined && { spill: exit.spill }), ...(wrote.length > 0 && { wrote }) };
  const output = exit.output.trimEnd();
  const parts: Result["parts"] = notedParts(output, notes(exit));
  if (exit.ended === "timeout") {
    return { status: "failed", code: "process.timeout", params: { seconds: seconds(exit) }, parts, ...more };
  }
  if (exit.ended === "stopped") return { status: "failed", code: "process.stopped", parts, ...more };
  if (exit.ended === "exceeded") return { status: "failed", code: `process.${exit.exceeded}`, parts, ...more };
  if (exit.code === 0) return { status: "done", parts, ...more };
  const params = { exit: exit.code, signal: exit.signal };
  return { status: "done", code: "process.exit", params, parts, ...more };
}

/** A process that resists its end makes the measured time longer than the limit. */
const seconds = ({ ms, limitMs }: ProcessExit) => Math.round((limitMs ?? ms) / 1000);

const tooMuch = {
  memory: "used more memory than it may (sandbox.memory_mb)",
  processes: "had more processes than it may (sandbox.processes)",
  disk: "left less of the disk free than it has to (sandbox.free_disk_mb)",
};

const mostHosts = 5;
const mostPaths = 8;

/** `a, b and 3 more`; a folder of which much was written stands for it. */
function named(paths: readonly string[]): string {
  const shown = paths.length > mostPaths ? folded(paths) : paths;
  return someOf(shown.map(quotedName), mostPaths);
}

const longestName = 160;

/** A name that could be read as something else than a name is quoted: it stands among fettle's own words. */
function quotedName(name: string): string {
  const shown = name.length > longestName ? `…${name.slice(1 - longestName)}` : name;
  return /^[\p{L}\p{N}_.@+~#/…-]+$/u.test(shown) ? shown : JSON.stringify(shown);
}

/** Folders in place of their files, as deep as lets them be few: `src/a/`, not `src/`, when all of it lies there. */
function folded(paths: readonly string[]): string[] {
  const cut = (file: string, depth: number): string => {
    const parts = file.split("/");
    return parts.length > depth ? `${parts.slice(0, depth).join("/")}/` : file;
  };
  let best = [...new Set(paths.map((each) => cut(each, 1)))];
  for (let depth = 2; ; depth += 1) {
    const next = [...new Set(paths.map((each) => cut(each, depth)))];
    if (next.length > mostPaths || next.join() === best.join()) return best;
    best = next;
  }
}

/** Tools make these anew, and nobody asks after them. */
const caches =
  /(?:^|\/)(?:coverage\/\.?tmp|__pycache__|__pypackages__|\.nyc_output|\.benchmarks|\.hypothesis|\.cache|\.tox|\.nox|\.gradle|\.turbo|\.parcel-cache|\.(?:pytest|mypy|ruff|eslint|rpt2|sass|stylelint|vite)[-_]?cache|\.coverage|\.eslintcache|[^/]+\.tsbuildinfo)(?:\/|$)|\.py[co]$/;

function writtenNotes({ applied, removed = [], kept, hidden = [], dropped, more }: WriteReport): string[] {
  const found: string[] = [];
  const changed = applied.filter((each) => !removed.includes(each));
  const told = kept.filter((each) => !caches.test(each) && !hidden.includes(each));
  const gone = hidden.filter((each) => !caches.test(each));
  if (changed.length > 0) found.push(`[files changed: ${named(changed)}]`);
  const lost = removed.filter((each) => !caches.test(each));
  if (lost.length > 0) found.push(`[files deleted: ${named(lost)}]`);
  if (told.length > 0) found.push(`[kept for later commands only, the workspace is as before: ${named(told)}]`);
  if (gone.length > 0)
    found.push(
      `[gone for later commands only: ${named(gone)}; the workspace still has it, where the person may delete it (!rm)]`,
    );
  const reasons = Map.groupBy(
    dropped.filter(({ path }) => !caches.test(path)),
    ({ why }) => why,
  );
  for (const [why, files] of reasons) {
    found.push(`[not written to the workspace: ${named(files.map((each) => each.path))}, as ${why}]`);
  }
  if (more) found.push("[the command wrote more files than are looked at; the rest was not written to the workspace]");
  return found;
}

/** A folder of which much is hidden does not stand for it: most of it is seen. */
function hiddenNote({ hidden = [], copied }: Pick<ProcessExit, "hidden" | "copied">): string {
  const names = (partly: boolean) => {
    const files = hidden.filter((each) => each.partly === partly).map((each) => each.path);
    return someOf(files, mostPaths);
  };
  const kinds = [
    ...(names(false) === "" ? [] : [`seen empty by commands, as they may hold secrets: ${names(false)}`]),
    ...(names(true) === "" ? [] : [`seen without their secret values: ${names(true)}`]),
  ];
  return `[${kinds.join("; ")}${copied ? "; copies and archives made of them hold no more than that" : ""}]`;
}

function notes(exit: ProcessExit): string[] {
  const found: string[] = [];
  if (exit.spill !== undefined) {
    const readable = exit.kept === undefined ? "the whole" : `the first ${sizeText(exit.kept)}`;
    found.push(`[cut from ${sizeText(exit.bytes)}; ${readable}: read spill:${exit.spill}]`);
  }
  if (exit.lost) found.push(`[cut from ${sizeText(exit.bytes)}; the rest could not be kept]`);
  if (exit.ended === "timeout") found.push(`[stopped at its time limit of ${plural(seconds(exit), "second")}]`);
  else if (exit.ended === "stopped") found.push("[stopped before it ended]");
  else if (exit.ended === "exceeded" && exit.exceeded) found.push(`[stopped: it ${tooMuch[exit.exceeded]}]`);
  else if (exit.exceeded) found.push(`[the kernel ended a part of it: it ${tooMuch[exit.exceeded]}]`);
  else if (exit.signal !== null) found.push(`[ended by ${exit.signal}]`);
  else found.push(`[exit ${exit.code ?? "unknown"}]`);
  if (exit.restoredControlFiles?.length) {
    const files = exit.restoredControlFiles.join(", ");
    found.push(`[the command changed git's control files, which was undone: ${files}]`);
  }
  if (exit.hidden?.length) found.push(hiddenNote(exit));
  for (const { name, place } of exit.unseen ?? [])
    found.push(`[\`${name}\` exists at ${place}, which the sandbox does not show]`);
  if (exit.apart) found.push("[it had a network of its own for its hosts: background jobs are not reached from there]");
  if (exit.written) found.push(...writtenNotes(exit.written));
  const refused = (exit.network ?? []).filter((one) => one.refused !== undefined);
  for (const one of refused.slice(0, mostHosts)) found.push(`[${one.host} was not reached: ${one.refused}]`);
  if (refused.length > mostHosts) found.push(`[${refused.length - mostHosts} more hosts were not reached]`);
  return found;
}
