// Whether what was added holds a secret that nobody has allowed.
import { Repository } from "../world/git.ts";
import type { Work } from "../work/work.ts";

/** The first file to which something secret was added since `from`, in the index or, with `to`, in that commit. */
export async function addedSecret({ place, task }: Work, from: string, to?: string): Promise<string | undefined> {
  const range = to === undefined ? ["--cached", from] : [from, to];
  const plain = [
    "--no-color",
    "--no-ext-diff",
    "--no-textconv",
    "--no-renames",
    // Whatever an attribute of the repository calls binary.
    "--text",
    "--unified=0",
    "--src-prefix=",
    "--dst-prefix=",
  ];
  const patch = await new Repository(place.folder).run(["-c", "core.quotePath=false", "diff", ...plain, ...range]);
  const allowed = new Set((task.amendments ?? []).flatMap(({ secrets = [] }) => secrets));
  for (const [file, added] of addedLines(patch))
    if (!allowed.has(file) && place.firewall.redact(added).text !== added) return file;
  return undefined;
}

/** The same of all that the task has committed, in words. */
export async function committedSecret(work: Work): Promise<string | undefined> {
  const { envelope } = work.task;
  const file = envelope && (await addedSecret(work, envelope.base.commit, "HEAD"));
  return file && `${file} holds what looks like a secret`;
}

function addedLines(patch: string): Map<string, string> {
  const found = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of patch.split("\n")) {
    if (line.startsWith("diff --git ")) lines = [];
    else if (line.startsWith("+++ ")) found.set(line.slice(4).replace(/^"|"$|\t$/g, ""), lines);
    else if (line.startsWith("+")) lines.push(line.slice(1));
  }
  return new Map([...found].map(([file, added]) => [file, added.join("\n")]));
}
