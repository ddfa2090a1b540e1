import type { TaskType } from "../../../protocol/router.ts";
import type { words } from "../../cli/commands/router/words.ts";
import { plural } from "../../cli/text/amounts.ts";
import { decimal } from "../../phrases/numbers.ts";
import type { Translation } from "../../phrases/phrases.ts";

const kinds: Readonly<Record<TaskType, string>> = {
  boilerplate: "Routine",
  generation: "Neues schreiben",
  refactor: "Umbau",
  review: "Review",
  unit_test: "Unit-Test",
  planning: "Planung",
  orchestration: "Koordination",
  security_review: "Sicherheitsreview",
  debug: "Fehlersuche",
  explain: "Erklären",
};

export const routerWords: Translation<typeof words> = {
  outcomes: {
    good: "als gut bezeichnet",
    bad: "als schlecht bezeichnet",
    evidence: "Aufgabe fertig, mit Nachweisen",
    unproved: "aus der Aufgabe wurde nichts",
    kept: "Änderung behalten",
    discarded: "Änderung verworfen",
    rewound: "zurückgesetzt",
    passed: "Tests bestanden",
    green: "Tests waren grün",
    failing: "Tests gescheitert",
    escalated: "ein anderes Modell machte weiter",
    failed: "antwortete nicht",
    stuck: "drehte sich im Kreis",
  },
  kind: (type) => kinds[type],
  nothing: "Der Router hat noch nichts gelernt: er lernt aus Durchgängen mit --model auto, und aus /good und /bad.",
  nothingCame: (total) =>
    `Der Router hat ${total === 1 ? "einmal" : `${total}-mal`} gewählt, und noch hat nichts gezeigt, wie gut das war: Tests, die bestehen oder scheitern, eine behaltene oder zurückgesetzte Änderung, /good und /bad tun das.`,
  decisions: (total, judged) => `${plural(total, "Wahl", "Wahlen")}; von ${judged} ist bekannt, was daraus wurde.`,
  replayTitle: "Was eine andere Art zu wählen gebracht hätte, geschätzt aus diesen Wahlen:",
  columns: {
    ...{ arm: "Modell", kind: "Arbeit", n: "gesehen", now: "zählt", mean: "Mittel", interval: "95 %", last: "zuletzt" },
    ...{ strategy: "Strategie", outcome: "daraus wurde", policy: "Wahl", value: "Mittel", effective: "zählt" },
  },
  scored: {
    ...{
      arm: "Modell",
      quality: "Güte",
      heuristic: "erwartet",
      seen: "gesehen",
      cost: "Kosten",
      weighted: "gewichtet",
    },
    ...{ scarcity: "knapp", switching: "Wechsel", slow: "langsam", score: "Punkte", chance: "Chance" },
  },
  timesTitle: "Wie lange ihre letzten ganzen Antworten brauchten, wie immer sie gewählt wurden:",
  times: { arm: "Modell", answers: "Antworten", first: "erstes Token", median: "Median", p90: "90 % in" },
  narrow: "Ein breiteres Terminal, oder --json, zeigt, woraus die Punkte bestehen.",
  strategies: { strategy: "Strategie", quality: "Güte", cost: "Kosten", score: "Punkte", chance: "Chance" },
  work: "Arbeit",
  profile: "Profil",
  strategy: "Strategie",
  would: "gefragt würde",
  nobody: "niemand",
  complexity: (value) => `Schwierigkeit ${decimal(value, 2)}`,
  by: {
    words: "nach ihren Wörtern",
    mission: "nach ihrem Auftrag",
    mode: "nach dem Modus",
    model: "nach dem Klassifikator",
  },
  notByModel: (why) => `der Klassifikator sagte nichts: ${why}`,
  excluded: "Ausgelassen:",
  run: (arm, cost, seen) =>
    `Ein Lauf von ${arm} kostet etwa ${cost}, ${seen === 0 ? "nach Erwartung: noch keiner wurde gesehen" : `nach den Kosten von ${plural(seen, "Lauf", "Läufen")}`}.`,
  legend:
    "Güte: was angenommen wird, und dessen 95 %; erwartet: von einem Modell seiner Größe; Kosten: 1 ist ein mittleres Modell; gewichtet: nach Profil und Arbeit; knapp: wie leer seine Kontingente sind; Wechsel: was es kostet, einen warmen Cache zu verlassen; langsam: womit seine Zeit die gewichteten Kosten malnimmt.",
  pinned: (model) =>
    `${model} ist genannt (mit --model oder model.default), also wird es gefragt und nichts gewählt. Mit --model auto:`,
  notDrawn: "Jede Wahl wird gelost: die Chancen sagen, wie wahrscheinlich jedes gefragt wird.",
  simulation: (scenario, rounds, arms, seeds) =>
    `${scenario}: ${rounds} Runden, ${arms} Modelle, Mittel aus ${plural(seeds, "Welt", "Welten")}`,
  scenarios: {
    steady: "nichts ändert sich",
    drift: "jedes Modell driftet",
    shifts: "jedes Modell springt, ein paar Mal",
    decay: "eines nach dem anderen wird schlechter",
    newcomer: "die Hälfte wird durch bessere ersetzt",
  },
  simulated: {
    policy: "Wahl",
    regret: "Bedauern",
    interval: "95 %",
    share: "verfehlt",
    quality: "Güte",
    cost: "Kosten",
  },
  simulating: "Simuliert…",
  resetAsk: (what) => `Vergessen, was der Router ${what} gelernt hat?`,
  resetAll: "insgesamt",
  resetOf: (arm, type) => [arm && `über ${arm}`, type && `in ${type}`].filter(Boolean).join(" "),
  resetDone: (what) => `Der Router hat vergessen, was er ${what} gelernt hatte.`,
  resetNeedsYes: "Zum Vergessen braucht es ein Ja.",
  resetNeedsYesRemedy: "Wo niemand antworten kann: --yes angeben.",
  explainNeedsPrompt: "Die Eingabe nennen, die zu erklären ist.",
};
