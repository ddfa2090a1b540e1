// Everything that is not a command: reading, searching, changing files, fetching, jobs, restoring.
import { posix } from "node:path";
import type { Action, FileChange } from "../../protocol/action.ts";
import { type Context, note } from "./context.ts";
import { targetOf } from "./hosts.ts";
import { hidden } from "./hide.ts";
import { judgePath } from "./paths.ts";
import { within } from "./sensitive.ts";
import { literal } from "./shell/text.ts";

type Other = Exclude<Action, { kind: "shell" | "program" }>;

/** `~` means the home folder here too: the file tools must not make a folder of that name. */
const pathText = (path: string) => ({ ...literal(path), tilde: path.startsWith("~") });

function named(path: string, at: Context): Context {
  const inner = { ...at, part: path };
  at.run.findings.segment(path);
  for (const finding of hidden(path, false)) at.run.findings.add(path, finding);
  if (path.includes("\u0000")) note(inner, "L3", "hide.control", "holds control characters", "hide");
  return inner;
}

export function judgeAction(action: Other, at: Context): void {
  switch (action.kind) {
    case "read":
      judgePath(pathText(action.path), "read", named(action.path, at));
      break;
    case "search":
      judgePath(pathText(action.path), "read", named(action.path, at));
      if (action.contents) at.run.findings.tags.add("reads-sensitive-mask");
      break;
    case "change":
      for (const change of action.changes) judgeChange(change, at);
      break;
    case "fetch":
      judgeFetch(action.url, at);
      break;
    case "job":
      if (action.op === "kill") note(at, "L1", "job.kill", "ends a background process of this session", "signal");
      break;
    case "restore":
      judgeRestore(action.paths, at);
      break;
    case "spill":
    case "none":
      break;
  }
}

function judgeChange(change: FileChange, at: Context): void {
  const inner = named(change.path, at);
  const path = pathText(change.path);
  if (change.op === "write" || change.op === "edit") {
    judgePath(path, "edit", inner);
    const content = change.op === "write" ? change.content : change.edits.map((edit) => edit.new).join("\n");
    for (const finding of hidden(content, false))
      if (finding.code === "hide.direction" || finding.code === "hide.tags")
        note(inner, "L2", finding.code, finding.text, "hide");
  } else if (change.op === "delete") judgePath(path, "destroy", inner);
  else {
    const target = named(change.to, at);
    judgePath(path, "read", inner);
    judgePath(path, "destroy", inner);
    judgePath(pathText(change.to), "write", target);
    note(inner, "L2", "path.move", `moves ${posix.basename(change.path)}`, "move");
  }
}

/** One host, one way to spell it: anything a parser could read differently is refused. */
function judgeFetch(url: string, outer: Context): void {
  const at = { ...outer, part: url };
  const { findings } = at.run;
  findings.segment(url);
  for (const finding of hidden(url, true)) findings.add(url, finding);
  const problem = (text: string) => note(at, "L3", "network.url", text, "private-address");
  let parsed: URL | undefined;
  try {
    parsed = new URL(url);
  } catch {
    problem("is not an address that can be fetched");
    return;
  }
  findings.effect(url, "network", parsed.host, "irreversible");
  note(at, "L2", "network.host", `uses the network (${parsed.host})`, "network");
  if (parsed.protocol !== "http:" && parsed.protocol !== "https:")
    problem(`uses ${parsed.protocol}, only http and https are fetched`);
  if (parsed.username || parsed.password || /^[a-z]+:[\\/]*[^/?#]*@/i.test(url.trim()))
    problem("hides its host behind a user name");
  if (/[\\\s]/.test(url.trim()) || /^https?:(?!\/\/[^/])/i.test(url.trim()))
    problem("is spelled so that programs disagree on its host");
  const written = targetOf(url.trim());
  const real = targetOf(parsed.href);
  for (const target of [written, real]) {
    if (!target || target.kind === "invalid") problem("has no host that can be judged");
    else if (target.kind !== "public") problem(`reaches a ${target.kind} address (${target.host})`);
  }
  if (/[^\u0000-\u007F]/.test(written?.host ?? ""))
    note(at, "L3", "network.look-alike", "has a host with letters that may look like others", "hide");
  else if (/(^|\.)xn--/.test(parsed.hostname))
    note(at, "L2", "network.look-alike", "has an internationalised host", "hide");
}

function judgeRestore(paths: readonly string[], at: Context): void {
  const { facts, findings } = at.run;
  if (paths.length === 0) findings.effect("", "write", facts.workspace, "reversible");
  note(at, "L1", "restore.files", "puts files back to a checkpoint");
  for (const path of paths) {
    const inner = named(path, at);
    const absolute = posix.resolve(facts.workspace, path);
    if (!within(absolute, facts.workspace))
      note(inner, "L3", "path.outside-write", "restores outside the workspace", "outside");
    judgePath(pathText(path), "edit", inner);
  }
}
