// The words of an arithmetic expression in the order in which bash evaluates them, and what it assigns on the way.
import type { ArithmeticExpression, ArithmeticWord, ParsedScript, WordPart } from "unbash";
import type { Context } from "../context/context.ts";
import { judgeName, judgeNumber } from "./evaluated.ts";
import { literal, numberText, type Text } from "../syntax/text.ts";
import { judgeVariable } from "./variables.ts";

interface Expand {
  /** The parts of a word, or its source where the parser has left them together. */
  word(parts: readonly WordPart[] | string): Text;
  script(script: ParsedScript | undefined): Text;
}

/** Judges every word that is read, and gives every name that is assigned a number. */
export function expressionOf(tree: ArithmeticExpression, at: Context, expand: Expand): void {
  const inner = (each: ArithmeticExpression): void => expressionOf(each, at, expand);
  switch (tree.type) {
    case "ArithmeticWord":
      judgeNumber(textOf(tree, expand), at);
      return;
    case "ArithmeticCommandExpansion":
      judgeNumber(expand.script(tree.script), at);
      return;
    case "ArithmeticGroup":
      inner(tree.expression);
      return;
    case "ArithmeticTernary":
      inner(tree.test);
      at.scope.either([() => inner(tree.consequent), () => inner(tree.alternate)], false);
      return;
    case "ArithmeticUnary":
      inner(tree.operand);
      if (/^(\+\+|--)$/.test(tree.operator)) assigned(tree.operand, at, expand);
      return;
    case "ArithmeticBinary":
      if (!/^([-+*/%&|^]|<<|>>)?=$/.test(tree.operator)) {
        inner(tree.left);
        at.scope.either([() => inner(tree.right)], /^(&&|\|\|)$/.test(tree.operator));
        return;
      }
      inner(tree.right);
      if (tree.operator !== "=") inner(tree.left);
      assigned(tree.left, at, expand);
  }
}

const textOf = ({ value, parts }: ArithmeticWord, expand: Expand): Text =>
  parts ? expand.word(parts) : /[$`]/.test(value) ? expand.word(value) : literal(value);

function assigned(target: ArithmeticExpression, at: Context, expand: Expand): void {
  if (target.type !== "ArithmeticWord") return;
  const name = textOf(target, expand);
  judgeName(name, at);
  const [variable = ""] = /^\w*/.exec(name.value) ?? [];
  judgeVariable(variable, numberText(), at);
  if (variable === name.value) at.scope.set(variable, [numberText()]);
}
