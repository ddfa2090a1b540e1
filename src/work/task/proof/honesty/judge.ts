// Whether a test can prove anything: it takes in its subject, leaves it as it is, and asserts something that comes of it.
import type { GrammarName } from "../../../../io/grammars.ts";
import { derived } from "./flow.ts";
import type { Assertion, Subject, Taken, TestFile, TestLanguage, TestNode } from "./language.ts";
import { go } from "./languages/go.ts";
import { java } from "./languages/java.ts";
import { python } from "./languages/python.ts";
import { rust } from "./languages/rust.ts";
import { script } from "./languages/script.ts";
import { above, field, lineOf, meets, namesIn, type Node, withTree } from "./syntax.ts";

export type FaultCode =
  | "not-imported"
  | "no-test"
  | "all-skipped"
  | "subject-patched"
  | "subject-redefined"
  | "no-assertion"
  | "constant"
  | "unrelated"
  | "swallowed";

export interface TestFault {
  code: FaultCode;
  line: number;
  /** A sentence for the one who wrote the test. */
  text: string;
  /** It proves nothing as it is. What is not grave is worth a look. */
  grave: boolean;
}

export interface TestInQuestion {
  path: string;
  text: string;
  /** What it was before; tests that have not changed are not judged again. */
  before?: string;
  subjects: readonly { path: string; text?: string }[];
}

const languages: readonly (readonly [RegExp, TestLanguage])[] = [
  [/\.pyi?$/, python],
  [/\.[cm]?[jt]sx?$/, script],
  [/\.java$/, java],
  [/\.go$/, go],
  [/\.rs$/, rust],
];

/** Undefined for a language whose tests cannot be judged. */
export async function judgeTest(asked: TestInQuestion): Promise<TestFault[] | undefined> {
  const language = languages.find(([ending]) => ending.test(asked.path))?.[1];
  if (!language) return undefined;
  const grammar = language.grammarFor(asked.path);
  const known = asked.subjects.filter(({ path, text }) => text !== undefined && sameGrammar(language, path, grammar));
  const texts = [asked.text, ...known.map(({ text = "" }) => text)];
  return withTree(grammar, texts, ([root, ...roots]) => {
    if (!root) return [];
    const subjects = asked.subjects.map(({ path }): Subject => {
      const own = roots[known.findIndex((each) => each.path === path)];
      return { path, defines: own ? language.defines(own) : new Set(), ...(own && { root: own }) };
    });
    return judgeTree(language, { path: asked.path, text: asked.text, root }, subjects, asked.before ?? "");
  });
}

const sameGrammar = (language: TestLanguage, path: string, grammar: GrammarName): boolean =>
  languages.some(([ending, other]) => other === language && ending.test(path)) &&
  (grammar === "tsx" || grammar === "typescript" || language.grammarFor(path) === grammar || language === script);

function judgeTree(language: TestLanguage, test: TestFile, subjects: readonly Subject[], before: string): TestFault[] {
  const faults: TestFault[] = [];
  const tests = language.tests(test.root);
  if (tests.length === 0) faults.push(fault("no-test", test.root, `${test.path} holds no test.`));
  else if (tests.every(({ skipped }) => skipped))
    faults.push(fault("all-skipped", test.root, "Every test is skipped or expected to fail."));
  const seeds = new Set<string>();
  for (const subject of subjects) {
    const taken = language.takes(test, subject);
    for (const name of [...taken.whole, ...taken.members.keys()]) seeds.add(name);
    if (taken.whole.size + taken.members.size === 0)
      faults.push(fault("not-imported", test.root, `It does not import ${subject.path}, which it has to test.`));
    else faults.push(...replaced(language, test, subject, taken));
  }
  if (seeds.has("*")) for (const { defines } of subjects) for (const name of defines) seeds.add(name);
  const fresh = tests.filter(({ node, skipped }) => !skipped && !(before !== "" && before.includes(node.text)));
  // With nothing known of a subject whose names are taken in all at once, nothing can be said of where a value comes from.
  const blind = seeds.has("*") && subjects.some(({ root }) => !root);
  return [...faults, ...weigh(fresh.map((each) => judgeOne(language, test, each, blind ? undefined : seeds)))].toSorted(
    (left, right) => left.line - right.line,
  );
}

const fault = (code: FaultCode, node: Node, text: string, grave = true): TestFault => ({
  code,
  line: lineOf(node),
  text,
  grave,
});

