// Tokens that say by their own first letters what they are. The rows stand in assets/secrets/tokens.json, by the trade of who
// issues them. `%a` letters and digits, `%w` also - and _, `%h` hex, `%u` capitals and digits, `%l` small letters and digits,
// `%g` a UUID.
import tokens from "../../../../assets/secrets/tokens.json" with { type: "json" };
import { type Pattern, prefixed } from "./spec.ts";

/** Kind, the beginnings (one of them, space-separated), what follows. */
type TokenRow = readonly [kind: string, beginnings: string, body: string];

export const tokenRows = Object.values(tokens).flat() as unknown as readonly TokenRow[];

export const tokenPatterns: readonly Pattern[] = tokenRows.map(([kind, beginnings, body]) =>
  prefixed(kind, beginnings.split(" "), body),
);
