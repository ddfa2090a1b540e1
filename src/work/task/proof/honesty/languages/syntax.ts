// Syntax trees of test files, and the few questions that are asked of them in every language.
import type { Language, Node, Parser } from "web-tree-sitter";
import { grammarBytes, type GrammarName, parserBytes } from "../../../../../io/grammars.ts";

export type { Node } from "web-tree-sitter";

let ready: Promise<typeof import("web-tree-sitter")> | undefined;
const languages = new Map<GrammarName, Promise<Language>>();

async function start(): Promise<typeof import("web-tree-sitter")> {
  const library = await import("web-tree-sitter");
  await library.Parser.init({ wasmBinary: await parserBytes() });
  return library;
}

/** Calls `use` with the root of the tree, which is gone afterwards. */
export async function withTree<T>(
  grammar: GrammarName,
  texts: readonly string[],
  use: (roots: Node[]) => T,
): Promise<T> {
  const library = await (ready ??= start());
  let language = languages.get(grammar);
  if (!language)
    languages.set(grammar, (language = grammarBytes(grammar).then((bytes) => library.Language.load(bytes))));
  const parser: Parser = new library.Parser();
  parser.setLanguage(await language);
  const trees = texts.map((text) => parser.parse(text));
  try {
    return use(trees.flatMap((tree) => (tree ? [tree.rootNode] : [])));
  } finally {
    for (const tree of trees) tree?.delete();
    parser.delete();
  }
}

/** Every named node below, outermost first; `into` may keep out of some. */
export function* below(node: Node, into: (node: Node) => boolean = () => true): Generator<Node> {
  for (const child of node.namedChildren) {
    if (!child) continue;
    yield child;
    if (into(child)) yield* below(child, into);
  }
}

export const ofType = (node: Node, types: ReadonlySet<string>): Node[] =>
  [...below(node)].filter(({ type }) => types.has(type));

export const field = (node: Node, name: string): Node | undefined => node.childForFieldName(name) ?? undefined;

export function* above(node: Node): Generator<Node> {
  for (let at = node.parent; at; at = at.parent) yield at;
}

export const lineOf = (node: Node): number => node.startPosition.row + 1;

/** The words of a string literal, where it is nothing but that. */
export function stringOf(node: Node | undefined): string | undefined {
  const found = node && /^(?:[rbuf]{0,2})(["'`]{3}|["'`])([\s\S]*)\1$/i.exec(node.text);
  return found && !/\$\{|\{/.test(found[2] ?? "") ? found[2] : undefined;
}

const own = new Set(["self", "this", "cls", "super"]);
const chains = new Set([
  "attribute",
  "member_expression",
  "field_access",
  "selector_expression",
  "field_expression",
  "scoped_identifier",
  "scoped_type_identifier",
]);
const leaves = new Set([
  "identifier",
  "type_identifier",
  "package_identifier",
  "shorthand_property_identifier",
  "shorthand_property_identifier_pattern",
]);

/** Fields that hold the name of a member, which says nothing of a variable of the same name. */
const memberFields = ["attribute", "property", "field", "name"];

function isMember(node: Node): boolean {
  const { parent } = node;
  if (!parent) return false;
  // `super::add` and `crate::sums::add` are paths, not members of a thing.
  if (/^(?:super|crate|self)\b/.test(parent.text) && parent.type.startsWith("scoped_")) return false;
  if (chains.has(parent.type)) return memberFields.some((name) => field(parent, name)?.id === node.id);
  if (parent.type === "method_invocation")
    return field(parent, "name")?.id === node.id && field(parent, "object") !== undefined;
  return parent.type === "keyword_argument" && field(parent, "name")?.id === node.id;
}

/** Variables that a node speaks of, itself included. What hangs on `this` is named with it: `this.total`. */
export function namesIn(node: Node): Set<string> {
  const found = new Set<string>();
  for (const each of [node, ...below(node)]) {
    if (leaves.has(each.type) && !own.has(each.text) && !isMember(each)) found.add(each.text);
    const dotted = chains.has(each.type) ? /^((?:self|this|cls)\.\w+)$/.exec(each.text)?.[1] : undefined;
    if (dotted !== undefined) found.add(dotted);
  }
  return found;
}

export const meets = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean => {
  for (const name of left) if (right.has(name)) return true;
  return false;
};
