import type { words } from "../../cli/commands/project/gsd-names.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const projectNames: Translation<typeof words> = {
  missing: {
    later: (name) => `fettle hat noch keinen Befehl für gsd-${name}.`,
    cloud: (name) => `fettle hat keinen Befehl für gsd-${name}: Er braucht die Cloud eines anderen Anbieters.`,
    place: (name) => `fettle hat keinen Befehl für gsd-${name}: Einen solchen Ort gibt es bei fettle nicht.`,
    installer: (name) =>
      `fettle hat keinen Befehl für gsd-${name}: Er pflegt eine Installation von GSD, und fettle installiert nichts in Agenten.`,
    unknown: (name) => `GSD hat keinen Befehl gsd-${name}.`,
  },
  remedy: "Was es gibt: fettle project --help",
  near: (name) => `Ist gsd-${name} gemeint? Was es gibt: fettle project --help`,
  elsewhere: (name, line) => `gsd-${name} ist hier ein anderer Befehl: ${line}`,
  elsewhereRemedy: (line) => `Aufruf: ${line}`,
  inSession: (name, line) =>
    `/gsd-${name} ist \`${line}\`. Dieser Befehl gehört in eine Shell: Er arbeitet in einer eigenen Sitzung.`,
};
