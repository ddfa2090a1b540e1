// The head of a Markdown file: YAML between two lines of dashes.

export interface Headed {
  head: { [key: string]: unknown };
  body: string;
}

/** `problem`: one clause about the head. */
export async function splitFrontMatter(text: string): Promise<Headed | { problem: string }> {
  const found = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(text);
  if (!found) return { problem: "does not begin with front matter (YAML between two lines of ---)" };
  const [, yaml = "", body = ""] = found;
  const head = plainLines(yaml) ?? (await yamlHead(yaml));
  return "problem" in head ? head : { head: head.head, body: body.trim() };
}

type Head = { head: Headed["head"] } | { problem: string };

const plainValue = /^[A-Za-z0-9_./\u00a1-\ud7ff]/;
/** What YAML reads as something else than the text that stands there. */
const otherwise = /: | #|^(?:true|false|yes|no|on|off|null|~)$|^[\d.+-]+$|:$/i;

/** `key: words` on each line, which most heads are; undefined for anything that only YAML itself can read. */
function plainLines(yaml: string): Head | undefined {
  const head: Headed["head"] = {};
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === "") continue;
    const [, key, value = ""] = /^([A-Za-z][\w-]*):[ \t]+(.*\S)[ \t]*$/.exec(line) ?? [];
    if (key === undefined || Object.hasOwn(head, key)) return undefined;
    if (/^\d{1,9}$/.test(value)) head[key] = Number(value);
    else if (plainValue.test(value) && !otherwise.test(value)) head[key] = value;
    else return undefined;
  }
  return { head };
}

async function yamlHead(yaml: string): Promise<Head> {
  const { parse } = await import("yaml");
  try {
    const head: unknown = parse(yaml, { maxAliasCount: 20, prettyErrors: true });
    if (head === null || head === undefined) return { head: {} };
    if (typeof head !== "object" || Array.isArray(head)) return { problem: "has front matter that is no mapping" };
    return { head: { ...head } };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n", 1)[0] : String(error);
    return { problem: `has front matter that is no YAML: ${why}` };
  }
}
