// Which old tests the signed plan lets go: it names them by name, by group or by the file that holds them.
import type { Plan } from "../../../protocol/plan.ts";

type Replacing = Pick<Plan, "replaces" | "files">;

/** Whether the plan names the test itself, with or without its parameters; `tests/test_a.py::test_b` as pytest writes it, too. */
export function isReplaced(name: string, { replaces = [] }: Pick<Plan, "replaces">): boolean {
  const plain = withoutParameters(name);
  return replaces.map(asReported).some((entry) => {
    if (entry === "") return false;
    const own = plain.split(between).at(-1);
    return (
      [name, plain, own].includes(entry) || [" › ", " > ", "."].some((mark) => plain.startsWith(`${entry}${mark}`))
    );
  });
}

/** Files whose tests go with them: those that the plan names so, and tests that it deletes. */
export const replacedFiles = ({ replaces = [], files }: Replacing, isTest: (file: string) => boolean): string[] =>
  files
    .filter(
      ({ path, action }) =>
        action !== "create" && (replaces.map(plainPath).includes(path) || (action === "delete" && isTest(path))),
    )
    .map(({ path }) => path);

/** The module of a file, as reports of Python call it. */
export const moduleOf = (file: string): string => file.replace(/\.py$/, "").replaceAll("/", ".");

const between = / › | > |::/;
const withoutParameters = (name: string): string => name.replace(/\[.*\]$/s, "");
const plainPath = (entry: string): string => entry.trim().replace(/^(?:\.\/)+/, "");

function asReported(entry: string): string {
  const [file = "", ...parts] = plainPath(entry).split("::");
  if (parts.length === 0) return file;
  const [test = "", ...groups] = parts.toReversed();
  return `${[moduleOf(file), ...groups.toReversed()].join(".")} › ${test}`;
}
