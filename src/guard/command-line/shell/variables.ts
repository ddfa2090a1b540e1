// What setting a variable means.
import { variableRule } from "../../rules/variables.ts";
import { type Context, deeper, note } from "../context/context.ts";
import { judgeNumber } from "./evaluated.ts";
import { type Text, unknownText } from "../syntax/text.ts";

/** What setting the variable means, whoever sets it (`X=1 cmd`, `export`, `env X=1`, `declare`). */
export function judgeVariable(name: string, value: Text | undefined, at: Context): void {
  if (at.scope.integers.has(name)) judgeNumber(value ?? unknownText(0), at);
  const rule = variableRule(name);
  if (!rule) return;
  if (name === "IFS" && value && /^[\s,:;|/]*$/.test(value.value) && !value.holes) return;
  if (
    (name === "PAGER" || name === "GIT_PAGER" || name === "MANPAGER") &&
    /^(cat|less|more|)$/.test(value?.value ?? "?")
  )
    return;
  if (/^(GIT_)?(SEQUENCE_)?EDITOR$|^VISUAL$/.test(name) && /^(true|:|cat)$/.test(value?.value ?? "?")) return;
  note(at, rule.risk, "shell.variable", `sets ${name}, which ${rule.text}`, rule.tag);
  if (!value || value.holes || !runs.test(name)) return;
  const found = at.run.judge.forbidden(value.value, deeper(at, { inside: name }));
  if (found) note(at, "L3", found.code, `sets ${name}, which ${found.text}`, found.tag);
}

/** Variables whose value is a command line. */
const runs =
  /^(PAGER|MANPAGER|\w*_PAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|\w*_EDITOR|BROWSER|PERL5DB|\w+_RSH|\w*SSH_COMMAND|SVN_SSH|\w*ASKPASS)$/;
