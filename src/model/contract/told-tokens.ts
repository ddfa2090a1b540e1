/** No call takes more; a number above it is a mistake of whoever counted. */
const mostTokens = 1e9;

/** What a server says that a call took: whatever it sends, a whole number that sums and prices can bear. */
export const toldTokens = (value: unknown): number =>
  typeof value === "number" && value > 0 ? Math.min(mostTokens, Math.round(value)) : 0;
