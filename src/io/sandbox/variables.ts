// Variables of others reach the command alone. What confines it starts without them: a library that `LD_PRELOAD` names,
// or a file of `NODE_OPTIONS`, would run outside of the sandbox, or with the channel to fettle.

const quoted = (value: string): string => `'${value.replaceAll("'", `'\\''`)}'`;

/** Names that a shell can set, and values that an environment can hold. */
export const isVariable = ([name, value]: readonly [string, string]): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !value.includes("\0");

/** What the descriptor holds that `withVariables` reads. Throws when `isVariable` does not hold for all. */
export function variablesText(variables: Readonly<Record<string, string>>): string {
  const entries = Object.entries(variables);
  const bad = entries.find((entry) => !isVariable(entry));
  if (bad) throw new Error(`${JSON.stringify(bad[0])} cannot be set for a program`);
  return entries.map(([name, value]) => `export ${name}=${quoted(value)}\n`).join("");
}

/** `descriptor` has one digit: dash takes no more for one. The command does not get it. */
export function withVariables(argv: readonly string[], descriptor: number): string[] {
  if (descriptor > 9) throw new Error("a shell can name ten descriptors");
  return ["/bin/sh", "-c", `. /dev/fd/${descriptor}; exec "$@" ${descriptor}<&-`, "sh", ...argv];
}
