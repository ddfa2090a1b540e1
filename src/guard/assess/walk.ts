// Walks a shell syntax tree and judges every command in it.
import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandNode,
  type CompoundCommand,
  type CompoundList,
  forEachChild,
  parse,
  type ParsedScript,
  type Pipeline,
  type PipelineNode,
  type Statement,
  type SyntaxNode,
} from "unbash";
import { type Context, deeper, deepest, type Judge, note } from "../command-line/context/context.ts";
import { type Finding, Findings } from "../command-line/context/findings.ts";
import { judgeAssignment } from "../command-line/shell/assignments.ts";
import { judgeCommand } from "../programs/command.ts";
import { orQuestion } from "../command-line/context/question.ts";
import { listingIn, withoutDashes } from "../command-line/shell/listings.ts";
import { aliased, argument, mergeAll } from "../command-line/shell/merged.ts";
import { judgeRedirects, mayFail, type Redirected } from "../command-line/shell/redirects.ts";
import { type Flow, joinFlows, nothing, Origin, type Text, unknown } from "../command-line/syntax/text.ts";
import type { Body, Scope, Value } from "../command-line/syntax/scope.ts";
import { judgePieces } from "../command-line/shell/unparsed.ts";
import { judgeHidden, judgeName, judgeNumber } from "../command-line/shell/evaluated.ts";
import { Words } from "../command-line/shell/words.ts";
import { judgeBranches } from "./branches.ts";

/** Judges shell source in its entirety; `source` is what positions refer to. */
export class Walker implements Judge {
  private readonly words = new Words((script, at, input) => this.substitution(script, at, input));
  private source = "";

  script(source: string, at: Context, here = false): Flow {
    if (at.depth > deepest) {
      note(at, "L2", "shell.too-deep", "nests commands too deeply to look through", "unparseable");
      return unknown();
    }
    const outer = this.source;
    this.source = source;
    const tree = parse(source);
    const inner = here ? at : { ...at, scope: at.scope.fork() };
    if (this.problems(tree, source, at)) judgePieces(source, at, (piece) => this.alone(piece, inner));
    const flow = this.statements(tree.commands, deeper(inner));
    if (!here) for (const name of inner.scope.functions.keys()) this.uncalled(name, inner);
    this.source = outer;
    return flow;
  }

  forbidden = (source: string, at: Context): Finding | undefined => this.alone(source, at).forbidden();

  private alone(source: string, at: Context): Findings {
    const findings = new Findings();
    this.script(source, { ...at, run: { ...at.run, findings } });
    return findings;
  }

  argv(argv: readonly Text[], at: Context): Flow {
    if (at.run.budget-- <= 0 || at.depth > deepest) {
      note(at, "L2", "shell.too-deep", "holds more commands than can be looked at", "unparseable");
      return unknown();
    }
    return judgeCommand(argv, at, (name, rest) => this.call(name, rest, at));
  }

  /** A function that is defined and never called still shows what it is for. */
  private uncalled(name: string, at: Context): void {
    const bodies = at.scope.functions.get(name) ?? [];
    if (bodies.some((body) => !("called" in body && body.called)))
      this.call(name, [], { ...at, scope: at.scope.fork() });
  }

  private call(name: string, rest: readonly Text[], at: Context): Flow | undefined {
    const bodies = at.scope.functions.get(name);
    if (!bodies || bodies.length === 0) return undefined;
    if (at.scope.calls.includes(name)) {
      const floods = bodies.some(
        (body) =>
          "node" in body && /(^|[^|])\|(?!\|)|(^|[^&])&(?![&>])/.test(body.source.slice(body.node.pos, body.node.end)),
      );
      if (floods) note(at, "L3", "shell.fork-bomb", `${name} starts itself without end`, "destroy");
      else note(at, "L2", "shell.recursion", `${name} calls itself`, "dynamic");
      return unknown();
    }
    const ways = bodies.map((body) => () => this.called(name, body, { rest, at }));
    // It may return before it has done all, and what is local to it is gone.
    return at.scope.either(ways, true).reduce(joinFlows, nothing);
  }