/** Mocks of what the subject uses are fine; of what it defines, they leave nothing to test. */
function replaced(language: TestLanguage, test: TestFile, subject: Subject, taken: Taken): TestFault[] {
  const called = (member: string) => new RegExp(`\\b${member.replaceAll(/[^\w]/g, "\\$&")}\\s*\\(`).test(test.text);
  const patched = language.patches(test, subject, taken).flatMap(({ node, member }): TestFault[] => {
    const [first = "", ...rest] = member.split(".");
    const last = rest.at(-1) ?? first;
    const whole = member === "*" || last === "*";
    const used = [...taken.members].some(([local, own]) => own === first && called(local)) || called(last);
    const defined = subject.defines.has(first);
    if (
      !whole &&
      !(rest.length === 0 ? defined || (used && !subject.root) : (defined || !subject.root) && called(last))
    )
      return [];
    const what = whole ? subject.path : `${member} of ${subject.path}`;
    return [fault("subject-patched", node, `It replaces ${what}, so it does not test it.`)];
  });
  const spoken = new Set(language.tests(test.root).flatMap(({ node }) => [...namesIn(node)]));
  const copied = language.redefines(test.root).flatMap(({ name, node }): TestFault[] => {
    const shadows = taken.members.has(name) && test.path !== subject.path && !isSame(name, node, subject);
    const copies = subject.defines.has(name) && !taken.members.has(name) && !taken.whole.has("*") && spoken.has(name);
    return shadows || copies
      ? [fault("subject-redefined", node, `It defines ${name} itself instead of taking it from ${subject.path}.`)]
      : [];
  });
  return [...patched, ...copied];
}

/** In one package a name can only be there once: then it is the test's helper. */
const isSame = (name: string, node: Node, { defines, root }: Subject): boolean =>
  root !== undefined && !defines.has(name) && node.type !== "class_declaration";

interface Judged {
  test: TestNode;
  /** Without any, it asserts something that comes of the subject. */
  faults: TestFault[];
}

function judgeOne(
  language: TestLanguage,
  { root }: TestFile,
  test: TestNode,
  seeds: ReadonlySet<string> | undefined,
): Judged {
  const { node, name } = test;
  const found = [...language.assertions(node), ...byHelpers(language, root, node)];
  const swallowed = found.find((each) => isSwallowed(language, each, node));
  if (swallowed)
    return { test, faults: [fault("swallowed", swallowed.node, `${name} catches what its own assertion throws.`)] };
  if (found.length === 0) return { test, faults: [fault("no-assertion", node, `${name} asserts nothing.`)] };
  const real = found.filter(({ constant }) => !constant);
  const [first] = found;
  if (real.length === 0)
    return {
      test,
      faults: [fault("constant", first?.node ?? node, `${name} asserts only what is the same whatever the code does.`)],
    };
  if (!seeds) return { test, faults: [] };
  const others = new Set(language.tests(root).map((each) => each.node.id));
  const known = derived(node, derived(root, seeds, others));
  const related = real.some(({ about }) => about.some((part) => meets(namesIn(part), known)));
  return {
    test,
    faults: related
      ? []
      : [fault("unrelated", real[0]?.node ?? node, `${name} asserts nothing that comes from what it tests.`)],
  };
}

/** A call of a function in the file that asserts is an assertion about what it is given. */
function byHelpers(language: TestLanguage, root: Node, test: Node): Assertion[] {
  const helpers = new Set(
    definitionsOf(root)
      .filter((node) => language.assertions(node).length > 0)
      .map((node) => field(node, "name")?.text ?? ""),
  );
  if (helpers.size === 0) return [];
  return callsIn(test).flatMap((node) => {
    const callee = (field(node, "function") ?? field(node, "name"))?.text.split(/\.|::/).at(-1) ?? "";
    return helpers.has(callee) ? [{ node, about: [node], constant: false }] : [];
  });
}

const walk = (node: Node): Node[] => node.namedChildren.flatMap((child) => (child ? [child, ...walk(child)] : []));
const definitionsOf = (root: Node): Node[] =>
  walk(root).filter(({ type }) =>
    /^(?:function_definition|function_declaration|method_declaration|method_definition|function_item|variable_declarator)$/.test(
      type,
    ),
  );
const callsIn = (node: Node): Node[] =>
  walk(node).filter(({ type }) => /^(?:call|call_expression|method_invocation)$/.test(type));

/** Inside of a `try` whose handler neither fails nor throws on. */
function isSwallowed({ catching }: TestLanguage, { node }: Assertion, test: Node): boolean {
  let inner = node;
  for (const each of above(node)) {
    if (each.id === test.id) return false;
    if (/^try_/.test(each.type) && field(each, "body")?.id === inner.id) {
      const clauses = each.namedChildren.filter((child) => child?.type === catching.clause);
      if (
        clauses.some(
          (clause) =>
            clause &&
            catching.catches.test(clause.text) &&
            !/\b(?:raise|throw|fail|assert\w*|expect|reject)\b/.test(clause.text.replace(catching.catches, "")),
        )
      )
        return true;
    }
    inner = each;
  }
  return false;
}

/** One weak test among good ones is worth a look; a constant one and a swallowed one always are a mistake. */
function weigh(judged: readonly Judged[]): TestFault[] {
  const good = judged.some(({ faults }) => faults.length === 0);
  return judged.flatMap(({ faults }) =>
    faults.map((each) => ({ ...each, grave: !good || each.code === "constant" || each.code === "swallowed" })),
  );
}
