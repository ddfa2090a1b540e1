// The words of one segment of a command line, for rules. The segment has been judged already; this only names its words.

/** A word that the shell would still change (expansion, substitution) or that is no plain word (redirect) is undefined. */
export type Word = string | undefined;

const active = /[$`<>|&;()]/;
/** `>`, `2>&1`, `<<EOF`: an operator, and in the second group the target where it stands in the same word. */
const redirection = /^(?:\d*|&)(?:>>|>\||<<<|<<-?|<>|>|<)(&?.*)$/s;

/** Undefined when the quotes do not close. */
export const wordsOf = (part: string): Word[] | undefined => tokensOf(part)?.map(({ word }) => word);

/** Without redirections and their targets: what the program itself is given. */
export function argumentsOf(part: string): Word[] | undefined {
  const tokens = tokensOf(part);
  if (!tokens) return undefined;
  const kept: Word[] = [];
  let target = false;
  for (const { word, bare } of tokens) {
    const found = redirection.exec(bare);
    if (!found && !target) kept.push(word);
    target = found !== null && found[1] === "";
  }
  return kept;
}

/** `bare`: what stands outside of quotes, a mark for each quoted piece. */
function tokensOf(part: string): { word: Word; bare: string }[] | undefined {
  const words: { word: Word; bare: string }[] = [];
  let text = "";
  let bare = "";
  let started = false;
  let live = false;
  const finish = () => {
    if (started) words.push({ word: live ? undefined : text, bare });
    text = "";
    bare = "";
    started = false;
    live = false;
  };
  for (let at = 0; at < part.length; at += 1) {
    const character = part[at] ?? "";
    if (/\s/.test(character)) finish();
    else if (character === "'" || character === '"') {
      const end = closing(part, at);
      if (end === undefined) return undefined;
      const inner = part.slice(at + 1, end);
      started = true;
      if (character === '"' && /[$`]/.test(inner)) live = true;
      text += character === '"' ? inner.replace(/\\([\\"$`])/g, "$1") : inner;
      bare += "'";
      at = end;
    } else if (character === "\\" && at + 1 < part.length) {
      at += 1;
      if (part[at] === "\n") continue;
      started = true;
      bare += "'";
      text += part[at];
    } else {
      started = true;
      live ||= active.test(character);
      text += character;
      bare += character;
    }
  }
  finish();
  return words;
}

function closing(part: string, from: number): number | undefined {
  const quote = part[from];
  for (let at = from + 1; at < part.length; at += 1) {
    if (quote === '"' && part[at] === "\\") at += 1;
    else if (part[at] === quote) return at;
  }
  return undefined;
}

export const baseName = (program: string): string => program.slice(program.lastIndexOf("/") + 1);