  private called(name: string, body: Body, { rest, at }: { rest: readonly Text[]; at: Context }): Flow {
    body.called = true;
    const { scope } = at;
    const calls = scope.calls;
    const before = [...scope.variables].filter(([variable]) => argument.test(variable));
    for (const [variable] of before) scope.variables.delete(variable);
    scope.calls = [...calls, name];
    let flow: Flow;
    if ("alias" in body) flow = this.script(aliased(body.alias, rest), at, true);
    else {
      rest.forEach((text, index) => scope.variables.set(String(index + 1), [[text]]));
      scope.variables.set("@", [rest]);
      scope.variables.set("*", [rest]);
      const outer = this.source;
      this.source = body.source;
      flow = this.compound(body.node, deeper(at));
      this.source = outer;
    }
    scope.calls = calls;
    for (const variable of scope.variables.keys()) if (argument.test(variable)) scope.variables.delete(variable);
    for (const [variable, values] of before) scope.variables.set(variable, values);
    return flow;
  }

  private problems(tree: ParsedScript, source: string, at: Context): boolean {
    const errors = tree.errors !== undefined && tree.errors.length > 0;
    if (errors) note(at, "L2", "shell.unparseable", `cannot be parsed (${tree.errors?.[0]?.message})`, "unparseable");
    const last = tree.commands[tree.commands.length - 1]?.end ?? 0;
    const rest = source.slice(last).replace(/(^|[\s;&])#[^\n]*/g, "");
    // The parser can stop early without an error ("/ ("); what it has not read has not been judged.
    const ended = /^[\s;&\\]*$/.test(rest) || source.includes("<<");
    if (!ended) note(at, "L2", "shell.unparseable", "cannot be parsed to its end", "unparseable");
    return errors || !ended;
  }

  private substitution(script: ParsedScript | undefined, at: Context, input?: Flow): Flow {
    if (!script) {
      note(at, "L2", "shell.unparseable", "holds a substitution that cannot be parsed", "unparseable");
      return unknown();
    }
    if (script.errors && script.errors.length > 0)
      note(at, "L2", "shell.unparseable", "holds a substitution that cannot be parsed", "unparseable");
    if (at.depth > deepest) {
      note(at, "L2", "shell.too-deep", "nests commands too deeply to look through", "unparseable");
      return unknown();
    }
    const outer = this.source;
    if (script.source !== undefined) this.source = script.source;
    const scope = at.scope.fork();
    if (input) scope.stdin = input;
    const flow = this.statements(script.commands, deeper(at, { scope, listing: listingIn(script, this.source, at) }));
    this.source = outer;
    return flow;
  }

  private statements(statements: readonly Statement[], at: Context): Flow {
    let flow: Flow = nothing;
    for (const statement of statements) {
      if (statement.background) {
        at.run.findings.tags.add("background");
        if (/^"?\$\{?0\}?"?(\s|$)/.test(this.text(statement.command)))
          note(at, "L3", "shell.fork-bomb", "starts itself without end", "destroy");
        flow = joinFlows(flow, this.node(statement.command, { ...at, scope: at.scope.fork() }));
      } else flow = joinFlows(flow, this.node(statement.command, at));
    }
    return flow;
  }

  private node(node: PipelineNode | AndOr, at: Context): Flow {
    if (node.type === "AndOr") return this.andOr(node, at);
    if (node.type === "Pipeline") return this.pipeline(node, at);
    return this.command(node, at);
  }

  private andOr(node: AndOr, at: Context): Flow {
    const certain = at.scope.certain;
    let flow: Flow = nothing;
    let wide: readonly string[] = [];
    let first: Scope | undefined;
    node.commands.forEach((command, index) => {
      // After `&&` the right side runs in a world where the left side's assignments hold.
      const before = node.commands[index - 1];
      let skipped: Scope | undefined;
      if (index > 0 && node.operators[index - 1] === "||") {
        at.scope.certain = false;
        at.scope.widen(wide);
        if (first) at.scope.mayBe(first);
        skipped = at.scope.state();
      } else if (before?.type === "Command" && /^cd\s/.test(this.text(before)) && !at.scope.functions.has("cd"))
        wide = [...wide, ...at.scope.arrive()];
      flow = joinFlows(flow, this.node(command, at));
      if (skipped) at.scope.mayBe(skipped);
      first ??= at.scope.state();
    });
    at.scope.widen(wide);
    if (first) at.scope.mayBe(first);
    at.scope.certain = certain;
    return flow;
  }

  private pipeline(node: Pipeline, at: Context): Flow {
    if (node.commands.length === 1 && node.commands[0]) return this.command(node.commands[0], at);
    let input = at.scope.stdin;
    node.commands.forEach((command, index) => {
      const scope = at.scope.fork();
      scope.stdin = input;
      const flow = this.command(command, { ...at, scope, beside: true });
      // What came in may still be in what comes out, whatever stands between.
      input =
        index === 0 || flow.shape === "constant"
          ? flow
          : { ...flow, from: flow.from | (input.from & ~(Origin.endless | Origin.everything)) };
    });
    return input;
  }

  private command(node: CommandNode, at: Context): Flow {
    switch (node.type) {
      case "Command": {
        const [{ source }, { calls, stdin }] = [this, at.scope];
        return orQuestion(
          { ...at, part: this.text(node) },
          () => this.simple(node, at),
          () => {
            this.source = source;
            Object.assign(at.scope, { calls, stdin });
          },
        );
      }
      case "Function":
        at.scope.define(node.name.value, { node: node.body, source: this.source });
        return nothing;
      case "Coproc":
        at.run.findings.tags.add("background");
        // It is a shell of its own.
        return node.body.type === "Command"
          ? this.simple(node.body, { ...at, scope: at.scope.fork() })
          : this.compound(node.body, { ...at, scope: at.scope.fork() });
      default:
        return this.compound(node, at);
    }
  }

  private compound(node: CompoundCommand | Redirected | CompoundList, at: Context): Flow {
    switch (node.type) {
      case "Redirected": {
        const scope = at.scope.fork();
        const redirected = judgeRedirects(node.redirects, this.words, { ...at, part: this.text(node), scope });
        if (redirected.stdin) scope.stdin = redirected.stdin;
        const flow = this.compound(node.command, { ...at, scope });
        redirected.finish(flow);
        at.scope.oneOf([at.scope, scope]);
        return redirected.captured ? nothing : flow;
      }
      case "CompoundList":
        return this.statements(node.commands, at);
      case "BraceGroup":
        return this.statements(node.body.commands, at);
      case "Subshell":
        return this.statements(node.body.commands, { ...at, scope: at.scope.fork() });
      default:
        return this.branching(node, at);
    }
  }

  private branching(node: Exclude<CompoundCommand, { type: "BraceGroup" | "Subshell" }>, at: Context): Flow {
    switch (node.type) {
      case "TestCommand":
        this.testWords(node, at);
        return nothing;
      case "ArithmeticCommand":
        this.words.number(node.expression, node.body, at);
        return nothing;
      default:
        return judgeBranches(node, at, {
          words: this.words,
          text: (each) => this.text(each),
          run: (list) => this.statements(list.commands, at),
        });
    }
  }

  private testWords(node: SyntaxNode, at: Context): void {
    const numeric = node.type === "TestBinary" && /^-(eq|ne|lt|le|gt|ge)$/.test(node.operator);
    const named = node.type === "TestUnary" && /^-[vR]$/.test(node.operator);
    forEachChild(node, (child) => {
      if (child.type === "Word") {
        const text = this.words.single(child, at);
        (numeric ? judgeNumber : named ? judgeName : judgeHidden)(text, at);
      } else if (
        child.type === "CommandExpansion" ||
        child.type === "ArithmeticCommandExpansion" ||
        child.type === "ProcessSubstitution"
      )
        this.substitution(child.script, at);
      else if (child.type !== "Script") this.testWords(child, at);
    });
  }

  private simple(node: Command, at: Context): Flow {
    const part = this.text(node);
    const inner = { ...at, part };
    at.run.findings.segment(part);
    return this.combinations(part, inner, () => this.once(node, inner));
  }

  /** Judges once per combination of the values that the command's variables may have. */
  private combinations(part: string, at: Context, judge: () => Flow): Flow {
    const { scope } = at;
    const many = [...new Set(Array.from(part.matchAll(/\$\{?[!#]?(\w+)/g), (found) => found[1] ?? ""))].filter(
      (name) => (scope.variables.get(name)?.length ?? 0) > 1,
    );
    const all = many.map((name) =>
      (scope.variables.get(name) ?? []).map((value): [string, Value[]] => [name, [value]]),
    );
    const total = all.reduce((product, values) => product * values.length, 1);
    if (many.length === 0 || total > 64) return judge();
    const held = new Map(many.map((name) => [name, scope.variables.get(name) ?? []]));
    const chosen = all.reduce<[string, Value[]][][]>(
      (before, values) => before.flatMap((pins) => values.map((value) => [...pins, value])),
      [[]],
    );
    const ways = chosen.map((pins) => () => {
      for (const [name, value] of pins) scope.variables.set(name, value);
      const flow = judge();
      // What it was not given anew may still be any of its values.
      for (const [name, value] of pins)
        if (scope.variables.get(name) === value) scope.variables.set(name, held.get(name) ?? value);
      return flow;
    });
    return scope.either(ways, false).reduce(joinFlows, nothing);
  }

  private once(node: Command, at: Context): Flow {
    const assignments = node.prefix.filter((item): item is Assignment => item.type === "Assignment");
    const name = node.name ? this.words.fields([node.name], at) : [];
    const keyed = node.args.some((word) => /^-[a-zA-Z]*A/.test(word.text));
    const args = node.args.flatMap((word) =>
      word.type === "Assignment" ? [this.assignmentWord(word, at, keyed)] : this.words.fields([word], at),
    );
    const undone = mayFail(node.redirects) ? at.scope.state() : undefined;
    for (const assignment of assignments)
      judgeAssignment(assignment, this.words, { at, prefix: node.name !== undefined });
    const redirected = judgeRedirects(node.redirects, this.words, at);
    const argv = withoutDashes([...name, ...args], at);
    const stdin = at.scope.stdin;
    if (redirected.stdin) at.scope.stdin = redirected.stdin;
    let flow: Flow = nothing;
    if (argv.length > 0) flow = this.argv(argv, at);
    else if (node.name) note(at, "L2", "shell.dynamic-command", "the command is empty or unknown", "dynamic");
    else flow = redirected.printed;
    at.scope.stdin = stdin;
    if (undone) at.scope.mayBe(undone);
    redirected.finish(flow);
    return redirected.captured ? nothing : flow;
  }

  /** `export NAME=value`: one field, no splitting. */
  private assignmentWord(word: Assignment, at: Context, keyed: boolean): Text {
    if (word.index) this.words.index(keyed ? anyKey : word.name, word.index, at);
    if (word.value.type === "ArrayValue") {
      const elements = word.value.elements.map((element) => this.words.single(element, at));
      for (const element of word.value.elements) this.words.element(keyed ? anyKey : word.name, element, at);
      return { ...mergeAll(elements), value: `${word.name}=(${elements.map((text) => text.value).join(" ")})` };
    }
    const value = this.words.single(word.value, at);
    return { ...value, value: `${word.name}=${value.value}`, tilde: false };
  }

  private text(node: { pos: number; end: number }): string {
    return this.source.slice(node.pos, node.end).trim();
  }
}

/** Stands for the name of an array whose index is any text. */
const anyKey = "";
