import type { Assignment } from "unbash";
import { variableRule } from "../../rules/variables.ts";
import { type Context, note } from "../context.ts";
import { concat, literal, type Text, unknownText } from "./text.ts";
import type { Words } from "./words.ts";

/** Where an assignment stands; one before a command lasts for that command only. */
export interface Place {
  at: Context;
  prefix: boolean;
}

/** What setting the variable means, whoever sets it (`X=1 cmd`, `export`, `env X=1`, `declare`). */
export function judgeVariable(name: string, value: Text | undefined, at: Context): void {
  const rule = variableRule(name);
  if (!rule) return;
  if (name === "IFS" && value && /^[\s,:;|/]*$/.test(value.value) && !value.holes) return;
  if (
    (name === "PAGER" || name === "GIT_PAGER" || name === "MANPAGER") &&
    /^(cat|less|more|)$/.test(value?.value ?? "?")
  )
    return;
  if (/^(GIT_)?(SEQUENCE_)?EDITOR$|^VISUAL$/.test(name) && /^(true|:|cat)$/.test(value?.value ?? "?")) return;
  note(at, rule.risk, "shell.variable", `sets ${name}, which ${rule.text}`, rule.tag);
}

export function judgeAssignment(assignment: Assignment, words: Words, place: Place): void {
  const { at } = place;
  if (assignment.index) words.nested(assignment.index, at);
  const array = assignment.value.type === "ArrayValue";
  const value =
    assignment.value.type === "ArrayValue"
      ? words.fields(assignment.value.elements, at)
      : [words.single(assignment.value, at)];
  judgeVariable(assignment.name, value[0], at);
  if (place.prefix) return;
  if (assignment.index) {
    at.scope.set(assignment.name, [unknownText(value[0]?.from ?? 0, { split: true, computed: true })]);
    return;
  }
  if (assignment.append) {
    const old = at.scope.variables.get(assignment.name);
    const before = old?.length === 1 && old[0] ? old[0] : [unknownText(0, { split: true })];
    const first = before[0] ?? literal("");
    at.scope.set(assignment.name, array ? [...before, ...value] : [concat(first, value[0] ?? literal(""))]);
    return;
  }
  at.scope.set(assignment.name, value);
}
