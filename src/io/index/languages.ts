// What the index knows of each language: its grammar, and which nodes define a name, bring another file in, or are a comment.
import type { GrammarName } from "../grammars.ts";

/** Captures: `d.KIND` around a definition whose name is `n`, `i` names what is imported, `c` is a comment. */
const ecma = `
(class_declaration name: (_) @n) @d.class
(function_declaration name: (_) @n) @d.function
(generator_function_declaration name: (_) @n) @d.function
(method_definition name: (_) @n) @d.method
(program (lexical_declaration (variable_declarator name: (identifier) @n) @d.variable))
(program (variable_declaration (variable_declarator name: (identifier) @n) @d.variable))
(export_statement (lexical_declaration (variable_declarator name: (identifier) @n) @d.variable))
(variable_declarator name: (identifier) @n value: [(arrow_function) (function_expression) (class)]) @d.function
(assignment_expression left: (member_expression property: (property_identifier) @n) right: [(arrow_function) (function_expression) (class)]) @d.function
(pair key: (property_identifier) @n value: [(arrow_function) (function_expression)]) @d.method
(import_statement source: (string (string_fragment) @i))
(export_statement source: (string (string_fragment) @i))
(call_expression function: (identifier) @_f arguments: (arguments . (string (string_fragment) @i)) (#eq? @_f "require"))
(call_expression function: (import) arguments: (arguments . (string (string_fragment) @i)))
(comment) @c`;

const typescript = `${ecma}
(abstract_class_declaration name: (_) @n) @d.class
(interface_declaration name: (_) @n) @d.interface
(type_alias_declaration name: (_) @n) @d.type
(enum_declaration name: (_) @n) @d.enum
(function_signature name: (_) @n) @d.function
(method_signature name: (_) @n) @d.method
(abstract_method_signature name: (_) @n) @d.method
(public_field_definition name: (_) @n) @d.field`;

const javascript = `${ecma}
(field_definition property: (_) @n) @d.field`;

const python = `
(class_definition name: (_) @n) @d.class
(function_definition name: (_) @n) @d.function
(module (expression_statement (assignment left: (identifier) @n) @d.variable))
(class_definition body: (block (expression_statement (assignment left: (identifier) @n) @d.field)))
(import_statement name: (dotted_name) @i)
(import_statement name: (aliased_import name: (dotted_name) @i))
(import_from_statement module_name: (_) @i)
(comment) @c
(expression_statement . (string) @c .)`;

const go = `
(function_declaration name: (_) @n) @d.function
(method_declaration name: (_) @n) @d.method
(type_spec name: (_) @n) @d.type
(method_elem name: (_) @n) @d.method
(source_file (const_declaration (const_spec name: (_) @n) @d.variable))
(source_file (var_declaration (var_spec name: (_) @n) @d.variable))
(import_spec path: (interpreted_string_literal) @i)
(comment) @c`;

const rust = `
(function_item name: (_) @n) @d.function
(function_signature_item name: (_) @n) @d.function
(struct_item name: (_) @n) @d.class
(enum_item name: (_) @n) @d.enum
(union_item name: (_) @n) @d.class
(trait_item name: (_) @n) @d.interface
(type_item name: (_) @n) @d.type
(const_item name: (_) @n) @d.variable
(static_item name: (_) @n) @d.variable
(macro_definition name: (_) @n) @d.function
(mod_item name: (_) @i !body)
(use_declaration argument: (_) @i)
(line_comment) @c
(block_comment) @c`;

const java = `
(class_declaration name: (_) @n) @d.class
(interface_declaration name: (_) @n) @d.interface
(enum_declaration name: (_) @n) @d.enum
(record_declaration name: (_) @n) @d.class
(annotation_type_declaration name: (_) @n) @d.interface
(method_declaration name: (_) @n) @d.method
(constructor_declaration name: (_) @n) @d.method
(field_declaration declarator: (variable_declarator name: (_) @n)) @d.field
(import_declaration (scoped_identifier) @i)
(line_comment) @c
(block_comment) @c`;

