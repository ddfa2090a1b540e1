// Which files a phase has changed: those that its plans name and its commits touched.
import type { ProjectWork } from "../work/work.ts";
import { commitsOf, historyOf } from "./history.ts";
import type { PhaseGround } from "./phase-ground.ts";

/** Made by programs, or no text. */
const unread =
  /(?:^|\/)(?:package-lock\.json|yarn\.lock|pnpm-lock\.yaml|[\w.-]+\.lock|go\.sum)$|\.(?:png|jpe?g|gif|webp|ico|pdf|zip|gz|woff2?|ttf|min\.js|map)$/i;

/** In order, without planning files; folders are what HEAD has in them. `only`: files or folders that a person has named. */
export async function changedFiles(
  { repository }: ProjectWork,
  { phase }: Pick<PhaseGround, "phase">,
  only: readonly string[] = [],
): Promise<string[]> {
  if ((await repository.commit("HEAD")) === undefined) return [];
  const committed = await repository.files();
  const touched = commitsOf(await historyOf(repository), phase, true).flatMap(({ files }) => files);
  const planned = phase.plans.flatMap(({ files }) => files);
  const gone = new Set(touched.filter((file) => !committed.includes(file)));
  const named = (only.length > 0 ? only : [...planned, ...touched]).map(plain).filter((name) => !gone.has(name));
  const found = named.flatMap((name) => {
    const within = committed.filter((file) => file.startsWith(`${name}/`));
    // A file that is not committed yet is one that its plan names.
    return within.length > 0 ? within : [name];
  });
  return [...new Set(found)].filter((file) => !file.startsWith(".planning/") && !unread.test(file)).toSorted();
}

const plain = (name: string): string => name.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");
