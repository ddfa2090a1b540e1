// Text that the shell evaluates: as a number, as an index, as a name. bash runs `$(…)` inside an index in all of them.
import { type Context, deeper, note } from "../context/context.ts";
import { hole, Origin, type Text } from "../syntax/text.ts";

/**
 * What an expression may consist of once it is expanded. Quotes, dollar signs and backslashes are not among it, so
 * whatever an index holds is itself an expression of this kind.
 */
const expression = /^[\w\s+\-*/%()<>=!&|^~?:,.#@[\]]*$/;
const identifier = /(?<![\w#.])[A-Za-z_]\w*/g;
/** More names that lead to names than anybody writes. */
const longestChain = 8;

/** Text of a number, of an expression, or of an index. Only what is literally known, or a number, passes unasked. */
export function judgeNumber(text: Text, at: Context): void {
  judgeHidden(text, at);
  if (!isNumber(text, at, 0))
    note(
      at,
      "L2",
      "shell.number",
      "takes text that is not known beforehand for a number, which can run commands",
      "dynamic",
    );
}

function isNumber(text: Text, at: Context, chain: number): boolean {
  if (text.doubtful || (text.glob && /[*?]/.test(text.value))) return false;
  if (text.holes && !text.numeric) return false;
  const value = text.value.replaceAll(hole, "0");
  if (!expression.test(value) || chain > longestChain) return false;
  return Array.from(value.matchAll(identifier), ([name]) => name).every((name) => holdsNumber(name, at, chain));
}

/** A variable that arithmetic names without a dollar sign is evaluated in its turn. */
function holdsNumber(name: string, at: Context, chain: number): boolean {
  const values = at.scope.variables.get(name);
  if (!values) return counters.has(name);
  return values.flat().every((text) => isNumber(text, at, chain + 1));
}

/** Variables that the shell itself keeps, and that hold a number whatever the environment says. */
export const counters: ReadonlySet<string> = new Set(
  "? # $ ! RANDOM SRANDOM SECONDS LINENO UID EUID PPID BASHPID EPOCHSECONDS EPOCHREALTIME SHLVL OPTIND".split(" "),
);

/** The name of a variable, or of one of its elements, that a builtin is given as a word. */
export function judgeName(text: Text, at: Context): void {
  judgeHidden(text, at);
  const known = !text.holes || text.numeric;
  const found = known ? /^[A-Za-z_]\w*(?:\[([\s\S]*)\])?$/.exec(text.value.replaceAll(hole, "0")) : null;
  const [, index] = found ?? [];
  if (!found || text.doubtful || text.glob)
    note(at, "L2", "shell.dynamic-name", "takes text that is not known beforehand for a name", "dynamic");
  else if (index !== undefined && index !== "@" && index !== "*")
    judgeNumber({ ...text, value: index, holes: false, glob: false }, at);
}

/** `a[$(rm x)]`: text that arithmetic, `read`, `unset`, `[[` and others run when it arrives as a number or a name. */
const hiddenCommand = /(?<!\w)[A-Za-z_]\w*\[[^\]]*(\$\(|`)/;

export function judgeHidden(text: Text, at: Context): void {
  if (!hiddenCommand.test(text.value)) return;
  note(at, "L2", "shell.hidden-command", "hides a command in the index of an array", "dynamic");
  at.run.judge.script(`: ${text.value.replaceAll(hole, "")}`, deeper(at));
}

/** A word that only the running shell knows, and that may begin with a dash. */
export const maybeOption = (text: Text | undefined): boolean =>
  text !== undefined &&
  (text.doubtful ||
    (text.glob && /^[*?[]/.test(text.value)) ||
    (text.holes && !text.numeric && text.value.startsWith(hole) && (!text.names || (text.from & Origin.loose) !== 0)));

/** An unquoted word of which a later piece may begin with a dash: names hold white space. */
export const maybeSplit = (text: Text): boolean =>
  text.split && text.holes && !text.numeric && !(text.names && text.from === 0);
