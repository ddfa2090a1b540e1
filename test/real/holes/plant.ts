// Loaded before anything else: takes the fix of one hole out of the source as it is read. Imports that carry `?whole` see
// the source as it is.
import { registerHooks } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { type Hole, holes } from "./list.ts";
import { placeHoles } from "./places.ts";

export const whole = "?whole";

const src = pathToFileURL(path.join(import.meta.dirname, "../../../src/")).href;

/** Its source without the fix. */
export function without({ name, edits }: Hole, file: string, source: string): string {
  return edits
    .filter((edit) => edit.file === file)
    .reduce((text, { from, to }) => {
      if (text.split(from).length !== 2) throw new Error(`hole ${name}: its fix does not stand once in ${file}`);
      return text.replace(from, () => to);
    }, source);
}

const planted = [...holes, ...placeHoles].find(({ name }) => name === process.env["FETTLE_HOLE"]);

if (planted)
  registerHooks({
    resolve(specifier, context, next) {
      const found = next(specifier, context);
      const inherits = context.parentURL?.endsWith(whole) && found.url.startsWith(src) && !found.url.endsWith(whole);
      return inherits ? { ...found, url: found.url + whole } : found;
    },
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.startsWith(src) || url.endsWith(whole)) return loaded;
      const source = String(loaded.source);
      return { ...loaded, source: without(planted, url.slice(src.length), source) };
    },
  });
