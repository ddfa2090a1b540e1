// Reads a TypeScript file as a syntax tree and tells what the rules of this project ask about.
import { parseSync } from "@swc/core";

export interface ImportUse {
  /** As written; undefined when the word is computed. */
  module: string | undefined;
  typeOnly: boolean;
  line: number;
  /** Values that are taken by name, `default` and `*` (all of it, also by `import()`) among them. */
  names: string[];
}
/** A name that the file does not declare, with the member that is taken of it. */
export interface GlobalUse {
  name: string;
  member: string | undefined;
  line: number;
}
export interface FunctionSize {
  name: string;
  line: number;
  lines: number;
  parameters: number;
}
export interface SourceFacts {
  imports: ImportUse[];
  globals: GlobalUse[];
  functions: FunctionSize[];
  emptyCatches: number[];
  anyTypes: number[];
}

type Node = { type: string; span?: { start: number; end: number } } & Record<string, unknown>;

const isNode = (value: unknown): value is Node =>
  typeof value === "object" && value !== null && typeof (value as Node).type === "string";
const nodes = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : []);
const word = (value: unknown): string | undefined =>
  isNode(value) && (value.type === "Identifier" || value.type === "StringLiteral") ? String(value["value"]) : undefined;

/** Type wrappers around an expression; every other Ts node holds types only. */
const wrappers = new Set([
  "TsAsExpression",
  "TsNonNullExpression",
  "TsSatisfiesExpression",
  "TsTypeAssertion",
  "TsInstantiation",
  "TsConstAssertion",
]);
const functionTypes = new Set([
  "FunctionDeclaration",
  "FunctionExpression",
  "ArrowFunctionExpression",
  "ClassMethod",
  "PrivateMethod",
  "Constructor",
  "MethodProperty",
  "GetterProperty",
  "SetterProperty",
]);
/** Keys that hold a name and not an expression, unless computed. */
const nameKeys: Record<string, readonly string[]> = {
  MemberExpression: ["property"],
  KeyValueProperty: ["key"],
  MethodProperty: ["key"],
  GetterProperty: ["key"],
  SetterProperty: ["key"],
  ClassProperty: ["key"],
  PrivateProperty: ["key"],
  ClassMethod: ["key"],
  PrivateMethod: ["key"],
  KeyValuePatternProperty: ["key"],
  LabeledStatement: ["label"],
  BreakStatement: ["label"],
  ContinueStatement: ["label"],
  ImportDeclaration: ["specifiers", "source"],
  ExportSpecifier: ["exported"],
  MetaProperty: ["meta", "property"],
  FunctionDeclaration: ["identifier"],
  FunctionExpression: ["identifier"],
  ClassDeclaration: ["identifier"],
  ClassExpression: ["identifier"],
};

const known = new Map<string, SourceFacts>();

/** Of one text always the same; several rules ask about every file. */
export function readSource(text: string): SourceFacts {
  const facts = known.get(text) ?? new Reader(text).facts;
  known.set(text, facts);
  return facts;
}

class Reader {
  readonly facts: SourceFacts = { imports: [], globals: [], functions: [], emptyCatches: [], anyTypes: [] };
  readonly #lineStarts: number[];
  readonly #base: number;

