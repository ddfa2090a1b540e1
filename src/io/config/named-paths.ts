// Which paths below a folder an argument or the value of a variable may name, however it is written around them.
import { existsSync } from "node:fs";
import path from "node:path";
import { scriptEndings } from "../../base/references.ts";

const most = 400;

/** Absolute, and of something that exists strictly below `folder`. Written whole, after `=`, as an address, or in a list. */
export function namedPaths(text: string, folder: string): string[] {
  const parts = [text, ...text.split(/[\s,;:"'=|]+/), ...text.split(/[:;,"'|]/), ...tailsOf(text)].slice(0, most);
  const found = parts.flatMap((part) => {
    const plain = plainPath(part.trim());
    if (plain === "" || plain.includes("\0")) return [];
    const full = path.resolve(folder, plain);
    if (!full.startsWith(`${folder}${path.sep}`)) return [];
    return scriptEndings.map((ending) => full + ending).filter((each) => existsSync(each));
  });
  return [...new Set(found)];
}

/** All behind each `=`: `--require=./my file.js`. */
const tailsOf = (text: string): string[] =>
  [...text.matchAll(/=/g)].slice(0, 20).map(({ index }) => text.slice(index + 1).replace(/^["']|["']$/g, ""));

/** `file:///a%20b` is `/a b`. */
function plainPath(part: string): string {
  const rest = /^(?:file:)?\/\/+(?=[^/])/i.test(part) ? part.replace(/^(?:file:)?\/\/+/i, "/") : part;
  try {
    return decodeURIComponent(rest);
  } catch {
    return rest;
  }
}
