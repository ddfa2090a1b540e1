// Whether the words of an unknown command say that it publishes, deploys or installs.
import { expect, test } from "vitest";
import { saysThatItActs } from "../../src/guard/rules/unknown-reasons.ts";

test.each([
  ["tool deploy-prod", true],
  ["tool --verbose deploy-prod", true],
  ["tool --no-colour publish:all", true],
  ["tool --yes release-1.2", true],
  ["tool --task deploy:prod", true],
  ["tool --profile release-wasi", false],
  ["check-release.js --all", false],
])("%s: %s", (line, acts) => {
  const [name = "", ...words] = line.split(" ");
  expect(saysThatItActs(name, words)).toBe(acts);
});
