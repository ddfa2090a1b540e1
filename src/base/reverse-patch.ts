// Unified hunks turned round.

const header = /^@@ -(\S+) \+(\S+) @@/;

/** The hunks that undo these: lines that came go, lines that went come, and the going ones still stand first. */
export function reversePatch(patch: string): string {
  // A whole new file may be one run of hundreds of thousands of lines: more than a call takes as arguments.
  let lines: string[] = [];
  let going: string[] = [];
  let coming: string[] = [];
  const flush = () => {
    lines = going.length + coming.length > 0 ? lines.concat(going, coming) : lines;
    going = [];
    coming = [];
  };
  let last = lines;
  for (const line of patch.split("\n")) {
    if (line.startsWith("+")) {
      going.push(`-${line.slice(1)}`);
      last = going;
    } else if (line.startsWith("-")) {
      // A new run of changes: git tells what goes before what comes.
      if (going.length > 0) flush();
      coming.push(`+${line.slice(1)}`);
      last = coming;
    } else if (line.startsWith("\\")) last.push(line);
    else {
      flush();
      lines.push(line.replace(header, "@@ -$2 +$1 @@"));
      last = lines;
    }
  }
  flush();
  return lines.join("\n");
}
