// The demonstration of each language with a model that stumbles: every one of them ends merged all the same.
import { expect, test } from "vitest";
import { changedSamples, showTask, usable } from "../../../app/demo/stage.ts";

interface Line {
  expect?: string[];
  say?: string;
  calls?: { name: string; input: Record<string, unknown> }[];
  usage?: unknown;
}

/** What makes a test of a language unable to be loaded, put at its beginning. */
const noImport: Record<string, (text: string) => string> = {
  typescript: (text) => `import { nothing } from "no-such-package";\n${text}`,
  javascript: (text) => `import { nothing } from "no-such-package";\n${text}`,
  python: (text) => `import no_such_package\n${text}`,
  rust: (text) => `use no_such_crate::nothing;\n${text}`,
  go: (text) => text.replace(/^package \w+\n/, (line) => `${line}\nimport _ "example.org/none"\n`),
  java: (text) => `import no.such.Thing;\n\n${text}`,
};

/** Prose for a plan, a linter that is not there, null and extra keys, and a test that cannot be loaded; then as recorded. */
function stumbling(name: string, recording: string): string {
  const [title = "", ...lines] = recording.trim().split("\n");
  return [
    title,
    ...lines.flatMap((text) => {
      const line = JSON.parse(text) as Line;
      const { usage } = line;
      if (line.say?.startsWith('{"summary"')) {
        const plan = JSON.parse(line.say) as { commands: object; files: { path: string }[] };
        const sloppy = {
          ...plan,
          thoughts: "none",
          install: null,
          files: plan.files.map((file) => ({ ...file, path: `./${file.path}`, reason: null })),
        };
        const linted = { ...sloppy, commands: { ...plan.commands, lint: "no-such-linter --all" } };
        return [
          { ...line, say: "Sure! I will change one file and test it." },
          { say: JSON.stringify(linted), usage },
          { say: `Here it is:\n\`\`\`json\n${JSON.stringify(sloppy)}\n\`\`\``, usage },
        ];
      }
      const [call] = line.calls ?? [];
      const content = call?.name === "write" ? String(call.input["content"]) : undefined;
      if (content === undefined || !call) return [line];
      const broken = { ...call, input: { ...call.input, content: noImport[name]?.(content) } };
      return [
        { ...line, calls: [broken] },
        { say: "The test is written.", usage },
        { ...line, expect: ["no proof"] },
      ];
    }),
  ]
    .map((line) => (typeof line === "string" ? line : JSON.stringify(line)))
    .join("\n");
}

const flat = (text: string): string => text.replace(/\n│?/g, " ").replace(/\s+/g, " ");

for (const name of Object.keys(noImport)) {
  const can = await usable(name);
  test.skipIf(!can)(
    `${name}: merged, also by a model that answers in prose, plans a missing linter and writes a test that cannot be loaded${can ? "" : " (skipped: its tools are not here)"}`,
    async () => {
      const samples = changedSamples("task.jsonl", (recorded) => stumbling(name, recorded), name);
      const { code, screen } = await showTask(name, { samples });
      const text = flat(screen);
      expect(text).toContain("no-such-linter");
      expect(text).toContain("fails, but not for a reason that lies in");
      expect(text).toContain("ledger verified");
      expect(code, screen).toBe(0);
    },
  );
}
