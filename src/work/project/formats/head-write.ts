// A front matter that fettle writes anew: JSON is YAML, and plain words need no quotes.
type Scalar = string | number | boolean;
type Entry = Scalar | { readonly [key: string]: Scalar };
type HeadValue = Scalar | readonly Entry[] | { readonly [key: string]: Scalar | readonly Entry[] };

export function headOf(values: Readonly<Record<string, HeadValue>>): string {
  const lines = Object.entries(values).flatMap(([key, value]) =>
    typeof value === "object" && !Array.isArray(value)
      ? [`${key}:`, ...Object.entries(value).map(([inner, each]) => `  ${inner}: ${said(each as Scalar)}`)]
      : [`${key}: ${said(value as Scalar | readonly Entry[])}`],
  );
  return `---\n${lines.join("\n")}\n---\n`;
}

function said(value: Entry | readonly Entry[]): string {
  if (Array.isArray(value)) return `[${value.map((each: Entry) => said(each)).join(", ")}]`;
  return typeof value === "string" && plain.test(value) && !words.test(value) ? value : JSON.stringify(value);
}

const plain = /^[A-Za-z][\w-]*$/;
/** That YAML reads as something else than a text. */
const words = /^(?:y|n|yes|no|on|off|true|false|null)$/i;
