// What setting a variable means, and what text does that the shell takes for a number or a name.
import { variableRule } from "../../rules/variables.ts";
import { type Context, deeper, note } from "../context.ts";
import { hole, type Text } from "./text.ts";

/** What setting the variable means, whoever sets it (`X=1 cmd`, `export`, `env X=1`, `declare`). */
export function judgeVariable(name: string, value: Text | undefined, at: Context): void {
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
}

/** `a[$(rm x)]`: text that arithmetic, `read`, `unset`, `[[` and others run when it arrives as a number or a name. */
const hiddenCommand = /[A-Za-z_]\w*\[[^\]]*(\$\(|`)/;

export function judgeHidden(text: Text, at: Context): void {
  if (!hiddenCommand.test(text.value)) return;
  note(at, "L2", "shell.hidden-command", "hides a command in the index of an array", "dynamic");
  at.run.judge.script(`: ${text.value.replaceAll(hole, "")}`, deeper(at));
}
