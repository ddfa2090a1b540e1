// What the first word of a command line is: a command's name, or the beginning of a prompt.
import { commandRows } from "./commands.ts";

/** Of commander's options what matters here. */
interface Flag {
  short?: string | undefined;
  long?: string | undefined;
  /** It takes a value. */
  required: boolean;
}

export interface Lead {
  /** Index of the first word that is neither a flag nor a flag's value; undefined when there is none before `--`. */
  at: number | undefined;
  /** Index of `--`, which ends flags and names: what stands behind it is the prompt, whatever it says. */
  end: number;
  /** -p stood before it: it is a prompt, whatever it says. */
  print: boolean;
}

export function leadOf(argv: readonly string[], flags: readonly Flag[]): Lead {
  const end = argv.includes("--") ? argv.indexOf("--") : argv.length;
  let print = false;
  for (let at = 0; at < end; at += 1) {
    const word = argv[at] ?? "";
    if (!word.startsWith("-") || word === "-") return { at, end, print };
    const { named, takesNext } = flagsIn(word, flags);
    print ||= named.some(({ short }) => short === "-p");
    if (takesNext) at += 1;
  }
  return { at: undefined, end, print };
}

/** `-qm` are two flags, the value of the last one follows; in `--model=x` and `-mx` it is there already. */
function flagsIn(word: string, flags: readonly Flag[]): { named: Flag[]; takesNext: boolean } {
  if (word.startsWith("--")) {
    const flag = flags.find(({ long }) => long === word.split("=")[0]);
    return { named: flag ? [flag] : [], takesNext: flag?.required === true && !word.includes("=") };
  }
  const named: Flag[] = [];
  for (const [at, letter] of [...word.slice(1)].entries()) {
    const flag = flags.find(({ short }) => short === `-${letter}`);
    if (!flag) break;
    named.push(flag);
    if (flag.required) return { named, takesNext: at === word.length - 2 };
  }
  return { named, takesNext: false };
}

/** With the command that is mostly wanted of a group, where the group stands alone or before flags only. */
export function spelledOut(argv: readonly string[], at: number): readonly string[] {
  const command = commandRows.find(({ name }) => name === argv[at])?.usual;
  const next = argv[at + 1];
  const alone =
    next === undefined || (next.startsWith("-") && !argv.slice(at).some((word) => /^(--help|-[a-z]*h)$/.test(word)));
  return command !== undefined && alone ? argv.toSpliced(at + 1, 0, command) : argv;
}

/** Undefined where a shell would need quotes, or there are flags among them. */
export function asPrompt(words: readonly string[]): string | undefined {
  if (!words.every((word) => /^[\w.,:@%+=/][\w.,:@%+=/-]*$/.test(word))) return undefined;
  const [first, ...others] = words;
  return first === "task" ? `fettle task -- ${others.join(" ")}` : `fettle -- ${words.join(" ")}`;
}
