// Which phase may be shipped, and what is said of one that may not.
import { expect, test } from "vitest";
import type { PhaseState, ProjectEvidence, ProjectPlan } from "../../../src/protocol/project.ts";
import { missingOf } from "../../../src/work/project/shipping/ready.ts";

const plan = (summarized: boolean): ProjectPlan => ({
  ...{ id: "03-01", path: "x", type: "execute", dependsOn: [], files: [], requirements: [], tasks: 1 },
  summarized,
});
const evidence = (more: Partial<ProjectEvidence> = {}): ProjectEvidence => ({
  ...{ phase: "3", path: "E.json", at: "", commit: "c", tree: "t", status: "passed", known: true, requirements: [] },
  checks: [{ plan: "03-01", level: "flowing", claim: "it adds", tree: "t", result: "failed", by: "command", why: "" }],
  ...more,
});
const why = (state: PhaseState, plans: ProjectPlan[], shown?: ProjectEvidence) =>
  missingOf({ number: "3", plans, state }, shown)?.join(" | ");

test("only a phase whose evidence the ledger knows is shipped; each other one is told what to run", () => {
  const done = [plan(true)];
  expect(why("done", done, evidence())).toBeUndefined();
  expect(why("done", done, evidence({ status: "human_needed" }))).toBeUndefined();
  expect(why("open", [])).toBe("it has no plans | fettle project plan 3");
  expect(why("executing", [plan(false)], evidence())).toContain("not executed is 03-01 | fettle project execute 3");
  // A tick in the roadmap, or a VERIFICATION.md by hand, is no evidence.
  expect(why("claimed", done)).toContain("nothing shows");
  expect(why("done", done, evidence({ known: false }))).toContain("the ledger does not know E.json");
  expect(why("done", done, evidence({ status: "gaps_found" }))).toContain(
    "03-01 it adds | fettle project plan 3 --gaps",
  );
  expect(why("mended", done, evidence({ status: "gaps_found" }))).toContain("fettle project verify 3");
  expect(why("executed", done, evidence({ status: "human_needed" }))).toContain("fettle project verify-work 3");
});
