// What can be typed, read off the grammar: for completions and the manual page.
import type { Command } from "commander";

export interface KnownOption {
  short?: string;
  long?: string;
  /** `<model>`, where it takes one. */
  value?: string;
  description: string;
}

export interface KnownCommand {
  /** `/task/list`; empty for the program itself. */
  path: string;
  name: string;
  /** `<id>`, `[prompt...]`, as they are typed. */
  takes: string[];
  description: string;
  options: KnownOption[];
  commands: KnownCommand[];
}

export function known(command: Command, above?: string): KnownCommand {
  const path = above === undefined ? "" : `${above}/${command.name()}`;
  return {
    path,
    name: command.name(),
    takes: command.registeredArguments.map((one) => {
      const name = one.name() + (one.variadic ? "..." : "");
      return one.required ? `<${name}>` : `[${name}]`;
    }),
    description: command.description(),
    options: command.options.map(({ short, long, flags, description }) => {
      const value = /(?:<[^>]+>|\[[^\]]+\])$/.exec(flags)?.[0];
      return { ...(short && { short }), ...(long && { long }), ...(value && { value }), description };
    }),
    commands: command.commands.map((one) => known(one, path)),
  };
}

/** Itself and all below. */
export const everyOne = (command: KnownCommand): KnownCommand[] => [command, ...command.commands.flatMap(everyOne)];
