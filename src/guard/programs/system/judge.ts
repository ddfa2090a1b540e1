// fettle itself, and what runs commands later.
import { watchers } from "../../rules/shapes-machine.ts";
import { type Handler, note } from "../../command-line/context/context.ts";
import { judgePath } from "../../command-line/context/paths.ts";
import { constant, Origin, unknown } from "../../command-line/syntax/text.ts";

const reading =
  /^(--version|-V|--help|-h|help|version|doctor|explain|config (show|get|path|schema)|audit (verify|tail|query)|sessions (list|show)|models)( |$)/;

/** The program under whose gate all this runs: only asking is free. */
export const fettle: Handler = (argv, at) => {
  const text = argv
    .slice(1)
    .map((word) => word.value)
    .join(" ");
  if (reading.test(text) && !argv.some((word) => word.holes)) return constant;
  note(at, "L3", "control.fettle", "acts on fettle itself", "control");
  return unknown();
};

export const crontab: Handler = (argv, at) => {
  const reads = argv.length === 2 && argv[1]?.value === "-l";
  note(
    at,
    reads ? "L2" : "L3",
    "program.later",
    reads ? "reads what runs later" : "makes something run later",
    reads ? "outside" : "hide",
  );
  return unknown();
};

export const gpg: Handler = (argv, at) => {
  const words = argv.slice(1).map((text) => text.value);
  if (words.some((word) => /^(--version|--help)$/.test(word))) return constant;
  const secret = words.some((word) =>
    /^(--export-secret|--delete|--gen-key|--full-gen|--quick-gen|--import|--edit-key|-d$|--decrypt|--batch|--passphrase|-c$|--symmetric)/.test(
      word,
    ),
  );
  note(at, secret ? "L3" : "L2", "program.key", "uses keys", "sensitive-read");
  for (const text of argv.slice(1)) if (!text.value.startsWith("-")) judgePath(text, "read", at);
  return unknown();
};

const watched = new RegExp(`\\b(pidof|pgrep)\\b[^)\`]*\\b(${watchers})\\b`);
/** Every process there is, or every one of a user. */
const everybody =
  /\$\( *ps\b(?![^|)]*(-C|-p|--pid|-q))|` *ps\b(?![^|`]*(-C|-p|--pid|-q))|\bpgrep( -\w+)* -[uU] ?\S+ *[)`]/;

export const kill: Handler = (argv, at) => {
  const words = argv.slice(1).map((text) => text.value);
  if (words.length > 0 && words.every((word) => /^(-l|-L|--list|--table|\d+)$/.test(word)) && words[0]?.startsWith("-"))
    return constant;
  const own = /\$\{?(PPID|\$)|fettle/.test(at.part);
  if (own) note(at, "L3", "control.kill", "ends the shell or fettle itself", "control");
  if (watched.test(at.part)) note(at, "L3", "program.watcher", "ends or halts what watches the machine", "hide");
  const listed = argv.some(({ from }) => (from & Origin.everything) !== 0);
  const everyone =
    listed || (everybody.test(at.part) && !/grep -?\w* ?[^-]|awk ['"]?\//.test(at.part.replace(/pgrep/g, "")));
  const all = everyone || words.some((word, index) => (word === "-1" && index > 0) || word === "1");
  note(
    at,
    all ? "L3" : "L2",
    "program.signal",
    all ? "ends every process" : "ends processes",
    all ? "destroy" : "signal",
  );
  return unknown();
};