  constructor(source: string) {
    const text = source.replace(/^#!/, "//");
    const bytes = Buffer.from(`;${text}`);
    this.#lineStarts = [0];
    for (let found = bytes.indexOf(10); found >= 0; found = bytes.indexOf(10, found + 1))
      this.#lineStarts.push(found + 1);
    // Spans count bytes from where earlier files ended; the semicolon put in front is the known first token.
    const module = parseSync(`;${text}`, { syntax: "typescript", target: "es2024" }) as unknown as Node;
    this.#base = module.span?.start ?? 0;
    this.#walk(module, [], undefined);
  }

  #line(at: number | undefined): number {
    const offset = (at ?? this.#base) - this.#base;
    let [first, last] = [0, this.#lineStarts.length - 1];
    while (first < last) {
      const middle = Math.ceil((first + last) / 2);
      if ((this.#lineStarts[middle] ?? 0) <= offset) first = middle;
      else last = middle - 1;
    }
    return first + 1;
  }

  #walk(node: Node, scopes: readonly Set<string>[], parent: Node | undefined): void {
    if (node.type.startsWith("Ts") && !wrappers.has(node.type)) {
      this.#walkTypes(node);
      return;
    }
    this.#note(node);
    if (node.type === "Identifier") this.#useName(node, scopes, parent);
    const declared = declarations(node);
    const inner = declared.size > 0 ? [...scopes, declared] : scopes;
    const names = nameKeys[node.type] ?? [];
    for (const [key, value] of Object.entries(node)) {
      if (key === "span" || (names.includes(key) && !nodes(value).some((child) => child.type === "Computed"))) continue;
      for (const child of childrenOf(value)) this.#walk(child, inner, node);
    }
  }

  /** Identifiers of types are no values: only `any` is of interest. */
  #walkTypes(node: Node): void {
    if (node.type === "TsKeywordType" && node["kind"] === "any") this.facts.anyTypes.push(this.#line(node.span?.start));
    for (const [key, value] of Object.entries(node))
      if (key !== "span") for (const child of childrenOf(value)) this.#walkTypes(child);
  }

  #note(node: Node): void {
    if (
      node.type === "ImportDeclaration" ||
      node.type === "ExportAllDeclaration" ||
      node.type === "ExportNamedDeclaration"
    ) {
      this.#noteImport(node);
    }
    if (node.type === "CallExpression" && isNode(node["callee"]) && node["callee"].type === "Import") {
      const [first] = node["arguments"] as { expression: unknown }[];
      const module =
        isNode(first?.expression) && first.expression.type === "StringLiteral" ? word(first.expression) : undefined;
      this.facts.imports.push({ module, typeOnly: false, line: this.#line(node.span?.start), names: ["*"] });
    }
    if (node.type === "CatchClause" && nodes((node["body"] as Node)["stmts"]).length === 0) {
      this.facts.emptyCatches.push(this.#line(node.span?.start));
    }
    if (functionTypes.has(node.type)) this.#noteFunction(node);
  }

  #noteImport(node: Node): void {
    const module = word(node["source"]);
    if (module === undefined) return;
    const specifiers = nodes(node["specifiers"]);
    const allTypes = specifiers.length > 0 && specifiers.every((specifier) => specifier["isTypeOnly"] === true);
    const typeOnly = node["typeOnly"] === true || allTypes;
    const names = typeOnly ? [] : node.type === "ExportAllDeclaration" ? ["*"] : specifiers.flatMap(takenName);
    this.facts.imports.push({ module, typeOnly, line: this.#line(node.span?.start), names });
  }

  #noteFunction(node: Node): void {
    const body = functionOf(node);
    const start = this.#line(node.span?.start);
    this.facts.functions.push({
      name: word(node["identifier"]) ?? word(node["key"]) ?? "function",
      line: start,
      lines: this.#line(node.span?.end) - start + 1,
      parameters: nodes(body["params"]).length,
    });
  }

  #useName(node: Node, scopes: readonly Set<string>[], parent: Node | undefined): void {
    const name = String(node["value"]);
    if (scopes.some((scope) => scope.has(name))) return;
    const member =
      parent?.type === "MemberExpression" && parent["object"] === node ? memberName(parent["property"]) : undefined;
    this.facts.globals.push({ name, member, line: this.#line(node.span?.start) });
  }
}

/** Some parts (call arguments, the function of a method, declarators' lists) are objects without a type of their own. */
function childrenOf(value: unknown): Node[] {
  if (isNode(value)) return [value];
  if (Array.isArray(value)) return value.flatMap(childrenOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => (key === "span" ? [] : childrenOf(inner)));
}

/** What holds parameters and body: the node itself, or the function of a method. */
const functionOf = (node: Node): Record<string, unknown> => {
  const inner = node["function"];
  return typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>) : node;
};

function memberName(property: unknown): string | undefined {
  if (!isNode(property)) return undefined;
  return property.type === "Computed"
    ? word(property["expression"]) && String((property["expression"] as Node)["value"])
    : word(property);
}

/** The name of a value that an import or export specifier takes, as its module calls it. */
function takenName(specifier: Node): string[] {
  if (specifier["isTypeOnly"] === true) return [];
  if (specifier.type === "ImportDefaultSpecifier") return ["default"];
  if (specifier.type === "ImportNamespaceSpecifier" || specifier.type === "ExportNamespaceSpecifier") return ["*"];
  return [word(specifier["imported"]) ?? word(specifier["orig"]) ?? word(specifier["local"]) ?? "*"];
}

/** Names that hold inside `node`. */
function declarations(node: Node): Set<string> {
  const found = new Set<string>();
  const add = (names: readonly string[]) => {
    for (const name of names) found.add(name);
  };
  if (node.type === "Module") for (const item of nodes(node["body"])) add(statementNames(item));
  if (node.type === "BlockStatement" || node.type === "FunctionBody")
    for (const item of nodes(node["stmts"])) add(statementNames(item));
  if (node.type === "SwitchStatement") {
    for (const one of nodes(node["cases"])) for (const item of nodes(one["consequent"])) add(statementNames(item));
  }
  if (node.type.startsWith("For"))
    for (const key of ["init", "left"]) for (const item of nodes(node[key])) add(statementNames(item));
  if (node.type === "CatchClause") for (const pattern of nodes(node["param"])) add(patternNames(pattern));
  if (functionTypes.has(node.type) || node.type.startsWith("Class")) {
    add([word(node["identifier"]) ?? ""]);
    const body = functionOf(node);
    for (const parameter of nodes(body["params"])) add(patternNames(parameter));
    if (isNode(node["param"]) && node.type === "SetterProperty") add(patternNames(node["param"]));
  }
  return found;
}

function statementNames(node: Node): string[] {
  switch (node.type) {
    case "ImportDeclaration":
      return nodes(node["specifiers"]).map((specifier) => word(specifier["local"]) ?? "");
    case "ExportDeclaration":
      return isNode(node["declaration"]) ? statementNames(node["declaration"]) : [];
    case "VariableDeclaration":
      return (node["declarations"] as { id: Node }[]).flatMap((one) => patternNames(one.id));
    case "FunctionDeclaration":
    case "ClassDeclaration":
      return [word(node["identifier"]) ?? ""];
    default:
      return [];
  }
}

function patternNames(node: Node): string[] {
  switch (node.type) {
    case "Identifier":
      return [String(node["value"])];
    case "Parameter":
      return nodes(node["pat"]).flatMap(patternNames);
    case "ObjectPattern":
      return nodes(node["properties"]).flatMap(patternNames);
    case "ArrayPattern":
      return nodes(node["elements"]).flatMap((element) =>
        patternNames(
          isNode((element as { expression?: unknown }).expression) ? (element["expression"] as Node) : element,
        ),
      );
    case "KeyValuePatternProperty":
      return nodes(node["value"]).flatMap(patternNames);
    case "AssignmentPatternProperty":
      return [word(node["key"]) ?? ""];
    case "AssignmentPattern":
      return nodes(node["left"]).flatMap(patternNames);
    case "RestElement":
      return nodes(node["argument"]).flatMap(patternNames);
    default:
      return [];
  }
}
