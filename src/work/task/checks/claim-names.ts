// Whether the test that is to show a claim so much as names what the claim is about.
import type { Plan } from "../../../protocol/plan.ts";
import type { Repository } from "../world/git.ts";
import { isTest } from "./definitions.ts";
import { definedName } from "./left-names.ts";

/** Whatever looks like a name of code: with a capital or a mark inside, called, or put between backticks. */
const namesIn = (claim: string): string[] => [
  ...new Set(
    [...claim.matchAll(/(`)?\b([A-Za-z_$][\w$]{2,})\b(`|\()?/g)].flatMap(([, before, name = "", behind]) =>
      behind === "(" || (before && behind) || /[a-z\d][A-Z]|_/.test(name) ? [name] : [],
    ),
  ),
];

/**
 * A line for each claim whose names, as far as the change defines them, stand in none of the tests that its command runs: in the
 * test files that it names, else in all there are. `files`: of the change.
 */
export async function namesOutsideTests(
  commit: Repository,
  { acceptance }: Pick<Plan, "acceptance">,
  files: readonly string[],
): Promise<string[]> {
  const texts = await Promise.all(files.filter((file) => !isTest(file)).map((file) => commit.text("HEAD", file)));
  const defined = new Set(texts.flatMap((text) => (text ?? "").split("\n").flatMap((line) => definedName(line) ?? [])));
  const all = new Set(await commit.files());
  const found: string[] = [];
  for (const { claim, command } of acceptance) {
    const wanted = namesIn(claim).filter((name) => defined.has(name) && !command.includes(name));
    const own = command.split(/[\s"'=]+/).filter((word) => all.has(word.replace(/^\.\//, "")) && isTest(word));
    for (const name of own.length === 0 && !/\btest|spec\b/i.test(command) ? [] : wanted) {
      const holders = (await commit.mentions("HEAD", `(^|[^A-Za-z0-9_])${name}([^A-Za-z0-9_]|$)`)).filter(isTest);
      const inOwn = own.map((word) => word.replace(/^\.\//, ""));
      if (!holders.some((file) => inOwn.length === 0 || inOwn.includes(file)))
        found.push(
          `“${claim}”: ${inOwn.length === 0 ? `no test names ${name}` : `${inOwn.join(", ")} does not name ${name}`}`,
        );
    }
  }
  return found;
}
