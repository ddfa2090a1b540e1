import type { words } from "../../cli/commands/models/probe.ts";
import { plural } from "../../cli/text/amounts.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const modelsProbe: Translation<typeof words> = {
  probing: (model) => `Probiert ${model} aus ...`,
  probePlan: (model, requests, tokens) =>
    `${model}: bis zu ${plural(requests, "echte Anfrage", "echte Anfragen")} mit zusammen bis zu ${tokens} Tokens.`,
  probeSmall: "Ausprobiert wird, ob es Werkzeuge aufruft, Bilder sieht und nachdenkt.",
  probeWindow: (claimed) =>
    `Ausprobiert wird, ob es Werkzeuge aufruft, Bilder sieht und nachdenkt, und ob es die angegebenen ${claimed} Tokens liest.`,
  probeFree: "Das kostet nichts.",
  probePrice: (likely, most, limit) =>
    `Das kostet wahrscheinlich ${likely}, höchstens ${most}; es hält vor ${limit} an (--max-cost).`,
  probeShort: (likely, limit, needed) =>
    `Alles kostet wahrscheinlich ${likely}. Es hält vor ${limit} an, also wird nicht das ganze Fenster ausprobiert; dafür: --max-cost ${needed}`,
  probeUnpriced: (model) =>
    `Sein Preis ist unbekannt, also kann keine Geldgrenze halten. Ihn zuerst setzen: fettle models price ${model} EINGABE AUSGABE`,
  probeAsk: (count) => (count === 1 ? "Ausprobieren?" : `Diese ${count} ausprobieren?`),
  probeNeedsYes: "Ein Modell auszuprobieren sendet echte Anfragen, die Geld kosten können, und braucht ein Ja.",
  probeNeedsYesRemedy: "Wo niemand antworten kann: --yes angeben; --max-cost sagt, was es kosten darf.",
  probeNone: "Kein Modell ist genannt, das sich ausprobieren ließe.",
  probeNoneRemedy: "Eines nennen, das „fettle models“ zeigt: fettle models probe ANBIETER/MODELL",
  windowWhole: (read) => `Fenster: es liest die angegebenen ${read} Tokens`,
  windowLess: (claimed, read, missed) =>
    `Fenster: es liest ${read} Tokens und ${missed} nicht, angegeben sind ${claimed}; ab jetzt zählen ${read}`,
  windowRange: (read, missed) =>
    `Fenster: es liest ${read} Tokens und ${missed} nicht; das ist zu grob, um es zu merken`,
  windowUnknown: (read) => `Fenster: gelesen hat es ${read} Tokens`,
  windowNot: "Fenster: nicht ausprobiert",
  windowStopped: (why) => `die Suche nach dem Fenster endete vorzeitig: ${why}`,
  windowWhy: (why) => `der Server sagte: ${why}`,
  probeCost: (cost) => `Das hat ${cost} gekostet.`,
};
