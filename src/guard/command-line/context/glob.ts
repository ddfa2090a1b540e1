// Shell patterns: what they could match, without looking at the disk.

const escape = (text: string): string => text.replace(/[.+^${}()|\\]/g, "\\$&");

const mostStars = 6;
const stars = (pattern: string): number => (pattern.match(/\*+/g) ?? []).length;

/** A regular expression (unanchored source) for a shell pattern; `*` does not cross `/`. Undefined when malformed. */
export function globSource(pattern: string): string | undefined {
  let source = "";
  if (stars(pattern) > mostStars) return undefined;
  for (let index = 0; index < pattern.length; index++) {
    const char = pattern[index] ?? "";
    if (char === "*") {
      const double = pattern[index + 1] === "*";
      source += double ? ".*" : "[^/]*";
      while (pattern[index + 1] === "*") index++;
    } else if (char === "?") source += "[^/]";
    else if (char === "[") {
      const end = pattern.indexOf("]", index + 2);
      if (end < 0) source += "\\[";
      else {
        const body = pattern.slice(index + 1, end).replace(/[\\[]/g, "\\$&");
        source += `[${body.replace(/^[!^]/, "^")}]`;
        index = end;
      }
    } else source += escape(char);
  }
  try {
    new RegExp(source);
  } catch {
    return undefined;
  }
  return source;
}

/** Whether the pattern could match one of `samples`; a leading dot must be matched by a dot, as in a shell. */
export function globMatches(pattern: string, samples: readonly string[]): boolean {
  const source = globSource(pattern);
  if (source === undefined) return true;
  const expression = new RegExp(`^${source}$`, "i");
  return samples.some((sample) => expression.test(sample) && dotsAgree(pattern, sample));
}

function dotsAgree(pattern: string, sample: string): boolean {
  const left = pattern.split("/");
  const right = sample.split("/");
  if (left.length !== right.length) return true;
  return right.every((part, index) => !part.startsWith(".") || (left[index] ?? "").startsWith("."));
}

/** The longest leading folder of a pattern that holds no pattern character. */
export function globFolder(pattern: string): string {
  const at = pattern.search(/[*?[]|[@!+]\(/);
  if (at < 0) return pattern;
  const slash = pattern.lastIndexOf("/", at);
  return slash < 0 ? "." : slash === 0 ? "/" : pattern.slice(0, slash);
}
