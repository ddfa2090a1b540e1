import type { words } from "../../cli/commands/policy/replay.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const policyReplay: Translation<typeof words> = {
  differ: (tighter, looser) => `${tighter} strenger, ${looser} lockerer.`,
  incognito: (count) =>
    `${plural(count, "Inkognito-Eintrag lässt", "Inkognito-Einträge lassen")} sich nicht nachspielen: von ihrem Inhalt ist nichts aufgezeichnet.`,
  partly: (count) =>
    `${plural(count, "Eintrag enthält", "Einträge enthalten")} weniger, als ein Urteil braucht; geurteilt wurde nach dem, was da ist.`,
  past: "Über die Vergangenheit im Protokoll dieses Projekts:",
  replayed: (count, changed) =>
    changed === 0
      ? `${plural(count, "Entscheidung", "Entscheidungen")} neu beurteilt: keine würde sich ändern.`
      : `${plural(count, "Entscheidung", "Entscheidungen")} neu beurteilt: ${changed} würden sich ändern.`,
  same: "Die beiden Richtlinien erlauben dasselbe.",
  unreadable: (count) => `${plural(count, "Eintrag war", "Einträge waren")} nicht lesbar und wurden ausgelassen.`,
};
