// Constructs whose body may run never, once or often: what they leave is what any of their ways leaves.
import type { ArithmeticFor, Case, CompoundList, For, If, Select, SyntaxNode, While } from "unbash";
import { type Context, note } from "../command-line/context/context.ts";
import { judgeHidden, judgeNumber } from "../command-line/shell/evaluated.ts";
import { floods, forever, neverEnds } from "../command-line/shell/loops.ts";
import { itemOf, mergeAll } from "../command-line/shell/merged.ts";
import { judgeVariable } from "../command-line/shell/variables.ts";
import type { Words } from "../command-line/shell/words.ts";
import type { Value } from "../command-line/syntax/scope.ts";
import { type Flow, joinFlows, literal, nothing, type Text, unknown } from "../command-line/syntax/text.ts";

interface Walking {
  words: Words;
  text(node: SyntaxNode): string;
  run(list: CompoundList): Flow;
}

type Branching = If | For | Select | While | ArithmeticFor | Case;

export function judgeBranches(node: SyntaxNode, at: Context, walking: Walking): Flow {
  return new Branches(at, walking).judge(node as Branching);
}

class Branches {
  readonly #at: Context;
  readonly #walking: Walking;

  constructor(at: Context, walking: Walking) {
    this.#at = at;
    this.#walking = walking;
  }

  judge(node: Branching): Flow {
    const { words, text } = this.#walking;
    switch (node.type) {
      case "If":
        return joinFlows(this.#walking.run(node.clause), this.#choice(node.then, node.elif, node.else));
      case "For":
      case "Select":
        return this.#each(node);
      case "While":
        if (forever.test(text(node.clause)) && floods(node.body, text)) neverEnds(this.#at);
        return this.#loop(node.body, () => this.#inside(node.clause));
      case "ArithmeticFor": {
        const number = (part: ArithmeticFor["test"]) => words.number(part, "", this.#at);
        number(node.initialize);
        if (!node.test && floods(node.body, text)) neverEnds(this.#at);
        let first = true;
        return this.#loop(node.body, () => {
          if (!first) number(node.update);
          first = false;
          number(node.test);
          return nothing;
        });
      }
      case "Case":
        return this.#cases(node);
      default:
        note(this.#at, "L2", "shell.unparseable", "holds a construct that is not understood", "unparseable");
        return unknown();
    }
  }

  #inside(list: CompoundList): Flow {
    const { scope } = this.#at;
    const { certain } = scope;
    scope.certain = false;
    const flow = this.#walking.run(list);
    scope.certain = certain;
    return flow;
  }

  #choice(then: CompoundList, [elif, ...more]: If["elif"], last: If["else"]): Flow {
    const other = () => {
      if (elif) return joinFlows(this.#inside(elif.clause), this.#choice(elif.then, more, last));
      return last ? this.#inside(last) : nothing;
    };
    return this.#at.scope.either([() => this.#inside(then), other], false).reduce(joinFlows);
  }

  /** `head` is looked at before the first time, and after each, when the body has changed what it reads. */
  #loop(body: CompoundList, head: () => Flow): Flow {
    const { scope } = this.#at;
    let flow = head();
    for (let time = 0; time < 2; time += 1) {
      const before = scope.state();
      flow = joinFlows(flow, joinFlows(this.#inside(body), head()));
      scope.mayBe(before);
    }
    return flow;
  }

  #each(node: For | Select): Flow {
    const { scope } = this.#at;
    const words = node.wordlist
      ? this.#walking.words.fields(node.wordlist, this.#at)
      : [...(scope.variables.get("@")?.[0] ?? [])];
    const before = scope.state();
    this.#loopVariable(node.name.value, words);
    // Without a word, or without an answer, nothing is given a value.
    if (words.length === 0 || node.type === "Select") scope.mayBe(before);
    const item = scope.variables.get(node.name.value);
    let first = true;
    const flow = this.#loop(node.body, () => {
      if (!first && item) scope.variables.set(node.name.value, item);
      first = false;
      return nothing;
    });
    // Behind the loop: `$(true)` is no word at all.
    if (!words.some(surelyWord)) scope.mayBe(before);
    return flow;
  }

  #loopVariable(name: string, words: readonly Text[]): void {
    const { scope } = this.#at;
    const values: Value[] = words.map((word) => [itemOf(word)]);
    if (values.length === 0) values.push([]);
    judgeVariable(name, literal(""), this.#at);
    for (const word of words) {
      judgeHidden(word, this.#at);
      if (scope.integers.has(name)) judgeNumber(word, this.#at);
    }
    const fixed = scope.fixed.has(name) ? scope.state() : undefined;
    scope.variables.set(name, values.length <= 16 ? values : [[mergeAll(words)]]);
    if (fixed) scope.mayBe(fixed);
  }

  #cases(node: Case): Flow {
    const { scope } = this.#at;
    const { words } = this.#walking;
    words.single(node.word, this.#at);
    const start = scope.state();
    let flow: Flow = nothing;
    const ends = [];
    let certain = false;
    for (const item of node.items) {
      for (const pattern of item.pattern) words.single(pattern, this.#at);
      certain ||= item.pattern.some(({ text }) => text === "*");
      flow = joinFlows(flow, this.#inside(item.body));
      ends.push(scope.state());
      // `;&` goes on with the next body.
      scope.mayBe(start);
    }
    scope.oneOf(certain ? ends : [start, ...ends]);
    return flow;
  }
}

/** Written out, or quoted: unquoted, what only the running shell knows may be nothing. */
const surelyWord = (word: Text): boolean =>
  !word.split && !word.doubtful && !(word.value === "" && word.computed) && !(word.names && word.holes);
