// docs/guide/compatibility.md says of each field what the code does with it.
import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { agentFields } from "../../src/app/agents/definition.ts";
import { commandFields } from "../../src/extensions/commands/format.ts";
import { skillFields } from "../../src/extensions/skills/format.ts";
import { hookFields } from "../../src/io/config/hook-files.ts";
import { eventOf } from "../../src/io/config/hook-values.ts";
import { projectRoot } from "../support/program.ts";

const page = readFileSync(path.join(projectRoot, "docs/guide/compatibility.md"), "utf8");

/** First two cells of each row of the table below a heading. */
function rowsOf(heading: string): Record<string, string> {
  const section = page.split(/^## /m).find((each) => each.startsWith(`${heading}\n`)) ?? "";
  const cells = [...section.matchAll(/^\| `([^`]+)` \| (.+?) \|$/gm)];
  return Object.fromEntries(cells.map(([, field = "", effect = ""]) => [field, effect]));
}

const said = (fields: Readonly<Record<string, string | true>>) =>
  Object.fromEntries(
    Object.entries(fields).map(([field, effect]) => [field, effect === true ? "honoured" : `no effect: ${effect}`]),
  );

test.each([
  ["Skills", skillFields],
  ["Commands", commandFields],
  ["Agents", agentFields],
  ["Hooks", hookFields],
] as const)(
  "%s: every field of the code stands in the page, and every field of the page in the code",
  (heading, fields) => {
    expect(rowsOf(heading)).toEqual(said(fields));
  },
);

test("every event that the page names is one, or none, as it says", () => {
  const events = rowsOf("Events");
  expect(Object.keys(events).length).toBeGreaterThan(20);
  for (const [name, here] of Object.entries(events))
    expect([name, eventOf(name) === undefined ? "none" : `\`${eventOf(name)}\``]).toEqual([
      name,
      here.split(/[,:;]/, 1)[0],
    ]);
});
