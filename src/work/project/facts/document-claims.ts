// What a document says of its repository that code can look up: paths and commands in code, and links.
import { commandProblem, type DeclaredCommands } from "./plan-commands.ts";

export interface DocumentFault {
  line: number;
  claim: string;
  /** `path`: nothing of that name is there. `command`: it cannot be run as it stands. */
  kind: "path" | "command";
}

/** A name with a folder, or of a source file; nothing with a pattern, a variable or an address. */
const pathLike = /^(?:\.\/)?[\w.@-]+(?:\/[\w.@-]+)+\/?$/;
const runner = /^(?:npm (?:run|test)|npm start|yarn|pnpm|make|just)\b/;

interface Known {
  /** Where the document is. */
  path: string;
  files: readonly string[];
  commands: DeclaredCommands;
}

export function documentFaults(text: string, { path, files, commands }: Known): DocumentFault[] {
  const there = new Set(files.flatMap((file) => [file, ...parents(file)]));
  const folder = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  const isThere = (name: string) => [plain(name), joined(folder, name)].some((each) => there.has(each) || each === "");
  /** Only where its first folder is one of the repository: other names are examples. */
  const isOwn = (name: string) => there.has(plain(name).split("/", 1)[0] ?? "");
  let fenced = false;
  return text.split(/\r?\n/).flatMap((line, at): DocumentFault[] => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      fenced = !fenced;
      return [];
    }
    const spans = fenced
      ? [line.replace(/^\s*\$\s+/, "").trim()]
      : [...line.matchAll(/`([^`]+)`/g)].map(([, span = ""]) => span.trim());
    const links = fenced ? [] : [...line.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, link = ""]) => link);
    const missing = [
      ...(fenced ? [] : spans).filter((span) => pathLike.test(span) && isOwn(span)),
      ...links.filter((link) => !/^(?:[a-z]+:|\/|#)/i.test(link)),
    ].filter((name) => !isThere(name));
    const wrong = spans.filter((span) => runner.test(span) && commandProblem(span, commands)?.name !== undefined);
    return [
      ...[...new Set(missing)].map((claim) => ({ line: at + 1, claim, kind: "path" as const })),
      ...wrong.map((claim) => ({ line: at + 1, claim, kind: "command" as const })),
    ];
  });
}

const plain = (name: string): string => name.replace(/^(?:\.\/)+/, "").replace(/\/+$/, "");

function joined(folder: string, name: string): string {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of name.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

const parents = (file: string): string[] => {
  const parts = file.split("/");
  return parts.slice(0, -1).map((_part, at) => parts.slice(0, at + 1).join("/"));
};
