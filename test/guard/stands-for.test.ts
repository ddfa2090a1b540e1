// What is done in a copy of the workspace is judged as what it would be in the workspace.
import fc from "fast-check";
import { expect, test } from "vitest";
import { decide } from "../../src/guard/decide.ts";
import { deniedKeys } from "../../src/guard/limits/session.ts";
import { meant, meantKeys } from "../../src/guard/stands-for.ts";
import type { Assessment } from "../../src/protocol/effect.ts";
import { anyAssessment, anyContext, context, effect, openPolicy, rule } from "./assessments.ts";

const place = { workspace: "/data/copies/w/1/files", standsFor: "/w" };
const moved = (text: string): string => text.replace(/(?<=^|\s)\/w(?=\/|$)/, place.workspace);
const inCopy = (assessment: Assessment): Assessment => ({
  ...assessment,
  effects: assessment.effects.map((each) => ({ ...each, target: moved(each.target) })),
});

test("property: rules, policies and refusals of the workspace decide in its copy as there, however they are put", () => {
  fc.assert(
    fc.property(anyAssessment, anyContext, (assessment, around) => {
      const there = decide(assessment, around);
      const denied = around.denied.map((keys) => keys.map(moved));
      const copied = meant(inCopy(assessment), { ...around, denied, workspace: place.workspace }, place);
      expect(decide(copied.assessment, copied.context)).toEqual(there);
    }),
    { numRuns: 2_000 },
  );
});

test("what was refused in one copy is refused in the workspace and in any other one; elsewhere nothing changes", () => {
  const [write] = inCopy({ effects: [effect("write", "/w/a b")] } as Assessment).effects;
  if (!write) throw new Error("no effect");
  expect(meantKeys(deniedKeys([write]), place)).toEqual(deniedKeys([effect("write", "/w/a b")]));
  // A command, too, whatever copy's path it names.
  const other = { workspace: "/data/copies/w/2/files", standsFor: "/w" };
  const ran = (folder: string) =>
    deniedKeys([{ ...effect("execute", "sh"), part: `sh -x '${folder}/a b.sh' ${folder}` }]);
  expect(meantKeys(ran(place.workspace), place)).toEqual(ran("/w"));
  expect(meantKeys(ran(other.workspace), other)).toEqual(ran("/w"));
  expect(meantKeys(ran(`${place.workspace}-2`), place)).toEqual(ran(`${place.workspace}-2`));
  const outside = effect("write", `${place.workspace}-2/a`);
  expect(meantKeys(deniedKeys([outside]), place)).toEqual(deniedKeys([outside]));
  const plain = { assessment: { effects: [outside] } as Assessment, context: context() };
  expect(meant(plain.assessment, plain.context, { workspace: "/w" })).toEqual(plain);
  // A policy that names the place as it is on this machine, too.
  const policy = { ...openPolicy, denyRules: [rule("deny", { paths: ["/w/secret/**"] })] };
  const secret = inCopy({ risk: "L1", effects: [effect("write", "/w/secret/a")], reasons: [], tags: [], digest: "" });
  const judged = meant(secret, context({ policy, autonomy: 5 }), place);
  expect(decide(judged.assessment, judged.context).verdict).toBe("deny");
  const worded = { ...openPolicy, denyRules: [rule("deny", { program: "sh", args: ["/w/a.sh"] })] };
  const part = `sh ${place.workspace}/a.sh`;
  const typed = { ...secret, effects: [{ ...effect("execute", "sh"), part }] };
  const read = meant(typed, context({ policy: worded, autonomy: 5 }), place);
  expect(decide(read.assessment, read.context).verdict).toBe("deny");
});
