// Words to texts: every expansion bash makes, with what stays unknown marked as such.
import {
  type ArithmeticExpression,
  type DoubleQuotedChild,
  forEachChild,
  parse,
  type ParsedScript,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import { type Context, note } from "../context/context.ts";
import { expandBraces } from "../syntax/braces.ts";
import { parameterValue, valueOf } from "./parameters.ts";
import {
  concat,
  type Flow,
  flowText,
  hole,
  literal,
  numberText,
  Origin,
  type Text,
  unknown,
  unknownText,
} from "../syntax/text.ts";
import { expressionOf } from "./arithmetic.ts";
import { judgeNumber } from "./evaluated.ts";

/** Judges a substitution's script and says what it prints. */
type Substitute = (script: ParsedScript | undefined, at: Context, input?: Flow) => Flow;

export class Words {
  private readonly substitute: Substitute;

  constructor(substitute: Substitute) {
    this.substitute = substitute;
  }

  /** All fields that the words become. */
  fields(words: readonly Word[], at: Context): Text[] {
    return words.flatMap((word) => this.field(word, at));
  }

  /** The word where bash does no splitting: assignments, redirections, here-strings. */
  readonly single = (word: Word, at: Context): Text => {
    const texts = this.expand(word, at);
    const joined = texts.reduce(
      (all, text) => (all === undefined ? text : concat(concat(all, literal(" ")), text)),
      undefined as Text | undefined,
    );
    return { ...(joined ?? literal("")), split: false };
  };

  private field(word: Word, at: Context): Text[] {
    if (word.parts?.some((part) => part.type === "BraceExpansion")) {
      const sources = expandBraces(word.text);
      if (!sources) {
        note(at, "L2", "shell.braces", "expands to more words than can be looked at", "dynamic");
        return [unknownText(Origin.program, { split: true })];
      }
      if (sources.length > 1 || sources[0] !== word.text) return sources.flatMap((source) => this.reparsed(source, at));
    }
    return this.expand(word, at).flatMap((text) => splitKnown(text, at));
  }

  private reparsed(source: string, at: Context): Text[] {
    if (source === "") return [];
    const statement = parse(`: ${source}`).commands[0];
    const command = statement?.command;
    if (command?.type !== "Command") return [unknownText(Origin.program, { split: true })];
    return command.suffix.flatMap((word) => {
      if (word.type === "Word") return this.expand(word, at).flatMap((text) => splitKnown(text, at));
      return word.type === "Assignment" ? [literal(word.text)] : [];
    });
  }

  private expand(word: Word, at: Context): Text[] {
    const tilde = word.text.startsWith("~");
    if (!word.parts) {
      const value = assignedHome.test(word.text)
        ? word.value.replace(assignedHome, (_, name: string) => name + at.run.facts.home)
        : word.value;
      return [atHome({ ...literal(value), tilde }, at)];
    }
    let fields: Text[] = [{ ...literal(""), tilde }];
    for (const part of word.parts) fields = append(fields, this.part(part, at, false));
    return fields.map((text) => atHome(text, at));
  }

  /** One list of fields per part; the first joins the word before it, the last the word after it. */
  private part(part: WordPart | DoubleQuotedChild, at: Context, quoted: boolean): Text[] {
    switch (part.type) {
      case "Literal":
      case "SingleQuoted":
      case "AnsiCQuoted":
        return [literal(part.value)];
      case "DoubleQuoted":
      case "LocaleString": {
        let fields: Text[] = [literal("")];
        for (const child of part.parts) fields = append(fields, this.part(child, at, true));
        return fields;
      }
      case "Glob":
        this.nested(part, at);
        return [{ ...literal(part.kind === "bracket" ? part.text : part.value), glob: true }];
      case "ExtendedGlob":
        this.nested(part, at);
        return [{ ...literal("*"), glob: true }];
      case "SimpleExpansion":
        return shaped(valueOf(part.text.slice(1), at), quoted, part.text === "$@");
      case "ParameterExpansion": {
        this.nestedSubstitutions(part, at);
        const many = part.parameter === "@" || part.index?.value === "@";
        return shaped(parameterValue(part, at, this.single), quoted, many);
      }
      case "CommandExpansion":
        return [flowText(this.substitute(part.script, at), quoted)];
      case "ArithmeticExpansion":
        this.number(part.expression, part.text, at);
        return [numberText()];
      case "ProcessSubstitution": {
        const flow = this.substitute(part.script, at, part.operator === ">" ? unknown() : undefined);
        return [{ ...literal("/dev/fd/63"), computed: true, from: flow.from }];
      }
      case "BraceExpansion":
        // A sequence whose ends are not numbers is left as it is once its ends are expanded: `{1..$((v))}`.
        if (/[$`]/.test(part.text)) this.joined(doubleQuoted(part.text), at);
        return [literal(part.text)];
      default:
        note(at, "L2", "shell.unparseable", "holds a construct that is not understood", "unparseable");
        return [unknownText(Origin.program, { split: true })];
    }
  }

  /** Judges every substitution inside a node whose own value does not matter. */
  nested(node: SyntaxNode | ArithmeticExpression, at: Context, each?: (flow: Flow) => void): void {
    forEachChild(node, (child) => {
      if (
        child.type === "CommandExpansion" ||
        child.type === "ProcessSubstitution" ||
        child.type === "ArithmeticCommandExpansion"
      ) {
        const flow = this.substitute(child.script, at);
        each?.(flow);
      } else if (
        child.type === "ArithmeticExpansion" ||
        child.type === "ParameterExpansion" ||
        child.type === "DoubleQuoted"
      )
        this.part(child, at, true);
      else if (child.type !== "Script") this.nested(child, at, each);
    });
  }

  /** What bash evaluates as a number. Without a tree of it nothing is known of it. */
  number(tree: ArithmeticExpression | undefined, source: string, at: Context): void {
    if (tree)
      expressionOf(tree, at, {
        word: (parts) => this.joined(typeof parts === "string" ? doubleQuoted(parts) : parts, at),
        script: (script) => flowText(this.substitute(script, at), true),
      });
    else if (/[^\s$()[\]]/.test(source))
      note(at, "L2", "shell.number", "evaluates an expression that cannot be looked through", "dynamic");
  }

  /** An index of an array, of any other name than those of `declare -A`. */
  index(name: string, index: Word, at: Context): void {
    if (at.scope.associative.has(name) || index.text === "@" || index.text === "*") this.single(index, at);
    else judgeNumber(this.unquoted(index, at), at);
  }

  /** `([1]=a [2]=b)`: the indices of an array's elements. */
  element(name: string, word: Word, at: Context): void {
    const text = this.unquoted(word, at);
    const index = /^\[([\s\S]*?)\]\+?=/.exec(text.value)?.[1];
    if (index === undefined || at.scope.associative.has(name)) return;
    judgeNumber({ ...text, value: index, holes: text.holes && index.includes(hole) }, at);
  }

  /** A word as arithmetic reads it: a star multiplies. */
  private unquoted(word: Word, at: Context): Text {
    if (!word.parts) return literal(word.value);
    return word.parts
      .map((part) => (part.type === "Glob" ? [this.patternText(part.text, at)] : this.part(part, at, true)))
      .flat()
      .reduce(concat, literal(""));
  }

  private patternText(text: string, at: Context): Text {
    return /[$`]/.test(text) ? this.joined(doubleQuoted(text), at) : literal(text);
  }

  private joined(parts: readonly WordPart[], at: Context): Text {
    let fields: Text[] = [literal("")];
    for (const part of parts) fields = append(fields, this.part(part, at, true));
    return fields.reduce(concat);
  }

  /** The operand of an operation is expanded by the operation itself; an index or a slice is not. */
  private nestedSubstitutions(part: Extract<WordPart, { type: "ParameterExpansion" }>, at: Context): void {
    if (part.index) this.index(part.parameter, part.index, at);
    if (!part.operation || part.operation.type === "Default") return;
    for (const operand of Object.values(part.operation) as unknown[])
      if (isWord(operand)) {
        if (part.operation.type === "Slice") judgeNumber(this.unquoted(operand, at), at);
        else this.single(operand, at);
      }
    // The parser ends a pattern or an offset at the first `/` or `:`, also inside a substitution.
    const whole = part.text.slice(part.operation.operatorEnd - part.pos, -1);
    if (/^(Replace|Slice)$/.test(part.operation.type) && /\$\(|`|[<>]\(/.test(whole)) this.whole(whole, at);
  }

  private whole(source: string, at: Context): void {
    const tree = parse(`: ${source}`);
    if (tree.commands.length !== 1 || (tree.errors?.length ?? 0) > 0)
      note(at, "L2", "shell.unparseable", "holds a substitution that cannot be parsed", "unparseable");
    this.reparsed(source, at);
  }

  /** A here-document body: text when known, judged inside. */
  body(parts: readonly WordPart[] | undefined, text: string, at: Context): Flow {
    if (!parts) return { shape: "unknown", from: 0, text };
    let fields: Text[] = [literal("")];
    // Quotes in a here-document quote nothing, not even in an operand: `${x-'$(rm y)'}` runs `rm y`.
    const unquoted = parts.flatMap((part) =>
      part.type === "ParameterExpansion" && part.text.includes("'") ? doubleQuoted(part.text) : [part],
    );
    for (const part of unquoted) fields = append(fields, this.part(part, at, true));
    const joined = fields.reduce(concat, literal(""));
    return joined.holes || joined.computed
      ? unknown(joined.from | Origin.program)
      : { shape: "unknown", from: joined.from, text: joined.value };
  }
}

/** The parts of a text that is expanded as one word, without splitting and patterns. */
function doubleQuoted(text: string): readonly WordPart[] {
  const command = parse(`: "${text.replaceAll('"', "")}"`).commands[0]?.command;
  const word = command?.type === "Command" ? command.suffix[0] : undefined;
  return word?.type === "Word" ? (word.parts ?? []) : [];
}

/** `of=~/x`: bash expands it as it would in an assignment. */
const assignedHome = /^([A-Za-z_]\w*=)~(?=\/|$)/;

/** `~` and `~user` where the shell expands them, so that a variable holds the folder and not the sign. */
function atHome(text: Text, at: Context): Text {
  const user = text.tilde ? /^~([\w.-]*)(?=\/|$)/.exec(text.value)?.[1] : undefined;
  if (user === undefined || user === "-") return text;
  const home = user === "" ? at.run.facts.home : user === "root" ? "/root" : `/home/${user}`;
  return { ...text, value: home + text.value.slice(1 + user.length), tilde: false };
}

const isWord = (value: unknown): value is Word =>
  typeof value === "object" && value !== null && "parts" in value && "text" in value;

function append(fields: Text[], more: Text[]): Text[] {
  const last = fields[fields.length - 1] ?? literal("");
  const [first, ...rest] = more;
  return first ? [...fields.slice(0, -1), concat(last, first), ...rest] : fields;
}

function shaped(value: readonly Text[], quoted: boolean, many: boolean): Text[] {
  if (many) return value.map((text) => ({ ...text, split: !quoted, tilde: false }));
  const joined =
    value.length === 1 && value[0]
      ? value[0]
      : value.reduce((all, text, index) => (index ? concat(concat(all, literal(" ")), text) : text), literal(""));
  const split = !quoted;
  return [{ ...joined, split, glob: joined.glob || (!quoted && /[*?[]/.test(joined.value)), tilde: false }];
}

/** Splits an unquoted known value at white space, as bash would with the usual IFS. */
function splitKnown(text: Text, at: Context): Text[] {
  if (!text.split) return [text];
  // `cat$IFS$9/etc/shadow`: the white space between is known whatever the rest is.
  if (text.holes && !at.part.includes("IFS")) return [text];
  const separators = (at.scope.variables.get("IFS") ?? []).flatMap((value) => value.map((part) => part.value)).join("");
  if (separators && /[^ \t\n]/.test(separators)) {
    const pieces = [...text.value].map((char) => (separators.includes(char) ? "\n" : char));
    return pieces
      .join("")
      .split("\n")
      .filter(Boolean)
      .map((value) => ({ ...text, value, split: false }));
  }
  const pieces = text.value.split(/[ \t\n]+/).filter(Boolean);
  // `${X:-}`: nothing, or what the environment holds.
  if (pieces.length === 0 && text.doubtful) return [unknownText(text.from | Origin.environment, { split: true })];
  return pieces.map((value) => ({ ...text, value, split: false }));
}
