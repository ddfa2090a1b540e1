// `fettle update`: what is newer, as far as the installation's own folder knows, and how to get it.
import type { NewerView } from "../../../protocol/newer.ts";
import type { Define } from "../host/grammar.ts";
import { moment, plural } from "../text/amounts.ts";
import { phrases } from "../../phrases/phrases.ts";
import { safeLine } from "../text/safe-text.ts";
import type { Look } from "../text/style.ts";

export const words = phrases("update", {
  lesson: {
    examples: [
      ["fettle update", "what is newer than this one, and how to get it; no server is asked"],
      ["fettle update --json", "the same for programs"],
    ],
    exits: [["0", "shown, whether there is something newer or not"]],
  },
  installed: (version: string, folder: string) => `fettle ${version} in ${folder}`,
  fetched: (when: string | undefined) => (when === undefined ? "never fetched yet" : `last fetched ${when}`),
  newest: (upstream: string, when: string) => `Nothing newer is known on ${upstream} (${when}).`,
  behind: (count: number, upstream: string, when: string) =>
    `${plural(count, "commit")} newer on ${upstream} (${when}):`,
  more: (count: number) => `and ${plural(count, "earlier one")}`,
  ask: (folder: string) => `To ask the remote: git -C ${folder} fetch, then this again.`,
  take: (folder: string) => `To take them: git -C ${folder} pull && npm --prefix ${folder} run build`,
  noUpstream: "Its branch follows none of a remote, so nothing newer can be known.",
  package: "It was installed as a package, which knows of no newer one, and fettle asks no server for it.",
  install: "A newer package is installed over it: npm install -g fettle-VERSION.tgz",
});

export const define: Define = (command, start) =>
  start(
    command,
    (context) =>
      context.with({ headless: true }, async (client) => {
        const view = await client.read("update.show", {});
        context.show(view, (look) => newerLines(view, look));
        return 0;
      }),
    { lesson: words.lesson },
  );

export function newerLines(view: NewerView, { style }: Pick<Look, "style">): string[] {
  const folder = safeLine(view.folder);
  const head = words.installed(view.version, folder);
  if (view.kind === "package") return [head, words.package, words.install];
  const { upstream, count = 0, commits = [], fetchedAt } = view;
  if (upstream === undefined) return [head, words.noUpstream];
  const when = words.fetched(fetchedAt === undefined ? undefined : moment(fetchedAt));
  if (count === 0) return [head, words.newest(safeLine(upstream), when), words.ask(folder)];
  return [
    head,
    words.behind(count, safeLine(upstream), when),
    ...commits.map((commit) => `  ${safeLine(commit)}`),
    ...(count > commits.length ? [style.dim(`  ${words.more(count - commits.length)}`)] : []),
    words.take(folder),
  ];
}
