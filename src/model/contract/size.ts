// How large a request is, in bytes and in tokens at most; before anybody has counted.
import type { ModelRequest } from "../../protocol/request.ts";

/** A cautious upper estimate: most texts have more. */
const bytesPerToken = 3;
export const tokenBound = (bytes: number): number => Math.ceil(bytes / bytesPerToken);

/** What most texts have. */
export const likelyTokens = (bytes: number): number => Math.ceil(bytes / 4);

const measured = new WeakMap<object, number>();

/** No vendor counts one image as more; its bytes say nothing. */
const imageBytes = 8_000 * bytesPerToken;

export function bytesOf(value: object): number {
  const known = measured.get(value);
  if (known !== undefined) return known;
  let images = 0;
  const text = JSON.stringify(value, (_name, item: unknown) => {
    if (!isImage(item)) return item;
    images += 1;
    return "";
  });
  const bytes = Buffer.byteLength(text) + images * imageBytes;
  measured.set(value, bytes);
  return bytes;
}

const isImage = (item: unknown): boolean =>
  typeof item === "object" && item !== null && "type" in item && item.type === "image" && "mime" in item;

/** Bytes of the request as JSON; messages never change once built, so each is measured once. */
export function requestBytes(request: ModelRequest): number {
  let bytes = Buffer.byteLength(request.system);
  for (const tool of request.tools) bytes += bytesOf(tool);
  for (const message of request.messages) bytes += bytesOf(message);
  return bytes;
}
