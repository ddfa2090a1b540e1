// The manual page, in roff: the program, its exit codes and every command with its options.
import { general } from "../words/general.ts";
import { everyOne, type KnownCommand, type KnownOption } from "./known.ts";

interface ManualParts {
  version: string;
  program: KnownCommand;
}

/** A line that begins with a dot or a quote would be an order to roff. */
const roff = (text: string): string =>
  text
    .replaceAll("\\", "\\e")
    .replaceAll("-", "\\-")
    // groff reads bytes: what is no ASCII is named.
    .replace(
      /[^\x20-\x7e\n]/gu,
      (sign) => `\\[u${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
    )
    .replace(/^(?=[.'])/gm, "\\&");

const bold = (text: string): string => `\\fB${roff(text)}\\fR`;

function optionLines({ short, long, value, description }: KnownOption): string[] {
  const names = [short, long].flatMap((name) => (name === undefined ? [] : [bold(name)])).join(", ");
  return [".TP", value === undefined ? names : `${names} ${roff(value)}`, roff(description)];
}

function commandLines(command: KnownCommand): string[] {
  const name = command.path.slice(1).replaceAll("/", " ");
  const head = [`fettle ${name}`, ...command.takes].join(" ");
  return [`.SS ${roff(head)}`, roff(command.description), ...command.options.flatMap(optionLines)];
}

const pairLines = (pairs: readonly (readonly string[])[]): string[] =>
  pairs.flatMap(([left = "", right = ""]) => [".TP", bold(left), roff(right)]);

export function manualPage({ version, program }: ManualParts): string {
  const commands = everyOne(program).filter(({ path }) => path !== "");
  return [
    `.TH FETTLE 1 "" "fettle ${version}" "User Commands"`,
    ".SH NAME",
    `fettle \\- ${roff(program.description)}`,
    ".SH SYNOPSIS",
    `${bold("fettle")} [options] ${program.takes.map(roff).join(" ")}`,
    ".br",
    `${bold("fettle")} ${roff("command")} [options]`,
    ".SH OPTIONS",
    ...program.options.flatMap(optionLines),
    ".SH COMMANDS",
    ...commands.flatMap(commandLines),
    ".SH EXAMPLES",
    ...pairLines(general.examples),
    ".SH EXIT STATUS",
    ...pairLines(general.exitCodes),
    ".SH FILES",
    ...pairLines([
      ["~/.config/fettle/config.toml", "settings; fettle config path names all files"],
      ["~/.local/state/fettle", "sessions, ledger and keys"],
    ]),
    "",
  ].join("\n");
}
