// The lines of a call: what came of it, as a person reads it.
import { expect, test } from "vitest";
import type { Result } from "../../../src/protocol/result.ts";
import { callLines } from "../../../src/surfaces/cli/render/call.ts";
import { createStyle, type Look } from "../../../src/surfaces/cli/text/style.ts";

const look: Look = { style: createStyle({ colour: false, unicode: true }), width: 80 };

test("a change that was made in part says so below its diff", () => {
  const result = (code?: string): Result => ({
    status: "done",
    parts: [{ type: "text", text: "Edited a.ts: +1 −1." }],
    diff: { files: [{ path: "a.ts", change: "modified", added: 1, removed: 1, patch: "@@ -1 +1 @@\n-a\n+b" }] },
    ...(code !== undefined && { code }),
  });
  const shown = (code?: string) =>
    callLines({ id: "c", tool: "edit", begun: true, output: "", person: false, result: result(code) }, look);
  for (const code of ["edit.part", "patch.part"]) expect(shown(code).at(-1)).toContain("Only this part of the change");
  expect(shown().at(-1)).toContain("+ b");
});
