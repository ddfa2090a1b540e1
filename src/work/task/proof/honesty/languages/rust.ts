import type { Assertion, Patch, Subject, SubjectNames, TestFile, TestLanguage, TestNode } from "./language.ts";
import { above, below, field, type Node, ofType } from "./syntax.ts";

const standard = new Set([
  "std",
  "core",
  "alloc",
  "test",
  "proptest",
  "rstest",
  "quickcheck",
  "tokio",
  "serde",
  "serde_json",
  "rand",
  "tempfile",
  "pretty_assertions",
  "criterion",
  "mockall",
  "insta",
]);

const moduleOf = (file: string): string =>
  file
    .replace(/^.*src\//, "")
    .replace(/(?:\/mod)?\.rs$/, "")
    .split("/")
    .at(-1) ?? "";

/** Tests in `tests/` see a crate by its name, those inside by `super` and `crate`. */
function takes({ path, root }: TestFile, { path: file, defines }: Subject): SubjectNames {
  const taken: SubjectNames = { whole: new Set(), members: new Map() };
  const outside = /(?:^|\/)tests\//.test(path);
  const module = moduleOf(file);
  for (const node of ofType(root, new Set(["use_declaration", "extern_crate_declaration"]))) {
    const argument = field(node, "argument") ?? field(node, "name");
    if (!argument || !reaches(argument.text, outside)) continue;
    if (/::\*$/.test(argument.text) || argument.type === "use_wildcard")
      for (const name of defines) taken.members.set(name, name);
    if (/::\*$/.test(argument.text)) taken.whole.add("*");
    for (const name of leaves(argument)) taken.members.set(name, name);
  }
  // A full path needs no `use`.
  for (const node of ofType(root, new Set(["scoped_identifier", "scoped_type_identifier"]))) {
    if (reaches(node.text, outside) && /::/.test(node.text)) taken.whole.add(node.text.split("::")[0] ?? "");
    if (/^(?:super|crate)::/.test(node.text))
      taken.members.set(node.text.split("::").at(-1) ?? "", node.text.split("::").at(-1) ?? "");
  }
  if (!outside && (taken.whole.has("*") || taken.members.size > 0)) taken.members.set(module, module);
  return taken;
}

function reaches(text: string, outside: boolean): boolean {
  const first = /^(?:::)?\{?\s*(\w+)/.exec(text)?.[1] ?? "";
  return outside
    ? !standard.has(first) && /^[a-z_]\w*$/.test(first) && first !== "self" && first !== "super" && first !== "common"
    : /^(?:super|crate)$/.test(first);
}

/** The names that a `use` brings. */
function leaves(node: Node): string[] {
  if (node.type === "use_as_clause") return [field(node, "alias")?.text ?? ""];
  if (/^(?:identifier|type_identifier|self)$/.test(node.type)) return [node.text];
  if (node.type === "scoped_identifier") return [field(node, "name")?.text ?? ""];
  if (node.type === "scoped_use_list") return leaves(field(node, "list") ?? node);
  return node.namedChildren.flatMap((child) => (child ? leaves(child) : []));
}

function attributes(node: Node): string[] {
  const found: string[] = [];
  for (
    let at = node.previousNamedSibling;
    at && /^(?:attribute_item|line_comment|block_comment)$/.test(at.type);
    at = at.previousNamedSibling
  )
    if (at.type === "attribute_item") found.push(at.text);
  return found;
}

function tests(root: Node): TestNode[] {
  return ofType(root, new Set(["function_item"])).flatMap((node) => {
    const marks = attributes(node);
    if (!marks.some((mark) => /#\[\s*(?:\w+::)*(?:test|rstest|test_case|quickcheck|wasm_bindgen_test)\b/.test(mark)))
      return [];
    return [
      { name: field(node, "name")?.text ?? "", node, skipped: marks.some((mark) => /#\[\s*ignore\b/.test(mark)) },
    ];
  });
}

const asserting = /^(?:(?:debug_|prop_|cool_|more_)?assert(?:_\w+)?|\w*assert\w*|expect\w*|check\w*|verify\w*)$/;

function assertions(test: Node): Assertion[] {
  const found = [...below(test)].flatMap((node): Assertion[] => {
    if (node.type === "macro_invocation") {
      const name = (field(node, "macro")?.text ?? "").split("::").at(-1) ?? "";
      if (/^(?:panic|unreachable)$/.test(name)) {
        const about = conditions(node);
        return about.length > 0 ? [{ node, about, constant: false }] : [];
      }
      return asserting.test(name) ? [{ node, about: [node], constant: constant(name, node) }] : [];
    }
    if (node.type !== "call_expression") return [];
    const callee = field(node, "function")?.text.split(/::|\./).at(-1) ?? "";
    return /^(?:assert|check|verify|expect_)\w*$/.test(callee) ? [{ node, about: [node], constant: false }] : [];
  });
  const panics = attributes(test).some((mark) => /#\[\s*should_panic/.test(mark));
  // A test that returns a result fails by what it hands on.
  const returns = /\bResult\b/.test(field(test, "return_type")?.text ?? "") && /\?\s*[;.)]/.test(test.text);
  return panics || returns ? [...found, { node: test, about: [test], constant: false }] : found;
}

/** A macro's words are not parsed: they are split at the commas between them. */
function constant(name: string, node: Node): boolean {
  const words = node.namedChildren.find((child) => child?.type === "token_tree")?.text.slice(1, -1) ?? "";
  const parts = splitWords(words);
  const [first = "", second = ""] = parts;
  if (/^(?:true|false|!false|!true|\d+\s*==\s*\d+)$/.test(first))
    return name.startsWith("assert") && !/_eq|_ne/.test(name);
  const equal = /assert_eq$/.test(name) && first === second && !first.includes("(");
  return equal || (/assert_(?:eq|ne)$/.test(name) && /^[\d"'_.]+$/.test(first) && /^[\d"'_.]+$/.test(second));
}

function splitWords(text: string): string[] {
  const parts: string[] = [""];
  let depth = 0;
  for (const letter of text) {
    if (/[([{]/.test(letter)) depth += 1;
    if (/[)\]}]/.test(letter)) depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim());
}

const conditions = (node: Node): Node[] =>
  [...above(node)].flatMap((each): Node[] => {
    const value = /^(?:if|while|match|for)_expression$/.test(each.type)
      ? (field(each, "condition") ?? field(each, "value"))
      : undefined;
    if (value) return [value];
    return each.type === "let_declaration" && field(each, "alternative") ? [field(each, "value") ?? each] : [];
  });

/** A module or a mock that takes the subject's place. */
function patches({ root }: TestFile, { path: file }: Subject, { members }: SubjectNames): Patch[] {
  const module = moduleOf(file);
  return ofType(root, new Set(["mod_item", "macro_invocation", "scoped_identifier"])).flatMap((node): Patch[] => {
    if (node.type === "mod_item")
      return field(node, "name")?.text === module && field(node, "body") ? [{ node, member: "*" }] : [];
    if (node.type !== "macro_invocation" || !/(?:^|::)mock$/.test(field(node, "macro")?.text ?? "")) return [];
    const name = /\b(?:struct\s+|pub\s+)?([A-Z]\w*)\s*[<{]/.exec(node.text)?.[1] ?? "";
    return members.has(name) ? [{ node, member: name }] : [];
  });
}

const definitions = (root: Node): { name: string; node: Node }[] =>
  [...below(root, ({ type }) => type === "mod_item" || type === "declaration_list" || type === "impl_item")]
    .filter(({ type }) => /^(?:function|struct|enum|trait|type|const|static|macro)_(?:item|definition)$/.test(type))
    .map((node) => ({ name: field(node, "name")?.text ?? "", node }));

export const rust: TestLanguage = {
  grammarFor: () => "rust",
  defines: (root) => new Set(definitions(root).map(({ name }) => name)),
  takes,
  tests,
  assertions,
  patches,
  redefines: (root) =>
    definitions(root).filter(
      ({ node }) =>
        /^(?:function|struct|enum)_item$/.test(node.type) &&
        attributes(node).every((mark) => !/test/.test(mark)) &&
        !isMethod(node),
    ),
  catching: { clause: "none", catches: /(?!)/ },
};

const isMethod = (node: Node): boolean =>
  [...above(node)].some(({ type }) => type === "impl_item" || type === "trait_item");
