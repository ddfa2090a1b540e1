// Open items of acceptance and verification: what passed is not listed, what a person accepted is closed.
import { expect, test } from "vitest";
import { openItemsIn } from "../../../src/work/project/facts/open-items.ts";

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
  const said = async () => (await openItemsIn(texts)).map(({ phase, state, text }) => `${phase} ${state} ${text}`);
  expect(await said()).toEqual(["2 skipped Log out", "2 human Look at the colours", "10 gap A person pays"]);
  texts.set("phases/02-login/02-UAT.md", uat("complete", "pass"));
  expect(await said()).toEqual(["10 gap A person pays"]);
});
