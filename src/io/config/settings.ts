// The merged configuration as a type, read off the settings' table. Names are those of the TOML files.
import type { Row, ValueOf } from "./setting-kinds.ts";
import { type providerTypes, settingsTable } from "./settings-table.ts";

type Rows = typeof settingsTable;
type Path = keyof Rows;

/** The next word of every path that begins with `Prefix`. */
type Next<Among extends Path, Prefix extends string> = Among extends `${Prefix}${infer Rest}`
  ? Rest extends `${infer Word}.${string}`
    ? Word
    : Rest
  : never;
/** The same, of paths that end there and may be unset. */
type Unset<Prefix extends string> = {
  [P in Path]: Rows[P] extends Row<infer _, true>
    ? never
    : P extends `${Prefix}${infer Last}`
      ? Last extends `${string}.${string}`
        ? never
        : Last
      : never;
}[Path];

type Below<Prefix extends string> =
  "*" extends Next<Path, Prefix>
    ? Record<string, Value<`${Prefix}*`>>
    : { [Word in Exclude<Next<Path, Prefix>, Unset<Prefix>>]: Value<`${Prefix}${Word}`> } & {
        [Word in Unset<Prefix>]?: Value<`${Prefix}${Word}`>;
      };
type Value<At extends string> = At extends Path ? ValueOf<Rows[At]["kind"]> : Below<`${At}.`>;

/** The merged, validated and clamped configuration. `network.hosts` and money limits are already within policy. */
export type Settings = { [Section in Next<Path, "">]: Value<Section> };

export type ProviderType = (typeof providerTypes)[number];
export type ProviderSettings = Settings["providers"][string];
/** What several arms may use together; what is absent is not limited. */
export type PoolSettings = Settings["pools"][string];
/** US dollars per million tokens. */
export type PriceSettings = Settings["prices"][string];

/** A fresh copy of what holds without any configuration. */
export function defaultSettings(): Settings {
  const settings: Record<string, unknown> = {};
  for (const [path, { value }] of Object.entries<Row>(settingsTable)) {
    const words = path.split(".");
    const last = words.pop() ?? "";
    let at = settings;
    for (const word of words) {
      if (word === "*") break;
      at = (at[word] ??= {}) as Record<string, unknown>;
    }
    if (value !== undefined) at[last] = structuredClone(value);
  }
  return settings as unknown as Settings;
}
