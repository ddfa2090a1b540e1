import { entryOf } from "../../base/entry.ts";

/** `${NAME}` and `${NAME:-otherwise}`, as other agents' lists of MCP servers write them. */
export const filledIn = (value: string, env: NodeJS.ProcessEnv): string =>
  value.replace(/\$\{(\w+)(?::-([^}]*))?\}/g, (_all, name: string, otherwise = "") => entryOf(env, name) ?? otherwise);
