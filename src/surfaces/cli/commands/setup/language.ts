// Which language fettle speaks, from this question on.
import { speakTheirs } from "../../../phrases/languages.ts";
import { safeLine } from "../../text/safe-text.ts";
import { keep, type Step } from "./step.ts";
import { words } from "./words.ts";

const languages = ["auto", "en", "de"];

export const languageStep: Step = async (step) => {
  const { context, asker, print, changes } = step;
  const { host } = context;
  const { value } = await context.with({ headless: true }, (client) =>
    client.read("config.get", { key: "terminal.language" }),
  );
  const usual = String(value);
  for (;;) {
    const answer = await asker.line(words.whichLanguage, usual);
    if (!languages.includes(answer)) {
      print(words.noSuchLanguage(safeLine(answer)));
      continue;
    }
    if (answer !== usual) await keep(step, "terminal.language", answer);
    await speakTheirs(host.languages, host.env);
    print(words.languageNow);
    changes.push(`fettle config set terminal.language ${answer}`);
    return;
  }
};
