/** The entries that stand on a page, counted from 1. */
export function page<Entry>(entries: readonly Entry[], perPage: number, wanted: number): Entry[] {
  return entries.slice((wanted - 1) * perPage, wanted * perPage);
}
