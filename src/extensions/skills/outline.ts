// What a model is told of all skills, within a bound that no folder full of them exceeds.

interface Outlined {
  name: string;
  description: string;
}

/** Bytes of the first request. */
export const outlineBytes = 1_600;
/** Of a description, with what stands around it. */
const shortest = 30;

/** Descriptions share what is left beside the names; names that do not fit either are counted, and can be searched. */
export function outlineOf(skills: readonly Outlined[], most = outlineBytes): string {
  const plain = skills.map(({ name, description }) => ({ name, description: oneLine(description) }));
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
  const more = plain.length - lines.length;
  return [...lines, ...(more > 0 ? [`- ${more} more: give words instead of a name to find them`] : [])].join("\n");
}

function cut(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  let kept = text.slice(0, bytes);
  while (kept !== "" && Buffer.byteLength(kept) > bytes - 3) kept = kept.slice(0, -1);
  return `${kept.toWellFormed().trimEnd()}…`;
}

/** What a person does not see in a list, a model does not read in it. */
const oneLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cf}\p{Co}\p{Cn}]+/gu, " ").trim();
