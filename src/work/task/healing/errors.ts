// Where an output says that something is wrong, in any language.
interface ErrorPlace {
  file: string;
  line: number;
  column?: number;
  /** Whose way of saying it this is; `any` is `file.ext:line`. */
  language: string;
}

interface Way {
  language: string;
  pattern: RegExp;
}

/** Design B's table: from the most telling to the one that fits any compiler. Groups: file, line, column. */
const ways: readonly Way[] = [
  { language: "python", pattern: /File "([^"\n]+)", line (\d+)/g },
  { language: "python", pattern: /^([^\s():]+\.py):(\d+): /gm },
  { language: "java", pattern: /\bat [\w$.<>/]+\((?:[\w.@-]+\/\/?)?([\w$]+\.(?:java|scala|groovy)):(\d+)\)/g },
  { language: "kotlin", pattern: /(?:\bat [\w$.<>/]+\(|^e: (?:file:\/\/)?)([^\s():]+\.kts?):(\d+)(?::(\d+))?/gm },
  { language: "java", pattern: /([^\s[\]():]+\.java):\[(\d+),(\d+)\]/g },
  { language: "rust", pattern: /--> ([^\s:]+\.\w+):(\d+):(\d+)/g },
  { language: "rust", pattern: /panicked at (?:'[^'\n]*', )?([^\s:]+\.rs):(\d+):(\d+)/g },
  // The reports of node:test leave the "at" out.
  {
    language: "node",
    pattern:
      /(?:\bat (?:.*?\()?(?:file:\/\/)?|(?:^|[\s(])file:\/\/)((?:[A-Za-z]:)?[^\s():]+\.[cm]?[jt]sx?):(\d+):(\d+)\)?/g,
  },
  { language: "typescript", pattern: /^([^\s():]+\.[cm]?tsx?)\((\d+),(\d+)\): error/gm },
  { language: "dart", pattern: /(?:\(|^|\s)((?:package|file):[^\s():]+\.dart|[^\s():]+\.dart)[: ](\d+)(?::(\d+))?/gm },
  { language: "go", pattern: /(?:^|\s)((?:\.{0,2}\/)?[^\s():]+\.go):(\d+)(?::(\d+))?/gm },
  { language: "c", pattern: /(?:^|\s)([^\s():]+\.(?:c|cc|cpp|cxx|h|hh|hpp|m|mm)):(\d+)(?::(\d+))?/gm },
  { language: "php", pattern: /\bin ([^\s():]+\.php)(?: on line |:)(\d+)/g },
  { language: "csharp", pattern: /([^\s():]+\.(?:cs|fs|vb))(?:\((\d+),(\d+)\)|:line (\d+))/g },
  {
    language: "any",
    pattern: /(?:^|[\s"'`([<=])((?:[A-Za-z]:[\\/])?[\w.@+~\\/-]*\w\.[A-Za-z]\w{0,9}):(\d+)(?::(\d+))?/gm,
  },
];

/** `host.tld:port`, versions and times are no places. */
const noPlace =
  /^(?:\d+\.)+\d+$|^(?:localhost|[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|io|dev|local|internal|test))$|\/\/|^https?$/i;

/** Outputs may be long, and lines of them whole files: what is looked through is bounded. */
const longestOutput = 256 * 1024;
const longestLine = 500;

/** Reports hold traces with their line ends written out. */
const linesOf = (output: string): string[] =>
  output
    .slice(-longestOutput)
    .split(/\r?\n|\\n/)
    .map((line) => line.slice(0, longestLine));

/** In the order in which they stand in the output, each once. */
export function errorPlaces(output: string): ErrorPlace[] {
  const found = new Map<string, ErrorPlace>();
  for (const text of linesOf(output)) {
    const inLine = ways.flatMap(({ language, pattern }) =>
      [...text.matchAll(pattern)].map((match) => ({ match, language })),
    );
    for (const { match, language } of inLine.toSorted((left, right) => left.match.index - right.match.index)) {
      const [, file = "", first, column, other] = match;
      const line = Number(first ?? other);
      const key = `${tail(file)}:${line}`;
      if (found.has(key) || noPlace.test(file) || line === 0) continue;
      found.set(key, { file, line, ...(column !== undefined && { column: Number(column) }), language });
    }
  }
  return [...found.values()];
}

const tail = (file: string): string => file.replace(/^.*[\\/]/, "");

/** Frames of what others wrote lead nowhere that may be mended. */
const foreign =
  /(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.venv|venv|vendor|\.cargo|\.rustup|rustc|\.m2|\.gradle|\.pub-cache|jdk[^\\/]*|lib[\\/]python[\d.]+)[\\/]|^(?:node|internal|java|sun|jdk|kotlin|dart):|^<|^\/(?:usr|opt|rustc|nix)\//;

/**
 * The place to look at first, as a path of the repository: the innermost frame of its own code. Traces of Python end
 * with it, the others begin with it. A name without a folder is looked up among the files.
 */
export function culprit(output: string, files: readonly string[], root = ""): ErrorPlace | undefined {
  const own = errorPlaces(output).flatMap((place) => {
    const file = foreign.test(place.file) ? undefined : ownFile(place.file, files, root);
    return file === undefined ? [] : [{ ...place, file }];
  });
  const last = own.at(-1);
  return last?.language === "python" ? last : own[0];
}

function ownFile(named: string, files: readonly string[], root: string): string | undefined {
  const plain = named
    .replaceAll("\\", "/")
    .replace(/^file:\/\//, "")
    .replace(/^package:[^/]+\//, "lib/");
  const relative =
    root !== "" && plain.startsWith(`${root}/`) ? plain.slice(root.length + 1) : plain.replace(/^\.\//, "");
  if (files.includes(relative)) return relative;
  if (relative.startsWith("/")) return undefined;
  const ending = files.filter((file) => file.endsWith(`/${relative}`));
  return ending.length === 1 ? ending[0] : undefined;
}
