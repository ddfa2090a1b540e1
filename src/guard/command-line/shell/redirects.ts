import type { Redirected as RedirectedNode, Redirection } from "unbash";
import { type Context, note } from "../context/context.ts";
import { judgePath, places } from "../context/paths.ts";
import { judgeName } from "./evaluated.ts";
import {
  endlessOf,
  type Flow,
  literal,
  nothing,
  numberText,
  Origin,
  shown,
  type Text,
  unknown,
} from "../syntax/text.ts";
import { judgeVariable } from "./variables.ts";
import type { Words } from "./words.ts";

export type Redirected = RedirectedNode;

export interface Outcome {
  stdin: Flow | undefined;
  /** The output goes to a file, not down the pipe. */
  captured: boolean;
  /** Without a command: `$(<a)` prints the file. */
  printed: Flow;
  /** Tells the written files what flowed into them. */
  finish(flow: Flow): void;
}

/** Judges every redirection of one command. */
export function judgeRedirects(redirects: readonly Redirection[], words: Words, at: Context): Outcome {
  let stdin: Flow | undefined;
  let captured = false;
  let appends = false;
  const written: string[] = [];
  for (const redirect of redirects) {
    if (redirect.type === "HereDoc") {
      stdin = words.body(redirect.body.parts, redirect.body.text, at);
      at.run.findings.say(redirect.body.text);
      continue;
    }
    const target = redirect.target ? words.single(redirect.target, at) : undefined;
    if (!target) {
      note(at, "L2", "shell.unparseable", "a redirection has no target", "unparseable");
      continue;
    }
    if (redirect.type === "HereString") {
      at.run.findings.say(shown(target));
      stdin =
        target.holes || target.computed || target.glob
          ? unknown(target.from | Origin.program)
          : { shape: "unknown", from: target.from, text: `${target.value}\n` };
      continue;
    }
    const operator = redirect.operator;
    if (redirect.descriptor?.type === "FileDescriptorVariable") {
      judgeName(literal(redirect.descriptor.name), at);
      judgeVariable(redirect.descriptor.name, numberText(), at);
    }
    // bash expands the name of the file once more: `>&'$(x)'` runs `x`, and `>&'"a'` writes to `a`.
    if (operator === ">&" && /[$`'"\\*?[\]{}~]/.test(target.value))
      note(
        at,
        "L2",
        "shell.expanded-twice",
        "expands the name of a file a second time, which can run commands",
        "dynamic",
      );
    if (namesDescriptor(operator, target, at)) continue;
    if (operator === "<") {
      judgePath(target, "read", at);
      stdin = { shape: "unknown", from: Origin.file | target.from | endlessOf(target.value) };
      if (redirect.descriptor?.type === "FileDescriptor" && redirect.descriptor.value > 2)
        at.run.written.set(`fd:${redirect.descriptor.value}`, Origin.file | target.from);
      const text = places(target, at).map((place) => at.run.contents.get(place.absolute))[0];
      if (text !== undefined) stdin = { ...stdin, text };
      for (const place of places(target, at))
        stdin = { ...stdin, from: stdin.from | (at.run.written.get(place.absolute) ?? 0) };
      continue;
    }
    const kept = operator === "<&" ? at.run.written.get(`fd:${target.value}`) : undefined;
    if (kept !== undefined) {
      stdin = { shape: "unknown", from: kept };
      continue;
    }
    if (operator === "<&") {
      note(at, "L2", "path.dynamic", "reads a descriptor that is not known beforehand", "dynamic");
      continue;
    }
    appends = operator === ">>" || operator === "&>>";
    judgePath(target, appends ? "append" : "write", at);
    if (operator === "<>") judgePath(target, "read", at);
    if (redirect.descriptor?.type !== "FileDescriptor" || redirect.descriptor.value === 1) captured = true;
    written.push(...places(target, at).map((place) => place.absolute));
    if (/^\/dev\/(fd\/|std)/.test(target.value)) captured = false;
  }
  const finish = (flow: Flow): void => {
    if (flow.from & Origin.endless && written.length > 0)
      note(at, "L3", "path.fills", "writes to a file without end, until the disk is full", "destroy");
    if (written.length > 0 && flow.text !== undefined) at.run.findings.say(flow.text);
    for (const file of written) {
      at.run.written.set(file, (at.run.written.get(file) ?? 0) | flow.from);
      const before = appends ? at.run.contents.get(file) : "";
      if (flow.text !== undefined && before !== undefined) at.run.contents.set(file, before + flow.text);
      else at.run.contents.delete(file);
    }
  };
  return { stdin, captured, printed: printedOf(stdin, redirects.length), finish };
}

/** A file that cannot be opened: the command is not run, and sets nothing. */
export const mayFail = (redirects: readonly Redirection[]): boolean =>
  redirects.some((each) => each.type === "Redirect" && !/^(\d+-?|-|\/dev\/null)$/.test(each.target?.value ?? ""));

function printedOf(stdin: Flow | undefined, redirects: number): Flow {
  if (!stdin) return nothing;
  return redirects === 1 ? stdin : unknown(stdin.from | Origin.file);
}

/** `2>&1`, `<&3`, `>&-`: nothing that this command wrote stands behind it. */
const namesDescriptor = (operator: string, target: Text, at: Context): boolean =>
  (operator === ">&" || operator === "<&") &&
  /^(\d+-?|-)$/.test(target.value) &&
  !(operator === "<&" && at.run.written.has(`fd:${target.value}`)) &&
  !target.doubtful;
