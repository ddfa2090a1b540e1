import type { Assignment } from "unbash";
import type { Context } from "../context/context.ts";
import { concat, literal, unknownText } from "../syntax/text.ts";
import { judgeHidden } from "./evaluated.ts";
import { judgeVariable } from "./variables.ts";
import type { Words } from "./words.ts";

/** Where an assignment stands; one before a command lasts for that command only. */
export interface AssignmentSite {
  at: Context;
  prefix: boolean;
}

export function judgeAssignment(assignment: Assignment, words: Words, place: AssignmentSite): void {
  const { at } = place;
  if (assignment.index) words.index(assignment.name, assignment.index, at);
  if (assignment.value.type === "ArrayValue")
    for (const element of assignment.value.elements) words.element(assignment.name, element, at);
  const array = assignment.value.type === "ArrayValue";
  const value =
    assignment.value.type === "ArrayValue"
      ? words.fields(assignment.value.elements, at)
      : [words.single(assignment.value, at)];
  for (const text of value.length > 0 ? value : [literal("")]) judgeVariable(assignment.name, text, at);
  for (const text of value) judgeHidden(text, at);
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
