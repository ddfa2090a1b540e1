// The words of one segment of a command line, for rules. The segment has been judged already; this only names its words.

/** A word that the shell would still change (expansion, substitution) or that is no plain word (redirect) is undefined. */
export type Word = string | undefined;

const active = /[$`<>|&;()]/;

/** Undefined when the quotes do not close. */
export function wordsOf(part: string): Word[] | undefined {
  const words: Word[] = [];
  let text = "";
  let started = false;
  let live = false;
  const finish = () => {
    if (started) words.push(live ? undefined : text);
    text = "";
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
      at = end;
    } else if (character === "\\" && at + 1 < part.length) {
      at += 1;
      if (part[at] === "\n") continue;
      started = true;
      text += part[at];
    } else {
      started = true;
      live ||= active.test(character);
      text += character;
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
