/** How many pages all entries fill. */
export function pages(entries: number, perPage: number): number {
  return Math.floor(entries / perPage);
}
