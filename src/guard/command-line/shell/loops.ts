// Loops without an end that start something each time round.
import type { CompoundList, PipelineNode, Statement, SyntaxNode } from "unbash";
import { type Context, note } from "../context/context.ts";

/** Conditions of `while` and `until` that never change. */
export const forever = /^(true|:|\[ *1 *\]|\(\( *1 *\)\)|false|! *true)[\s;]*$/;

type Show = (node: SyntaxNode) => string;

const pauses = /\b(wait|sleep|break|read|exit|return|inotifywait|curl|ping|npm|make)\b/;

const starts = (list: readonly Statement[]): boolean =>
  list.some(({ background, command }) => background === true || inside(command));

const inside = (command: Statement["command"] | PipelineNode): boolean =>
  (command.type === "Subshell" || command.type === "BraceGroup") && starts(command.body.commands);

/** Whether nothing in the body makes the next time round wait. */
export const floods = (body: CompoundList, show: Show): boolean =>
  starts(body.commands) &&
  !body.commands.some(
    (statement) => !statement.background && !inside(statement.command) && pauses.test(show(statement)),
  );

export const neverEnds = (at: Context): void =>
  note(at, "L3", "shell.fork-bomb", "starts processes without end", "destroy");
