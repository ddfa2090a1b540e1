// Words that leave the choice of a model to the router, instead of naming one.
import type { Settings } from "../../../../io/config/settings.ts";

/** Known without any configuration; `router.tiers` may say otherwise what belongs to one, and add others. */
export const ownTiers = ["small", "fast", "medium", "large", "best"] as const;

export type RoutedBy = { word: "auto" } | { word: string; tier: string };

/** Undefined: the text names a model. */
export function routedBy(model: string, { router }: Pick<Settings, "router">): RoutedBy | undefined {
  const word = model.trim();
  if (word === "auto") return { word };
  const tier = Object.hasOwn(router.tiers, word) || (ownTiers as readonly string[]).includes(word);
  return tier ? { word, tier: word } : undefined;
}
