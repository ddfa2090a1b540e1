// Names of packages in manifests, looked at before anybody installs them.
import { escapeLine } from "../../../../base/escape.ts";
import { Exit } from "../../../../protocol/exit.ts";
import type { ScannedManifest } from "../../../../protocol/query.ts";
import type { Context } from "../../host/context.ts";
import { usageFault } from "../../host/failure.ts";
import type { Look } from "../../text/style.ts";
import { lineProblems, isItemId, runBatch } from "../../host/batch.ts";
import { phrases } from "../../../phrases/phrases.ts";
import { plural } from "../../text/amounts.ts";

export const words = phrases("scanPackages", {
  manifestsNone: "There is no manifest here.",
  manifestsNoneRemedy: "Name one: package.json, requirements.txt, pyproject.toml, Cargo.toml, go.mod or pom.xml.",
  packages: (count: number, odd: number, unknown: number) =>
    `${plural(count, "package")}: ${odd} suspicious, ${unknown} unknown.`,
  typosquat: (near: string) => `resembles the well-known ${near}`,
  unknown: "not among the names that fettle knows; look at it before installing it",
  notRead: (problem: string) => `not read: ${problem}`,
});

function renderManifests(manifests: readonly ScannedManifest[], { style }: Look): string[] {
  const lines: string[] = [];
  let count = 0;
  let odd = 0;
  let unknown = 0;
  for (const { path, packages, problem } of manifests) {
    if (problem !== undefined) lines.push(`${style.yellow(escapeLine(path))}  ${escapeLine(words.notRead(problem))}`);
    for (const { ecosystem, name, flagged, why, near } of packages) {
      count++;
      if (flagged) odd++;
      else if (why === "unknown") unknown++;
      else continue;
      const said = flagged ? style.red(words.typosquat(escapeLine(near))) : style.dim(words.unknown);
      lines.push(`${escapeLine(path)}: ${style.bold(escapeLine(name))} (${ecosystem})  ${said}`);
    }
  }
  const end = words.packages(count, odd, unknown);
  return [...lines, ...(lines.length > 0 ? [""] : []), odd > 0 ? style.red(end) : style.green(end)];
}

/** Exit 1 when a name resembles a well-known one. */
export const scanPackages = (context: Context, paths: readonly string[]): Promise<number> =>
  context.with({ headless: true }, async (client) => {
    const manifests = await client.read("scan.manifests", { paths: [...paths] });
    if (manifests.length === 0) throw usageFault(words.manifestsNone, words.manifestsNoneRemedy);
    context.show(manifests, (look) => renderManifests(manifests, look));
    if (manifests.some(({ packages }) => packages.some(({ flagged }) => flagged))) return Exit.failed;
    return manifests.some(({ problem }) => problem !== undefined) ? Exit.usage : Exit.done;
  });

export const scanPackagesBatch = (context: Context): Promise<number> =>
  context.with({ headless: true }, (client) =>
    runBatch(context, {
      item({ id, ecosystem, name }) {
        if (!isItemId(id)) return { problem: lineProblems.badId };
        if (typeof ecosystem !== "string") return { problem: lineProblems.notText("ecosystem") };
        return typeof name === "string" ? { item: { id, ecosystem, name } } : { problem: lineProblems.notText("name") };
      },
      ask: (items) => client.read("scan.packages", { items }),
    }),
  );
