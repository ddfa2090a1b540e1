// What a model is told of many things that it may name, within a bound that no folder full of them exceeds.

interface Outlined {
  name: string;
  description: string;
}

/** Of a description, with what stands around it. */
const shortest = 30;

/** Descriptions share `most` bytes with the names; what does not fit is told by `rest`. */
export function outlineOf(
  things: readonly Outlined[],
  most: number,
  rest: (names: readonly string[]) => string,
): string {
  const plain = things.map(({ name, description }) => ({ name, description: oneLine(description) }));
  const share = Math.floor(most / Math.max(1, plain.length));
  const lines: string[] = [];
  let left = most;
  for (const { name, description } of plain) {
    const room = Math.min(left, Math.max(share, Buffer.byteLength(name) + shortest));
    if (room < Buffer.byteLength(name) + shortest) break;
    const line = cut(`- ${name}: ${description}`, room);
    lines.push(line);
    left -= Buffer.byteLength(line) + 1;
  }
  const more = plain.slice(lines.length).map(({ name }) => name);
  return [...lines, ...(more.length > 0 ? [`- ${rest(more)}`] : [])].join("\n");
}

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = text.slice(0, bytes);
  while (kept !== "" && Buffer.byteLength(kept) > bytes - 3) kept = kept.slice(0, -1);
  return `${kept.toWellFormed().trimEnd()}…`;
}

/** What a person does not see in a list, a model does not read in it. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu, " ").trim();
