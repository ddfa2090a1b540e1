// tmux, screen and their kin: what they keep running is judged as if it stood alone.
import { deeper, type Handler, note } from "../../command-line/context/context.ts";
import { grammarOf, readArguments } from "../../command-line/context/options.ts";
import { isStatic, type Text, unknown } from "../../command-line/syntax/text.ts";
import { runText } from "./judge.ts";

const starting =
  /^(new|new-session|neww|new-window|splitw|split-window|respawn-pane|respawnp|respawn-window|run|run-shell|popup|display-popup)$/;
const typing = /^(send|send-keys)$/;
const valued = "-c: -e: -F: -f: -L: -n: -s: -S: -t: -T: -x: -y: -d -A -D -E -P -X -a -b -h -v -k -l -Z -I -u -2 -q -C";
const screenOptions =
  "-d -D -m -r -R -x -S: -t: -T: -s: -L -Logfile:w -h: -c:r -e: -p: -X -U -q -a -A -O -wipe? -ls -list -v";

export const multiplexer: Handler = (argv, at) => {
  const [head, ...words] = argv;
  note(at, "L2", "program.background", "keeps processes running in the background", "background");
  if (head?.value !== "tmux") {
    const { operands } = readArguments(words, grammarOf(`${screenOptions} *`), true);
    const rest = head?.value === "dtach" || head?.value === "abduco" ? operands.slice(1) : operands;
    if (rest.length > 0) at.run.judge.argv(rest, deeper(at));
    return unknown();
  }
  const { operands, given } = readArguments(words, grammarOf(`${valued} *`), true);
  for (const { name, value } of given) if (name === "-c" && value) runText(value, at);
  const [verb, ...others] = operands;
  if (!verb || !isStatic(verb)) return unknown();
  const inner = readArguments(others, grammarOf(`${valued} *`), true).operands;
  if (starting.test(verb.value) && inner.length === 1 && inner[0]) runText(inner[0], at);
  else if (starting.test(verb.value) && inner.length > 1) at.run.judge.argv(inner, deeper(at));
  else if (typing.test(verb.value)) typed(inner.slice(0, -1), at);
  return unknown();
};

/** `send-keys 'command' Enter`. */
const typed = (keys: readonly Text[], at: Parameters<Handler>[1]): void => {
  for (const key of keys) runText(key, at);
};
