// Looking at images, with the languages whose data a person has installed beside fettle.
import { existsSync, readdirSync, realpathSync } from "node:fs";
import path from "node:path";
import type { ImagesOptions } from "../built-in/images/spec.ts";
import { packageFolder } from "../built-in/place.ts";
import type { McpServer } from "../mcp/spec.ts";
import { builtInServer, type Here } from "./built-in-server.ts";
import type { Settings } from "./settings.ts";

/** The library with what it requires; the sandbox shows nothing else of the folder that they lie in. */
const library = [
  ...["tesseract.js", "tesseract.js-core", "bmp-js", "idb-keyval", "is-url", "node-fetch", "regenerator-runtime"],
  ...["wasm-feature-detect", "zlibjs", "whatwg-url", "tr46", "webidl-conversions"],
];

export function imagesServer({ images }: Settings, { workspace }: Here): McpServer[] {
  if (!images.enabled) return [];
  const there = packageFolder("tesseract.js") !== undefined;
  const languages = (["eng", "deu"] as const).flatMap((name) => {
    const data = there ? packageFolder(`@tesseract.js-data/${name}`) : undefined;
    const folder = data === undefined ? undefined : dataIn(data, name);
    return folder === undefined ? [] : [{ name, folder }];
  });
  const options: ImagesOptions = { workspace: realpathSync(workspace), languages };
  const packages =
    languages.length === 0 ? [] : [...library, ...languages.map(({ name }) => `@tesseract.js-data/${name}`)];
  return [builtInServer("images", { options, read: [workspace], more: { programs: [], packages, foreign: true } })];
}

/** Of its kinds the best whose numbers are whole. */
function dataIn(folder: string, name: string): string | undefined {
  const kinds = readdirSync(folder).filter((each) => existsSync(path.join(folder, each, `${name}.traineddata.gz`)));
  const best = kinds.find((each) => each.endsWith("_best_int")) ?? kinds[0];
  return best === undefined ? undefined : path.join(folder, best);
}
