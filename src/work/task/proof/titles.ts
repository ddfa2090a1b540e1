// Which tests a file holds by the titles that it gives them, so that a run that ended early is seen to lack some.
import { script } from "./honesty/languages/script.ts";
import { above, field, type Node, withTree } from "./honesty/languages/syntax.ts";
import type { ReportFormat } from "../stacks/profile.ts";
import type { TestReport } from "./report.ts";

const scripts = /\.[cm]?[jt]sx?$/;
/** A call that runs its test once, whatever the machine is. */
const plainCall = /^(?:it|test|specify)(?:\.(?:concurrent|sequential))?$/;
const functions = /^(?:arrow_function|function_expression|function|function_declaration|method_definition)$/;
const sometimes =
  /^(?:if_statement|ternary_expression|switch_statement|binary_expression|for_statement|for_in_statement|while_statement|catch_clause)$/;

/** Reports in which each test stands by its title. */
const byTitle: ReadonlySet<ReportFormat> = new Set(["vitest-json", "jest-json", "mocha-json"]);

/** Titles that stand in the file as plain words, of tests that always run. Empty for languages other than JavaScript's. */
export async function titlesIn(path: string, text: string, format: ReportFormat): Promise<string[]> {
  const named = byTitle.has(format) || (format === "tap" && /["']node:test["']/.test(text));
  if (!scripts.test(path) || !named || /\.only\b/.test(text)) return [];
  return withTree(script.grammarFor(path), [text], ([root]) =>
    root ? script.tests(root).flatMap(({ node, skipped }) => (skipped ? [] : titleOf(node))) : [],
  );
}

function titleOf(node: Node): string[] {
  const title = field(node, "arguments")?.namedChildren[0] ?? undefined;
  const words = /^(["'`])([^\\$%\n]*)\1$/.exec(title?.text ?? "")?.[2]?.trim() ?? "";
  const always = [...above(node)].every(
    (each) => !sometimes.test(each.type) && (!functions.test(each.type) || isGroup(each)),
  );
  return words !== "" && always && plainCall.test(field(node, "function")?.text ?? "") ? [words] : [];
}

/** The function of a group of tests, which is called once. */
const isGroup = ({ parent }: Node): boolean =>
  parent?.type === "arguments" &&
  /^(?:describe|suite|context)(?:\.\w+)?$/.test((parent.parent && field(parent.parent, "function")?.text) ?? "");

/** Why the report does not show all tests of the file; undefined where it does, as far as the file says. */
export function cutShort(path: string, titles: readonly string[], { cases }: TestReport): string | undefined {
  const names = cases.map(({ name }) => name);
  const lost = titles.find((title) => !names.some((name) => name.trim().endsWith(title)));
  if (lost !== undefined) return `“${lost}” stands in ${path}, and is not in the report of its run: it was not run`;
  // node:test counts a file that has run no test as one that passed.
  return names.length > 0 && names.every((name) => name === path || name.endsWith(`/${path}`))
    ? `the report of ${path} names none of its tests, only the file`
    : undefined;
}
