// Open items of acceptance and verification: what passed is not listed, what a person accepted is closed.
import { expect, test } from "vitest";
import { openItemsIn } from "../../../src/work/project/facts/open-items.ts";
import { settingsOf } from "../../../src/work/project/facts/settings.ts";
import { type Finding, findingsText } from "../../../src/work/project/formats/findings-document.ts";

const uat = (status: string, second: string) =>
  `---\nstatus: ${status}\nphase: 02\n---\n\n## Tests\n\n### 1. Log in\nexpected: yes\nresult: pass\n\n### 2. Log out\nexpected: yes\nresult: ${second}\nreason: no time\n`;
const human = '---\nstatus: human_needed\nhuman_verification:\n  - test: "Look at the colours"\n---\n';
const gaps = '---\nstatus: gaps_found\ngaps:\n  - truth: "A person pays"\n    status: failed\n---\n';

test("tests without a pass, gaps and what only a person sees, by phase; a complete acceptance closes the last", async () => {
  const texts = new Map([
    ["phases/10-pay/10-VERIFICATION.md", gaps],
    ["phases/02-login/02-UAT.md", uat("partial", "skipped")],
    ["phases/02-login/02-VERIFICATION.md", human],
  ]);
  const said = async () =>
    (await openItemsIn(texts, settingsOf(undefined).read)).map(({ phase, state, text }) => `${phase} ${state} ${text}`);
  expect(await said()).toEqual(["2 skipped Log out", "2 human Look at the colours", "10 gap A person pays"]);
  texts.set("phases/02-login/02-UAT.md", uat("complete", "pass"));
  expect(await said()).toEqual(["10 gap A person pays"]);
});

test("critical findings and threats that stop are open until a later document calls them fixed", async () => {
  const finding = (title: string, more: Partial<Finding>): Finding => ({
    ...{ title, state: "critical", place: "a.js:1", evidence: "", action: "", severity: "", ...more },
  });
  const written = (head: Record<string, string>, items: Finding[]) =>
    findingsText({ title: "T", head, summary: "S", states: ["critical", "open", "fixed"], items });
  const texts = new Map([
    [
      "phases/01-a/01-REVIEW.md",
      written({ reviewed: "2026-05-01T00:00:00Z" }, [
        finding("It floors", {}),
        finding("Nowhere", { doubt: "there is no file b.js" }),
        finding("Slow", { state: "warning" }),
      ]),
    ],
    [
      "phases/02-b/02-SECURITY.md",
      written({ reviewed: "2026-05-01T00:00:00Z" }, [
        finding("T-02-01", { state: "open", severity: "medium" }),
        finding("T-02-02", { state: "open", doubt: "security-auditor says nothing of it" }),
        finding("T-02-03", { state: "closed", severity: "critical" }),
      ]),
    ],
    ["phases/03-c/03-UI-REVIEW.md", written({}, [finding("Not a code review", {})])],
  ]);
  const said = async (config?: string) =>
    (await openItemsIn(texts, settingsOf(config).read)).map(({ phase, state, text }) => `${phase} ${state} ${text}`);
  expect(await said()).toEqual(["1 finding It floors", "2 threat T-02-02"]);
  expect(await said('{"workflow":{"security_block_on":"medium"}}')).toHaveLength(3);
  expect(await said('{"workflow":{"security_block_on":"none"}}')).toEqual(["1 finding It floors"]);
  const fixed = (at: string) =>
    texts.set("phases/01-a/01-REVIEW-FIX.md", written({ written: at }, [finding("It floors", { state: "fixed" })]));
  fixed("2026-04-30T00:00:00Z");
  expect(await said()).toHaveLength(2);
  fixed("2026-05-02T00:00:00Z");
  expect(await said()).toEqual(["2 threat T-02-02"]);
});
