// What setting a variable means, and what text does that the shell takes for a number or a name.
import { variableRule } from "../../rules/variables.ts";
import { type Context, deeper, note } from "../context.ts";
import { hole, Origin, type Text } from "./text.ts";

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
  if (!value || value.holes || !runs.test(name)) return;
  const found = at.run.judge.forbidden(value.value, deeper(at, { inside: name }));
  if (found) note(at, "L3", found.code, `sets ${name}, which ${found.text}`, found.tag);
}

/** Variables whose value is a command line. */
const runs =
  /^(PAGER|MANPAGER|\w*_PAGER|LESSOPEN|LESSCLOSE|EDITOR|VISUAL|\w*_EDITOR|BROWSER|PERL5DB|\w+_RSH|\w*SSH_COMMAND|SVN_SSH|\w*ASKPASS)$/;

const foreign = Origin.network | Origin.decoded | Origin.secret | Origin.file | Origin.program;

/** bash runs `$(…)` inside an index wherever it wants a number, so text of unknown origin may not arrive there unasked. */
export function judgeNumber(text: Text, at: Context): void {
  judgeHidden(text, at);
  const variables = /^\s*[A-Za-z_]\w*\s*$/.test(text.value)
    ? (at.scope.variables.get(text.value.trim()) ?? []).flat()
    : [];
  if ([text, ...variables].some(({ holes, from }) => holes && (from & foreign) !== 0))
    note(
      at,
      "L2",
      "shell.number",
      "takes text that is not known beforehand for a number, which can run commands",
      "dynamic",
    );
}

/** The variables that an arithmetic expression names without a dollar sign. */
export function judgeExpression(source: string, at: Context): void {
  for (const [name] of source.matchAll(/(?<![\w$])[A-Za-z_]\w*/g)) {
    const values = at.scope.variables.get(name);
    for (const text of values?.flat() ?? []) judgeNumber(text, at);
  }
  for (const found of source.matchAll(/\$\{?([A-Za-z_]\w*)/g))
    for (const text of at.scope.variables.get(found[1] ?? "")?.flat() ?? []) judgeNumber(text, at);
}

/** `a[$(rm x)]`: text that arithmetic, `read`, `unset`, `[[` and others run when it arrives as a number or a name. */
const hiddenCommand = /(?<!\w)[A-Za-z_]\w*\[[^\]]*(\$\(|`)/;

export function judgeHidden(text: Text, at: Context): void {
  if (!hiddenCommand.test(text.value)) return;
  note(at, "L2", "shell.hidden-command", "hides a command in the index of an array", "dynamic");
  at.run.judge.script(`: ${text.value.replaceAll(hole, "")}`, deeper(at));
}
