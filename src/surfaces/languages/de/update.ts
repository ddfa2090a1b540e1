import type { words } from "../../cli/commands/update.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const update: Translation<typeof words> = {
  lesson: {
    examples: [
      ["fettle update", "was neuer ist als dieses und wie man es bekommt; kein Server wird gefragt"],
      ["fettle update --json", "dasselbe für Programme"],
    ],
    exits: [["0", "gezeigt, ob es Neueres gibt oder nicht"]],
  },
  installed: (version, folder) => `fettle ${version} in ${folder}`,
  fetched: (when) => (when === undefined ? "noch nie abgeholt" : `zuletzt abgeholt ${when}`),
  newest: (upstream, when) => `Auf ${upstream} ist nichts Neueres bekannt (${when}).`,
  behind: (count, upstream, when) => `${plural(count, "neuerer Commit", "neuere Commits")} auf ${upstream} (${when}):`,
  more: (count) => `und ${plural(count, "früherer", "frühere")}`,
  ask: (folder) => `Den Remote fragen: git -C ${folder} fetch, dann dies noch einmal.`,
  take: (folder) => `Übernehmen: git -C ${folder} pull && npm --prefix ${folder} run build`,
  noUpstream: "Sein Branch folgt keinem eines Remotes, also kann nichts Neueres bekannt sein.",
  package: "Es wurde als Paket installiert, das von keinem neueren weiß, und fettle fragt keinen Server danach.",
  install: "Ein neueres Paket wird darüber installiert: npm install -g fettle-VERSION.tgz",
};
