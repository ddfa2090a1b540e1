// Commands that only tell, of programs that otherwise act.
import { readingForms, versionShort } from "./table.ts";
import type { Row } from "../../rules/row.ts";
import { isStatic, type Text } from "../../command-line/syntax/text.ts";
import { fits } from "../rows/judge.ts";

const forms = new Map<string, typeof readingForms>();
for (const form of readingForms)
  for (const name of form.row.names.split(" ")) forms.set(name, [...(forms.get(name) ?? []), form]);

/** The row that knows every word of a command and finds nothing in it but reading. */
export function readingRow(name: string, argv: readonly Text[]): Row | undefined {
  const words = argv.slice(1);
  return forms
    .get(name)
    ?.find(
      ({ row, except, needs }) =>
        fits(row, words) &&
        !words.some((text) => except?.test(text.value)) &&
        (!needs || words.some((text) => needs.test(text.value))),
    )?.row;
}

const short = new Map(
  Object.entries(versionShort).map(([option, names]) => [option, new Set(names.split(" "))] as const),
);
/** Programs whose first word chooses what they do, so that `--help` after it tells of that. */
const grouped =
  /^(git|npm|pnpm|yarn|cargo|go|docker|kubectl|helm|pip3?|poetry|uv|gh|glab|aws|gcloud|az|terraform|brew|apt|apt-get|rustup|dotnet|composer|bundle|gem|conda|deno|bun|flutter|dart|mix|systemctl|podman)$/;

/** `x --version`, `x -V`, `git commit --help`. */
export function tellsVersion(name: string, argv: readonly Text[]): boolean {
  const words = argv.slice(1);
  if (words.length === 0 || words.length > 3 || !words.every((text) => isStatic(text) && !text.glob)) return false;
  const last = words.at(-1)?.value ?? "";
  if (words.length === 1)
    return (
      /^--?(version|help)$/.test(last) ||
      (/^(version|help)$/.test(last) && grouped.test(name)) ||
      short.get(last)?.has(name) === true
    );
  return (
    last === "--help" && grouped.test(name) && words.slice(0, -1).every((text) => /^[a-z][a-z-]*$/.test(text.value))
  );
}
