// How the library of the terminal's screen is bundled: only what is used of it, and nothing of it that starts programs.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const name = "@earendil-works/pi-tui";
const segmenters = fileURLToPath(new URL("../src/surfaces/tui/segmenters.ts", import.meta.url));
const own = /node_modules.@earendil-works.pi-tui.dist/;

/** What its file of widths makes while it loads, and what stands for it: made when text first needs it. */
const late = [
  [/^const graphemeSegmenter = .*$/m, 'const graphemeSegmenter = lateSegmenter("grapheme");'],
  [/^const wordSegmenter = .*$/m, 'const wordSegmenter = lateSegmenter("word");'],
  [/^const rgiEmojiRegex = .*$/m, "const rgiEmojiRegex = oneEmoji;"],
];

/** What colours code in answers: where it is not installed (an older node_modules), code has one colour. */
export const codeLibrary = {
  name: "code library",
  setup(builder) {
    builder.onResolve({ filter: /^lowlight$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === "lowlight") return undefined;
      const found = await builder.resolve(path, { ...from, pluginData: "lowlight" });
      return found.errors.length > 0 ? { path, external: true } : found;
    });
  },
};

/** For esbuild. Where it is not installed (an older node_modules), fettle is built without it and keeps to lines. */
export const screenLibrary = {
  name: "screen library",
  setup(builder) {
    const resolveOnce = async ({ path, pluginData, ...from }) => {
      if (pluginData === name) return undefined;
      const found = await builder.resolve(path, { ...from, pluginData: name });
      if (found.errors.length > 0 && path === name) return { path, external: true };
      return { ...found, sideEffects: false };
    };
    builder.onResolve({ filter: /^@earendil-works\/pi-tui$/ }, resolveOnce);
    // A class of it is passed on by the library, and used by nobody here.
    builder.onResolve({ filter: /^marked$/ }, (from) => (own.test(from.importer) ? resolveOnce(from) : undefined));
    builder.onResolve({ filter: /^\./ }, (from) => (own.test(from.importer) ? resolveOnce(from) : undefined));
    builder.onResolve({ filter: /^(node:)?child_process$/ }, ({ importer }) =>
      own.test(importer) ? { path: "child_process", namespace: "no programs" } : undefined,
    );
    builder.onLoad({ filter: /pi-tui.dist.utils\.js$/ }, ({ path }) => {
      const text = readFileSync(path, "utf8");
      for (const [line] of late) if (!line.test(text)) throw new Error(`${path} has no line ${line}`);
      const changed = late.reduce((before, [line, instead]) => before.replace(line, instead), text);
      return { contents: `import { lateSegmenter, oneEmoji } from ${JSON.stringify(segmenters)};\n${changed}` };
    });
    builder.onLoad({ filter: /./, namespace: "no programs" }, () => ({
      contents: `const refuse = () => { throw new Error("the screen starts no programs"); };
export const spawn = refuse, execSync = refuse;`,
    }));
  },
};
