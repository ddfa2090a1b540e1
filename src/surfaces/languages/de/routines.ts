import type { words } from "../../cli/commands/routines.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const routines: Translation<typeof words> = {
  help: {
    list: "was behalten ist, und was angeboten wird",
    show: "eine im Ganzen: ihre Schritte, ihre Prüfung und die Läufe, in denen sie gesehen wurde",
    keep: "ein Angebot unter einem Namen behalten, oder eine beiseitegelegte wieder aufnehmen",
    forget: "eine Routine verwerfen, oder ein Angebot für immer",
    parameters: "ihre Namen in dieser Reihenfolge, durch Kommas getrennt",
  },
  lesson: {
    examples: [
      ["fettle routines list", "was in diesem Projekt dreimal geschah und bestand"],
      ["fettle routines keep 3fa9 bump-version", "von nun an: /bump-version 1.4.0"],
      ["fettle routines keep 3fa9 bump --parameters version", "mit einem Namen für das, was eingesetzt wird"],
      ["fettle routines show bump-version", "jeder Schritt, wie er getan wird"],
      ['fettle -p "/bump-version 1.4.0"', "die Schritte und die Prüfung, ohne Modell"],
      ["fettle routines forget bump-version", "und sie ist weg"],
    ],
    exits: [
      ["0", "gezeigt; getan"],
      ["2", "kein solches Angebot und keine solche Routine, oder ein Name, der keiner sein kann"],
    ],
  },
  none: "Es gibt keine Routinen. Was dreimal getan wurde und jedes Mal seine Tests bestand, wird hier angeboten.",
  kept: "Behalten",
  offers: "Dreimal gesehen, nicht behalten",
  use: (name, parameters) => `/${[name, ...parameters.map((each) => each.toUpperCase())].join(" ")}`,
  keepIt: (id) => `fettle routines keep ${id} NAME`,
  showIt: (id) => `alles davon: fettle routines show ${id}`,
  failed: "beim letzten Mal gescheitert; noch einmal, und sie wird beiseitegelegt",
  aside: (name) => `beiseitegelegt, weil sie zweimal hintereinander scheiterte; fettle routines keep ${name}`,
  by: (by, when) => `behalten von ${by}, ${when}`,
  seen: (session, turn, when) => `gesehen in Sitzung ${session}, Zug ${turn}, ${when}`,
  unknown: (id) => `Es gibt kein Angebot und keine Routine ${id}.`,
  done: "Behalten. Sie wird ohne Modell wieder getan, unter ihrem Namen:",
  forgotten: "Vergessen.",
  own: (name) => `/${name} ist ein Befehl von fettle selbst.`,
};
