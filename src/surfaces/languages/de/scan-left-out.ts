import type { words } from "../../cli/commands/scan/left-out.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const scanLeftOut: Translation<typeof words> = {
  andMore: (count) => ` und ${count} weitere`,
  notScanned: (count, why, names) => `Nicht durchsucht (${why}): ${count}, ${names}`,
  skipped: {
    ignored: "von .gitignore ausgenommen",
    binary: "kein Text",
    link: "Links, denen nicht gefolgt wird",
    git: "Daten von git selbst",
    other: "keine Dateien",
  },
};
