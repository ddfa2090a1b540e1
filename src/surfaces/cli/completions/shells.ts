// Completions for three shells: each walks the words that stand already to the command that is meant, and offers what it takes.
import { everyOne, type KnownCommand } from "./known.ts";

export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

interface Offer {
  word: string;
  description: string;
}

const offersOf = ({ commands, options }: KnownCommand): Offer[] => [
  ...commands.map(({ name, description }) => ({ word: name, description })),
  ...options.flatMap(({ short, long, description }) =>
    [long, short].flatMap((word) => (word === undefined ? [] : [{ word, description }])),
  ),
];

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const placesOf = (program: KnownCommand): string =>
  everyOne(program)
    .map(({ path }) => path)
    .filter((path) => path !== "")
    .join("|");

function bash(program: KnownCommand): string {
  const cases = everyOne(program).map(
    (one) =>
      `    ${quoted(one.path)}) offered=${quoted(
        offersOf(one)
          .map(({ word }) => word)
          .join(" "),
      )} ;;`,
  );
  return `# fettle completions bash
_fettle() {
  local at= offered= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at/\${COMP_WORDS[i]}" in
      ${placesOf(program)}) at="$at/\${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _fettle fettle
`;
}

function zsh(program: KnownCommand): string {
  const cases = everyOne(program).map((one) => {
    const offers = offersOf(one).map(({ word, description }) =>
      quoted(`${word.replaceAll(":", "\\:")}:${description.replaceAll(":", "\\:")}`),
    );
    return `    ${quoted(one.path)}) offered=(${offers.join(" ")}) ;;`;
  });
  return `#compdef fettle
# fettle completions zsh
_fettle() {
  local at= word
  local -a offered
  for word in \${words[2,CURRENT-1]}; do
    case "$at/$word" in
      ${placesOf(program)}) at="$at/$word" ;;
    esac
  done
  case "$at" in
${cases.join("\n")}
  esac
  _describe fettle offered
  _files
}
# Loaded by the first Tab, it is to answer that one, too.
if [ "$funcstack[1]" = _fettle ]; then _fettle "$@"; else compdef _fettle fettle; fi
`;
}

function fish(program: KnownCommand): string {
  const lines = everyOne(program).flatMap((one) => {
    const there = `-n "__fettle_at '${one.path}'"`;
    return [
      ...one.commands.map(
        ({ name, description }) => `complete -c fettle ${there} -a ${name} -d ${quoted(description)}`,
      ),
      ...one.options.map(({ short, long, value, description }) => {
        const names = [long && `-l ${long.slice(2)}`, short && `-s ${short.slice(1)}`].filter(Boolean).join(" ");
        return `complete -c fettle ${there} ${names}${value?.startsWith("<") ? " -r" : ""} -d ${quoted(description)}`;
      }),
    ];
  });
  return `# fettle completions fish
function __fettle_at
  set -l at ''
  for word in (commandline -opc)[2..-1]
    if contains -- "$at/$word" ${placesOf(program).replaceAll("|", " ")}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join("\n")}
`;
}

const writers: Record<Shell, (program: KnownCommand) => string> = { bash, zsh, fish };

export const completionsFor = (shell: Shell, program: KnownCommand): string => writers[shell](program);
