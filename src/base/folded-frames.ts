// Stack frames of dependencies and of the runtime in a command's output: runs of them become one line that counts them.

/** A run that is shorter is shown as it is. */
const leastFrames = 3;

/** A frame as Node, jest and vitest print it: with its place at the end. */
const nodeFrame = /^\s*(?:at|❯)\s\S.*?(?:(?::\d+){1,2}\)?|\(<anonymous>\)|\(native\))\s*$/;
const dependency = /(?:^|[/\\ (])node_modules[/\\]|[( ]node:[\w/]+:\d+|\(<anonymous>\)\s*$|\(native\)\s*$/;

/** `File "…", line 3, in f`, or `path.py:3: in f` as pytest's short form has it; the code stands below. */
const pythonFrame = /^(\s*)(?:File "([^"]+)", line \d+, in \S|(\S+\.py):\d+: in \S)/;
const library = /[/\\](?:site-packages|dist-packages)[/\\]|[/\\]lib[/\\]python3(?:\.\d+)?[/\\]|^<frozen /;

export function foldedFrames(text: string): string {
  const node = /node_modules[/\\]|[( ]node:/.test(text);
  const python = library.test(text) && /line \d+, in |\.py:\d+: in /.test(text);
  if (!node && !python) return text;
  const lines = text.split("\n");
  const shown: string[] = [];
  let run: string[] = [];
  let frames = 0;
  let where = "";
  const close = () => {
    if (frames < leastFrames) shown.push(...run);
    else shown.push(`${/^\s*/.exec(run[0] ?? "")?.[0] ?? ""}… ${frames} frames in ${where}`);
    run = [];
    frames = 0;
  };
  for (let at = 0; at < lines.length; at += 1) {
    const found = node && isOfDependency(lines[at] ?? "") ? { length: 1, name: "node_modules" } : undefined;
    const frame = found ?? (python ? ofLibrary(lines, at) : undefined);
    if (!frame) {
      close();
      shown.push(lines[at] ?? "");
      continue;
    }
    if (frame.name !== where) close();
    where = frame.name;
    run.push(...lines.slice(at, at + frame.length));
    frames += 1;
    at += frame.length - 1;
  }
  close();
  return shown.join("\n");
}

const isOfDependency = (line: string): boolean => nodeFrame.test(line) && dependency.test(line);

/** The frame and the code below it, which is indented further; undefined where it is the workspace's own. */
function ofLibrary(lines: readonly string[], at: number): { length: number; name: string } | undefined {
  const [, indent = "", quoted, plain] = pythonFrame.exec(lines[at] ?? "") ?? [];
  const file = quoted ?? plain;
  if (file === undefined || !library.test(file)) return undefined;
  let end = at + 1;
  const deeper = (line: string) =>
    line.startsWith(`${indent} `) && line.trim() !== "" && !pythonFrame.test(line) && !/^E\s/.test(line);
  while (end < lines.length && deeper(lines[end] ?? "")) end += 1;
  return { length: end - at, name: "Python's libraries" };
}
