// Looks at images of the workspace: what they are, what their files carry besides, and the words that stand in them.
import { readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";
import { type BuiltInProgram, PluginProblem, textOf, textReply } from "../serving/spec.ts";
import { takenApart } from "./parts.ts";
import type { ImagesOptions, TakenApart } from "./spec.ts";

const most = { file: 20_000_000, text: 20_000 };
const readingMs = 50_000;

type Input = { [name: string]: unknown };

export function openImages(options: ImagesOptions): BuiltInProgram {
  const image = (input: Input): TakenApart => {
    const given = textOf(input, "path");
    const file = realFile(options.workspace, given);
    if (statSync(file).size > most.file)
      throw new PluginProblem(`${given} is larger than ${most.file / 1_000_000} MB.`);
    const found = takenApart(readFileSync(file));
    if (found) return found;
    throw new PluginProblem(`${given} is no whole PNG, JPEG, GIF or WebP, whatever its name says.`);
  };
  return {
    async call(tool, input) {
      const found = image(input);
      if (tool === "text") return textReply(await wordsIn(found.bare, options, input["language"]));
      const { mime, bare, metadata } = found;
      const lines = metadata.map(({ kind, bytes, text }) => `${kind}, ${bytes} bytes${text === "" ? "" : `: ${text}`}`);
      const head = `${mime}, ${bare.length} bytes without what was taken out${lines.length === 0 ? ": nothing" : ":"}`;
      return {
        parts: [
          { type: "text", text: [head, ...lines].join("\n").slice(0, most.text) },
          { type: "image", mime, data: bare.toString("base64") },
        ],
      };
    },
    close: async () => undefined,
  };
}

function realFile(workspace: string, given: string): string {
  const root = realpathSync(workspace);
  try {
    const file = realpathSync(path.resolve(root, given));
    if (file.startsWith(`${root}/`) && statSync(file).isFile()) return file;
  } catch {
    throw new PluginProblem(`${given} is not there.`);
  }
  throw new PluginProblem(`${given} is no file of the workspace.`);
}

async function wordsIn(data: Buffer, { languages }: ImagesOptions, given: unknown): Promise<string> {
  const wanted = languages.filter(({ name }) => given === undefined || name === given);
  const [first] = wanted;
  if (!first) {
    const there = languages.map(({ name }) => name).join(", ") || "none: tesseract.js is not installed beside fettle";
    throw new PluginProblem(`Words can be read in these languages: ${there}.`);
  }
  const { createWorker } = await import("tesseract.js");
  const worker = await createWorker(first.name, 1, { langPath: first.folder, cacheMethod: "none", gzip: true });
  const timer = setTimeout(() => void worker.terminate(), readingMs);
  try {
    const { data: read } = await worker.recognize(data);
    const text = read.text.trim().slice(0, most.text);
    return text === "" ? "No words are found." : `${Math.round(read.confidence)} % sure:\n${text}`;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}
