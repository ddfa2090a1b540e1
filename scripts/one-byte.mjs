/**
 * What esbuild has left as it stands, in patterns: one letter beyond Latin-1 makes the runtime hold all of a file with two bytes for
 * each letter.
 */
export const oneByte = (text) =>
  text.replace(/[^\x00-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
