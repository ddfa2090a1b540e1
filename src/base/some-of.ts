/** `a, b and 3 more`: the first `most` names, and how many others there are. */
export const someOf = (names: readonly string[], most: number): string =>
  names.slice(0, most).join(", ") + (names.length > most ? ` and ${names.length - most} more` : "");
