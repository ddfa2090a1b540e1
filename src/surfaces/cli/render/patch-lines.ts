// The lines of a patch, each with its number.
export interface PatchLine {
  sign: " " | "+" | "-" | "@" | "\\";
  number: string;
  /** Of a line that is on both sides, its number before. */
  before?: string;
  text: string;
}

export function* patchLines(patch: string): Generator<PatchLine> {
  let before = 0;
  let after = 0;
  for (const line of patch.replace(/\n$/, "").split("\n")) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)$/.exec(line);
    if (hunk) {
      before = Number(hunk[1]);
      after = Number(hunk[2]);
      yield { sign: "@", number: "", text: (hunk[3] ?? "").trim() };
    } else if (line.startsWith("+")) yield { sign: "+", number: String(after++), text: line.slice(1) };
    else if (line.startsWith("-")) yield { sign: "-", number: String(before++), text: line.slice(1) };
    else if (line.startsWith("\\")) yield { sign: "\\", number: "", text: line.slice(2) };
    else {
      yield { sign: " ", number: String(after++), before: String(before++), text: line.slice(1) };
    }
  }
}
