// What in a test comes from the subject: a variable that a call of it was assigned to, a thing that was handed to it.
import fields from "../../../../../assets/programs/assigning.json" with { type: "json" };
import { below, field, meets, namesIn, type Node } from "./languages/syntax.ts";

interface Assigning {
  left: readonly string[];
  right: readonly string[];
}

/** Nodes that put the one into the other, by the names of their fields; a field that is not there is left out. In Java a type counts. */
const assigning: Readonly<Record<string, Assigning>> = Object.assign({}, ...Object.values(fields));

/** A helper or a fixture hands on what its body speaks of. */
const defining = new Set([
  "function_definition",
  "class_definition",
  "function_declaration",
  "generator_function_declaration",
  "class_declaration",
  "method_definition",
  "method_declaration",
  "constructor_declaration",
  "function_item",
  "macro_definition",
  "impl_item",
  "mod_item",
]);

const calling = new Set([
  "call",
  "call_expression",
  "new_expression",
  "method_invocation",
  "object_creation_expression",
  "macro_invocation",
]);

const scalars =
  /^(?:integer|float|number|true|false|none|null|nil|string|string_literal|decimal_\w+|int_literal|float_literal|integer_literal|boolean_literal|char_literal|interpreted_string_literal|raw_string_literal)$/;

/** Everything below that is not inside of one of these. */
function* outside(node: Node, but: ReadonlySet<number>): Generator<Node> {
  yield* below(node, ({ id }) => !but.has(id));
}

/** What speaks of one of `from` makes all of `to` depend on it. */
interface Step {
  from: ReadonlySet<string>;
  to: ReadonlySet<string>;
}

/** Grows `seeds` by what depends on them, until nothing more does. `but` are nodes that are not looked into. */
export function derived(root: Node, seeds: ReadonlySet<string>, but: ReadonlySet<number> = new Set()): Set<string> {
  const found = new Set(seeds);
  const nodes = [...outside(root, but)].filter(({ id, type }) => !but.has(id) && flows(type));
  const plain = scalarNames(nodes);
  let open = nodes.flatMap(stepsOf);
  for (let before = -1; before < found.size; ) {
    before = found.size;
    open = open.filter(({ from, to }) => {
      if (!meets(from, found)) return true;
      for (const name of to) if (!plain.has(name)) found.add(name);
      return false;
    });
  }
  return found;
}

const flows = (type: string): boolean =>
  type in assigning || defining.has(type) || calling.has(type) || type === "as_pattern";

function stepsOf(node: Node): Step[] {
  const way = assigning[node.type];
  if (way) {
    const to = union(parts(node, way.left).map(targetNames));
    const called = parts(node, way.right).flatMap((value) => (closures.has(value.type) ? calledWith(to, value) : []));
    if (isOfClass(node)) for (const name of [...to]) to.add(`self.${name}`).add(`this.${name}`);
    return [{ from: union(parts(node, way.right).map(namesIn)), to }, ...called];
  }
  if (node.type === "as_pattern") return [{ from: namesIn(node), to: namesIn(node) }];
  if (defining.has(node.type)) {
    const name = field(node, "name") ?? field(node, "type");
    return name ? [{ from: namesIn(node), to: namesIn(name) }, ...calledWith(namesIn(name), node)] : [];
  }
  // What the subject is given it may fill, and closures that it calls may.
  const given = field(node, "arguments");
  const callee = ["function", "constructor", "object", "type"].flatMap((name) => field(node, name) ?? []);
  if (!given) return [];
  const to = namesIn(given);
  for (const argument of given.namedChildren) if (argument?.type === "identifier") to.add(handed(argument.text));
  return [{ from: union(callee.map(namesIn)), to }];
}

const closures = new Set(["arrow_function", "function_expression", "function", "lambda", "func_literal"]);

/** Stands for a function by its name that the subject is given, and may call. */
const handed = (name: string): string => `handed:${name}`;

/** What a function is called with comes from the subject, where that is handed the function. */
function calledWith(names: ReadonlySet<string>, node: Node): Step[] {
  const parameters = field(node, "parameters") ?? field(node, "parameter");
  return parameters ? [{ from: new Set([...names].map(handed)), to: namesIn(parameters) }] : [];
}

/** What a class declares is reached by its instance. */
function isOfClass({ type, parent }: Node): boolean {
  if (/^(?:field_declaration|public_field_definition)$/.test(type)) return true;
  return type === "assignment" && parent?.parent?.parent?.type === "class_definition";
}

const parts = (node: Node, names: readonly string[]): Node[] =>
  names.flatMap((name) => node.childrenForFieldName(name).filter((child) => child !== null));

/** In a declaration it is the declared name that gains. */
const targetNames = (node: Node): Set<string> =>
  namesIn(node.type === "variable_declarator" ? (field(node, "name") ?? node) : node);

function union(sets: readonly ReadonlySet<string>[]): Set<string> {
  return new Set(sets.flatMap((set) => [...set]));
}

/** Names that hold nothing but a number, a text or a truth value. */
function scalarNames(nodes: readonly Node[]): Set<string> {
  const scalar = new Set<string>();
  const other = new Set<string>();
  for (const node of nodes) {
    const way = assigning[node.type];
    if (!way || way.left[0] === "declarator") continue;
    const from = parts(node, way.right).filter(({ type }) => !type.startsWith("type_annotation") && type !== "type");
    const plain =
      from.length > 0 &&
      from.every(
        ({ type, namedChildren }) =>
          scalars.test(type) ||
          (type === "expression_list" && namedChildren.every((child) => child && scalars.test(child.type))),
      );
    for (const name of union(parts(node, way.left).map(targetNames))) (plain ? scalar : other).add(name);
  }
  return new Set([...scalar].filter((name) => !other.has(name)));
}
