import type { words } from "../../cli/commands/hooks.ts";
import type { Translation } from "../../phrases/phrases.ts";

export const hooks: Translation<typeof words> = {
  help: {
    hookTool: "das Werkzeug des gedachten Aufrufs (shell)",
    hookInput: "seine Argumente als JSON",
    list: "jeder Hook, wo er steht und ob er benutzt wird",
    test: "die Hooks, die zu einem gedachten Aufruf passen, einmal laufen lassen und zeigen, was jeder antwortet",
  },
  lesson: {
    examples: [
      ["fettle hooks list", "wo jeder steht und ob er benutzt wird"],
      [
        `fettle hooks test before_tool --input '{"command":"rm x"}'`,
        "die passenden einmal laufen lassen und zeigen, was jeder antwortet; kein Aufruf geschieht",
      ],
      ["fettle hooks test stop", "die, die gefragt werden, bevor ein Durchgang enden darf"],
    ],
    exits: [
      ["0", "gezeigt; jeder Hook, der lief, hat geantwortet"],
      ["1", "test: einer ist gescheitert"],
      ["2", "kein solches Ereignis, oder eine Eingabe, die kein JSON ist"],
    ],
  },
  none: "Es gibt keine Hooks; docs/guide/hooks.md sagt, wie man einen schreibt.",
  noMatch: "Kein benutzter Hook passt dazu (fettle hooks list zeigt alle).",
  name: "Hook",
  event: "Ereignis",
  matcher: "Werkzeuge",
  origin: "von",
  state: "Zustand",
  command: "Befehl",
  every: "alle",
  origins: { user: "eigener", project: "Projekt" },
  used: "benutzt",
  untrusted: "braucht Vertrauen (fettle trust show)",
  badInput: (problem) => `--input braucht JSON: ${problem}.`,
  verdicts: { abstain: "nichts dagegen", ask: "fragt", deny: "lehnt ab" },
  failed: "weil er gescheitert ist",
  exit: (code, ended) => (ended === "exited" ? `Exit-Code ${code}` : ended === "refused" ? "nicht gelaufen" : ended),
  becomes: "die Eingabe wird zu",
  tells: "sagt dem Modell",
  says: "sagt hier",
};