const csharp = `
(class_declaration name: (_) @n) @d.class
(interface_declaration name: (_) @n) @d.interface
(struct_declaration name: (_) @n) @d.class
(record_declaration name: (_) @n) @d.class
(enum_declaration name: (_) @n) @d.enum
(delegate_declaration name: (_) @n) @d.type
(method_declaration name: (_) @n) @d.method
(constructor_declaration name: (_) @n) @d.method
(property_declaration name: (_) @n) @d.field
(using_directive (_) @i)
(comment) @c`;

const cpp = `
(function_definition declarator: (_) @n) @d.function
(class_specifier name: (_) @n body: (_)) @d.class
(struct_specifier name: (_) @n body: (_)) @d.class
(union_specifier name: (_) @n body: (_)) @d.class
(enum_specifier name: (_) @n body: (_)) @d.enum
(namespace_definition name: (_) @n) @d.module
(type_definition declarator: (type_identifier) @n) @d.type
(alias_declaration name: (_) @n) @d.type
(preproc_function_def name: (_) @n) @d.function
(preproc_def name: (_) @n) @d.variable
(field_declaration declarator: (function_declarator declarator: (_) @n)) @d.method
(preproc_include path: (_) @i)
(comment) @c`;

const ruby = `
(class name: (_) @n) @d.class
(module name: (_) @n) @d.module
(method name: (_) @n) @d.method
(singleton_method name: (_) @n) @d.method
(assignment left: (constant) @n) @d.variable
(call method: (identifier) @_f arguments: (argument_list (string (string_content) @i)) (#match? @_f "^require"))
(comment) @c`;

const php = `
(class_declaration name: (_) @n) @d.class
(interface_declaration name: (_) @n) @d.interface
(trait_declaration name: (_) @n) @d.class
(enum_declaration name: (_) @n) @d.enum
(function_definition name: (_) @n) @d.function
(method_declaration name: (_) @n) @d.method
(const_element (name) @n) @d.variable
(namespace_use_clause (_) @i)
(require_expression (string (string_content) @i))
(comment) @c`;

const css = `
(class_selector (class_name) @n) @d.rule
(id_selector (id_name) @n) @d.rule
(import_statement (string_value (string_content) @i))
(comment) @c`;

const ini = `
(section_name (text) @n) @d.section
(comment) @c`;

export const queries: Readonly<Partial<Record<GrammarName, string>>> = {
  ...{ typescript, tsx: typescript, javascript, python, go, rust, java, "c-sharp": csharp, cpp, ruby, php, css },
  ini,
};

const endings: Readonly<Record<string, GrammarName>> = {
  ...{ ts: "typescript", mts: "typescript", cts: "typescript", tsx: "tsx" },
  ...{ js: "javascript", mjs: "javascript", cjs: "javascript", jsx: "javascript", py: "python", pyi: "python" },
  ...{ go: "go", rs: "rust", java: "java", cs: "c-sharp", rb: "ruby", rake: "ruby", php: "php" },
  ...{ c: "cpp", h: "cpp", cc: "cpp", cpp: "cpp", cxx: "cpp", hh: "cpp", hpp: "cpp", hxx: "cpp", ino: "cpp" },
  ...{ css: "css", ini: "ini", cfg: "ini" },
};

/** By the ending of its name; undefined: it is read as plain text. */
export const grammarOf = (path: string): GrammarName | undefined =>
  endings[/\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase() ?? ""];

/**
 * Names that scripts define, by the look of their lines: the engine needs 0.6 GB for a moment to compile the grammar of
 * Bash for speed, and 2 GB for that of PowerShell.
 */
export const scriptNames = (path: string): RegExp | undefined =>
  /\.(?:sh|bash|zsh|ps1|psm1|bats)$/i.test(path)
    ? /^[ \t]*(?:function[ \t]+([\w:-]+)|([\w:-]+)[ \t]*\(\)[ \t]*\{)/gim
    : undefined;
