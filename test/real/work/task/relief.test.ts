// Where cascades are allowed, what the arm of the coder has made and fails is mended by the best one.
import { expect, test } from "vitest";
import { makeCompany, statsOf } from "../../../scenarios/company.ts";
import { crew, docsCrew, docsFiles, docsWords, type MissionScript, say, write } from "../../../work/task/crew.ts";
import { look, planned, states } from "../../../work/task/tasks.ts";

test("a cheap coder whose work fails is relieved by the best one, told, recorded and judged for it", async () => {
  const coder =
    (content: string): MissionScript =>
    ({ said }) =>
      said === 0 ? write("README.md", content) : say("Done.");
  const architect: MissionScript = (about) => {
    const plan = JSON.parse(docsCrew["architect"]?.(about).say ?? "") as object;
    return say({ ...plan, commands: { lint: "grep -q round README.md" } });
  };
  const missions = (content: string) => crew({ ...docsCrew, architect, coder: coder(content) });
  await using company = await makeCompany(
    {
      cheap: { script: missions("# sample\n\nIt does rodun.\n"), price: 0.01 },
      strong: { script: missions("# sample\n\nIt does round.\n"), price: 20 },
    },
    'profile = "budget"\nstrategies = ["single", "cascade"]',
    { git: true, files: docsFiles },
  );
  const { scene } = company;
  const { id, stderr } = await planned(scene, [], docsWords);
  expect(stderr).toMatch(/\w: strong\/model goes on, as what cheap\/model has made fails \(cascade\)\./);
  expect(states(await look(scene, id))).toContain("VERIFYING");
  expect((await statsOf(scene)).arms).toMatchObject([{ arm: "cheap/model", lastOutcome: "escalated", n: 1 }]);
  const { stdout } = await scene.run(["audit", "query", "model.call", "--json"]);
  expect(stdout).toContain('"departure":{"planned":"cheap/model","why":"escalated"}');
});
