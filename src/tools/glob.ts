import { notedParts } from "../protocol/outcome.ts";
import { orFailure } from "./failure.ts";
import prompt from "./glob.md";
import { fields, folder, optional, text } from "./input.ts";
import { listFolder } from "./list.ts";
import { oneLine } from "./one-line.ts";
import { defineTool } from "./tool.ts";

const mostPaths = 200;

export const glob = defineTool({
  name: "glob",
  prompt,
  input: fields({ pattern: optional(text("", ["glob", "query", "name", "glob_pattern"])), path: folder() }),
  parse: ({ path }) => ({ kind: "search", path: path ?? ".", contents: false }),
  run({ pattern, path }, grant) {
    if (pattern === undefined || pattern === "") return listFolder(path ?? ".", grant);
    return orFailure(grant, async () => {
      const found = await grant.files.find({ path: path ?? ".", glob: pattern, limit: mostPaths });
      if (found.paths.length === 0) return { status: "done", parts: notedParts("", ["No file fits."]) };
      const note = found.more ? [`[the first ${found.paths.length} paths; narrow the pattern for the rest]`] : [];
      return { status: "done", parts: notedParts(found.paths.map(oneLine).join("\n"), note) };
    });
  },
});
